# SPDX-License-Identifier: MIT
"""The stages of a TLX kernel: TLX IR, our TTGIR, stock TTGIR, and the rest.

The last three stages are Triton's own, kept from printing whole programs.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
from typing import Any

from tlx import _ext
from tlx.backend import instrumentation, names, ptxas, wheel
from tlx.backend.failures import keeps_tlx_errors
from tlx.backend.reproducer import Reproducer
from tlx.errors import InternalError, ResourceError, TLXError, UnsupportedError

Stage = Callable[[Any, dict[str, Any]], Any]


@keeps_tlx_errors
def tlxir(module: Any, metadata: dict[str, Any]) -> Any:
    """Hands on what the front end made; `make_ir` has verified it."""
    return module


@keeps_tlx_errors
def tlx_ttgir(module: Any, metadata: dict[str, Any]) -> str:
    """Lowers TLX IR to TTGIR text in the form of the installed release."""
    from tlx.backend.lowering import to_ttgir

    if module is None:
        raise UnsupportedError("overriding 'tlxir' is not possible; override 'ttgir'")
    return to_ttgir(module, wheel.kernel_name(str(module)))


def _ttgir(options: Any, capability: int) -> Stage:
    @keeps_tlx_errors
    def run(text: str | None, metadata: dict[str, Any]) -> Any:
        if text is None:
            raise UnsupportedError(
                "overriding 'tlx_ttgir' is not possible; override 'ttgir'"
            )
        module = wheel.lower_ttgir(
            text,
            capability,
            options.maxnreg,
            options.num_stages,
            instrumentation.passes(options, names.TRITON_VERSION),
        )
        metadata["tensordesc_meta"] = module.get_tensordesc_metadata()
        return module

    return run


def _guarded(stage: Stage, what: str, suffix: str) -> Stage:
    """Wraps a stage of Triton: one short error, and what it works on is on disk.

    Args:
        stage: The stage.
        what: What it does, for the message.
        suffix: Ending of files with what it works on.
    """

    @keeps_tlx_errors
    def run(source: Any, metadata: dict[str, Any]) -> Any:
        text = str(source)
        name = metadata.get("name") or wheel.kernel_name(text)
        with Reproducer(text, name, suffix) as reproducer:
            return wheel.guarded(what, reproducer, lambda: stage(source, metadata))

    return run


def _fits(stage: Stage, capability: int) -> Stage:
    """Wraps the stage in which Triton allocates shared memory.

    Our passes know of the buffers of the kernel; Triton adds what threads need to
    exchange elements.
    """
    limit = _ext.shared_memory_limit(capability)

    @keeps_tlx_errors
    def run(source: Any, metadata: dict[str, Any]) -> Any:
        result = stage(source, metadata)
        if metadata["shared"] > limit:
            raise ResourceError(
                f"expects at most {limit} bytes of shared memory on sm_{capability}, "
                f"but the kernel takes {metadata['shared']} with what Triton adds for "
                "exchanges between threads"
            )
        return result

    return run


def _cubin(stage: Stage) -> Stage:
    """Wraps Triton's assembler stage, which prints the whole PTX on failure."""

    @keeps_tlx_errors
    def run(ptx: str, metadata: dict[str, Any]) -> Any:
        output = io.StringIO()
        name = metadata.get("name", "kernel")
        with Reproducer(ptx, name, ".ptx") as reproducer:
            try:
                with contextlib.redirect_stdout(output):
                    cubin = stage(ptx, metadata)
            except names.PTXASError as error:
                raise _rejected(str(error), reproducer) from None
        sys.stdout.write(output.getvalue())
        return cubin

    return run


def _rejected(log: str, reproducer: Reproducer) -> TLXError:
    """Returns the error for PTX that ptxas does not take."""
    reason = ptxas.first_error(log)
    if "Insufficient registers" in reason:
        reproducer.discard()
        return ResourceError(
            f"expects 'maxnreg' to leave enough registers, but ptxas says: {reason}"
        )
    return InternalError(
        f"ptxas rejected the kernel: {reason}", reproducer=str(reproducer.path)
    )


def add_front_stages(stages: dict[str, Any], options: Any) -> None:
    """Adds the stages up to TTGIR to Triton's table of stages."""
    capability = wheel.capability_of(options)
    stages["tlxir"] = tlxir
    stages["tlx_ttgir"] = tlx_ttgir
    stages["ttgir"] = _ttgir(options, capability)


def guard_back_stages(stages: dict[str, Any], options: Any) -> None:
    """Wraps Triton's own later stages, so that they fail with one short error."""
    llir = _guarded(stages["llir"], "lowering to LLVM IR", ".ttgir")
    stages["llir"] = _fits(llir, wheel.capability_of(options))
    stages["ptx"] = _guarded(stages["ptx"], "code generator", ".llir")
    stages["cubin"] = _cubin(stages["cubin"])


def guard_stock_stages(stages: dict[str, Any], options: Any) -> None:
    """Wraps all stages of a kernel that Triton compiles alone."""
    for name in ("ttir", "ttgir"):
        if name in stages:
            stages[name] = _guarded(stages[name], f"stage '{name}'", ".ttir")
    guard_back_stages(stages, options)
