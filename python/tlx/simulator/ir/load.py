# SPDX-License-Identifier: MIT
"""Reads a module of the extension into a program."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tlx import _ext
from tlx.errors import SourceLocation, UnsupportedError
from tlx.simulator.ir.program import Block, Function, Op, Program, Region
from tlx.simulator.ir.types import Scalar, Tensor, Type, parse

_COMBINE = frozenset(("tt.reduce", "tt.scan", "tt.map_elementwise"))
_NUMBER = re.compile(r"true|false|0x[0-9A-Fa-f]+|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


def _elements(text: str, tensor: Tensor) -> np.ndarray[Any, Any]:
    """Reads the elements that MLIR prints between `dense<` and `>`."""
    body = text[len("dense<") : text.rindex("> :")]
    if body.startswith('"'):
        data = bytes.fromhex(body.strip('"')[2:])
        if tensor.dtype == np.bool_:
            bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
            return bits[: int(np.prod(tensor.shape or ()))].astype(np.bool_)
        return np.frombuffer(data, tensor.dtype).reshape(tensor.shape or ())
    values: list[Any] = []
    for item in _NUMBER.findall(body):
        if item in ("true", "false"):
            values.append(item == "true")
        elif item.startswith("0x"):
            bits = int(item, 16).to_bytes(tensor.dtype.itemsize, "little")
            values.append(np.frombuffer(bits, tensor.dtype)[0])
        else:
            values.append(float(item) if tensor.dtype.kind not in "ib" else int(item))
    return np.array(values, dtype=tensor.dtype).reshape(tensor.shape or ())


def _constant(attribute: _ext.Attribute, type: Type) -> Any:
    """Returns the value of `arith.constant`."""
    if isinstance(type, Tensor):
        splat = attribute.splat_value
        if splat is None:
            return _elements(str(attribute), type)
        value = np.full(type.shape or (), splat.value, dtype=type.dtype)
        value.flags.writeable = False
        return value
    if isinstance(type, Scalar):
        if type.is_integer:
            return int(attribute.value)
        return type.dtype.type(attribute.value)
    raise UnsupportedError(f"the simulator has no constants of type '{type}'")


def _attribute(attribute: _ext.Attribute) -> Any:
    value = attribute.value
    if not isinstance(value, _ext.Attribute | _ext.Type):
        return value
    text = str(value)
    return True if text == "unit" else text


def _captured(op: _ext.Operation) -> tuple[_ext.Value, ...]:
    """Returns the values from outside that the regions of an operation read.

    Canonicalisation moves the constants of a region to the start of the function.
    """
    inside: set[_ext.Value] = set()
    read: dict[_ext.Value, None] = {}
    for nested in op.walk():
        if nested != op:
            read.update(dict.fromkeys(nested.operands))
        inside.update(nested.results)
        for region in nested.regions:
            for block in region.blocks:
                inside.update(block.arguments)
    return tuple(value for value in read if value not in inside)


class _FunctionReader:
    """Reads one function; numbers its values."""

    def __init__(self, layouts_are_final: bool) -> None:
        self._layouts_are_final = layouts_are_final
        self._numbers: dict[_ext.Value, int] = {}
        self._types: dict[_ext.Type, Type] = {}
        self._lines: dict[tuple[str, int, int], SourceLocation | None] = {}

    def _type(self, type: _ext.Type) -> Type:
        if type not in self._types:
            parsed = parse(str(type))
            if isinstance(parsed, Tensor) and not self._layouts_are_final:
                parsed = Tensor(parsed.shape, parsed.element)
            self._types[type] = parsed
        return self._types[type]

    def _number(self, value: _ext.Value) -> int:
        return self._numbers.setdefault(value, len(self._numbers))

    def _location(self, location: _ext.Location) -> SourceLocation | None:
        place = (location.file, location.line, location.column)
        if place not in self._lines:
            self._lines[place] = SourceLocation.read(*place) if place[0] else None
        return self._lines[place]

    def _op(self, op: _ext.Operation) -> Op:
        results = tuple(op.results)
        result_types = tuple(self._type(r.type) for r in results)
        attributes = op.attributes
        if op.name == "arith.constant":
            attrs = {"value": _constant(attributes["value"], result_types[0])}
        else:
            attrs = {name: _attribute(value) for name, value in attributes.items()}
        operands = tuple(op.operands)
        captured = _captured(op) if op.name in _COMBINE else ()
        operands += captured
        blocks = op.block.get_parent().blocks if op.successors else []  # type: ignore[union-attr]
        return Op(
            name=op.name,
            operands=tuple(self._number(v) for v in operands),
            results=tuple(self._number(r) for r in results),
            operand_types=tuple(self._type(v.type) for v in operands),
            result_types=result_types,
            attrs=attrs,
            regions=tuple(self.region(region) for region in op.regions),
            successors=tuple(blocks.index(s) for s in op.successors),
            loc=self._location(op.location),
            name_hint=results[0].location.get_name() if results else None,
            captures=len(captured),
        )

    def region(self, region: _ext.Region) -> Region:
        blocks = []
        for block in region.blocks:
            args = tuple(self._number(a) for a in block.arguments)
            blocks.append(Block(args, [self._op(op) for op in block.operations]))
        return Region(blocks)

    def function(self, function: _ext.Function) -> Function:
        body = self.region(function.regions[0])
        params = tuple(self._type(t) for t in function.input_types)
        return Function(function.symbol_name, params, body, len(self._numbers))


def load(module: _ext.Module, *, layouts_are_final: bool = False) -> Program:
    """Reads a module that holds one public function, the kernel.

    Args:
        module: TLX IR or TTGIR, parsed or made by the front end.
        layouts_are_final: Machine code is made for its layouts. Else they are dropped,
            since passes of Triton change them.

    Raises:
        UnsupportedError: It holds something the simulator has no values for, or not
            exactly one kernel.
    """
    functions: dict[str, Function] = {}
    kernels = []
    for function in module.functions:
        if not function.regions[0].blocks:
            continue
        reader = _FunctionReader(layouts_are_final)
        functions[function.symbol_name] = reader.function(function)
        visibility = function.get_attr("sym_visibility")
        if visibility is None or visibility.value == "public":
            kernels.append(function.symbol_name)
    for read in functions.values():
        for op in read.body.walk():
            if op.name == "tt.call":
                op.callee = functions[op.attrs["callee"].removeprefix("@")]
    if len(kernels) != 1:
        raise UnsupportedError(f"expects one kernel in the module, but got {kernels}")

    def number(name: str, default: int) -> int:
        attribute = module.get_attr(name)
        return default if attribute is None else int(attribute.value)

    target = module.get_attr("ttg.target")
    return Program(
        functions,
        kernels[0],
        num_warps=number("ttg.num-warps", 4),
        num_ctas=number("ttg.num-ctas", 1),
        target="cuda:90" if target is None else str(target.value),
        cluster=(
            number("ttg.cluster-dim-x", 1),
            number("ttg.cluster-dim-y", 1),
            number("ttg.cluster-dim-z", 1),
        ),
    )
