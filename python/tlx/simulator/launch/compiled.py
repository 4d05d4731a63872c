# SPDX-License-Identifier: MIT
"""Kernels compiled for the simulator, kept as long as the kernel lives."""

from __future__ import annotations

import dataclasses
import weakref
from typing import Any

from tlx import _ext
from tlx.backend import instrumentation, lowering
from tlx.backend.binding import Bound, check_globals
from tlx.backend.failures import as_config_failure
from tlx.compiler.records import diagnosed
from tlx.errors import TLXError
from tlx.simulator.code.instructions import Code
from tlx.simulator.code.linear import linearize
from tlx.simulator.ir.load import load
from tlx.simulator.ir.program import Program
from tlx.simulator.ir.types import Descriptor, Pointer, Scalar, Tensor, Type


@dataclasses.dataclass(frozen=True)
class Compiled:
    """A kernel that is ready to run.

    Attributes:
        asm: Text of each stage, as in a kernel that Triton has compiled.
        program: What is run.
        code: The same as the machine steps through it.
    """

    asm: dict[str, str]
    program: Program
    code: dict[str, Code]

    @property
    def takes_descriptors(self) -> bool:
        """Whether tensor descriptors are parameters, or the numbers they are of."""
        types = self.program.functions[self.program.kernel].params
        return any(isinstance(type, Descriptor) for type in types)


_compiled: weakref.WeakKeyDictionary[Any, dict[Any, Compiled]] = (
    weakref.WeakKeyDictionary()
)


def _element_bytes(pointers: Type) -> int:
    """Returns the size of what the pointers of a tensor point to."""
    pointer = pointers.element if isinstance(pointers, Tensor) else pointers
    pointee = pointer.pointee if isinstance(pointer, Pointer) else pointer
    return pointee.dtype.itemsize if isinstance(pointee, Scalar) else 8


def _copies_narrow_elements(program: Program) -> bool:
    """Tells whether `cp.async` copies elements of less than its 4 bytes.

    Whether a thread has neighbours to copy along is known to Triton only, which follows
    the strides of the pointers.
    """
    copies = ("tlx.async_load", "ttg.async_copy_global_to_local")
    return any(
        op.name in copies and _element_bytes(op.operand_types[0]) < 4
        for function in program.functions.values()
        for op in function.body.walk()
    )


def _make_ir(bound: Bound, level: str, asm: dict[str, str]) -> _ext.Module:
    """Runs the front end and passes up to a level; fills in the text of stages."""
    instrumentation.check_is_off("in the simulator")
    if level == "stock_ttgir":
        asm.update(bound.make_stages("ttgir"))
        with diagnosed():
            return _ext.parse(asm["ttgir"], _ext.Context())
    module = bound.make_tlxir()
    asm["tlxir"] = str(module)
    if level == "tlxir":
        # What cannot be lowered for a GPU is not simulated either.
        lowering.to_ttgir(module.clone(), bound.kernel.__name__)
        return module
    asm["tlx_ttgir"] = lowering.to_ttgir(module, bound.kernel.__name__)
    with diagnosed():
        return _ext.parse(asm["tlx_ttgir"], _ext.Context())


def compile_kernel(bound: Bound, level: str) -> Compiled:
    """Compiles a kernel, or returns what an equal launch has compiled.

    Args:
        bound: The kernel with its arguments.
        level: `tlxir`, `ttgir` for our lowering, or `stock_ttgir` for what Triton
            makes of it, or of a kernel without TLX.

    Raises:
        TLXError: The kernel is not valid, or more than a GPU can run (the autotuner
            takes both for a configuration that cannot be used), or the simulator lacks
            an operation.
    """
    kept = _compiled.setdefault(bound.kernel, {})
    key = (bound.key, level)
    if key not in kept:
        asm: dict[str, str] = {}
        try:
            module = _make_ir(bound, level, asm)
            program = load(module, layouts_are_final=level == "stock_ttgir")
            if _copies_narrow_elements(program):
                bound.make_stages("llir")
        except TLXError as error:
            raise as_config_failure(error) from error.__cause__
        kept[key] = Compiled(asm, program, linearize(program))
    else:
        check_globals(bound.kernel)
    return kept[key]
