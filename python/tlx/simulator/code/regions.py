# SPDX-License-Identifier: MIT
"""Regions that combine elements, as functions on whole arrays.

The body of a reduction or a scan is written on scalars. Each of its operations also
works elementwise on arrays, so the body becomes a function on arrays: one call combines
all rows at once. A body with branches or loops runs once for each element instead.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tlx.simulator.code.registry import PURE, Meaning, unsupported
from tlx.simulator.code.scalars import ScalarRegion
from tlx.simulator.ir.program import Op, Region
from tlx.simulator.ir.types import Pointer, Scalar, Tensor, Type

Array = np.ndarray[Any, Any]
ArrayFunction = Callable[..., tuple[Array, ...]]


def _lift(type: Type) -> Type:
    return Tensor(None, type) if isinstance(type, Scalar | Pointer) else type


def _dtype(type: Type) -> np.dtype[Any]:
    assert isinstance(type, Scalar | Pointer | Tensor)
    return type.dtype


def lift(op: Op) -> Op:
    """Returns an operation on scalars as one on arrays of any shape."""
    return dataclasses.replace(
        op,
        operand_types=tuple(_lift(t) for t in op.operand_types),
        result_types=tuple(_lift(t) for t in op.result_types),
    )


def array_function(op: Op) -> ArrayFunction:
    """Returns the region of an operation as a function on arrays.

    Args:
        op: Its first region ends in an operation that returns its operands, such as
            `tt.reduce.return`.

    Returns:
        A function of a sequence with the values that the region captures, and of the
        arguments of the region, arrays of one shape. It returns a tuple of arrays of
        that shape.

    Raises:
        UnsupportedError: An operation in the region has effects or no meaning here.
    """
    region = op.regions[0]
    outside = op.operands[len(op.operands) - op.captures :]
    types = op.operand_types[len(op.operands) - op.captures :]
    if _is_straight(region):
        return _whole(region, outside, types)
    return _one_by_one(region, outside)


def _is_straight(region: Region) -> bool:
    """Tells whether a region, and what it calls, runs without branches.

    Functions end in a block that nothing reaches; it does not count.
    """
    return not region.entry.ops[-1].successors and not any(
        op.regions or (op.callee and not _is_straight(op.callee.body))
        for op in region.entry.ops
    )


def _meaning(op: Op) -> Meaning:
    """Returns an operation of a region as a function on arrays."""
    if op.callee:
        body = _steps(op.callee.body)
        if len(op.results) == 1:
            return lambda *args: body({}, args)[0]
        return lambda *args: body({}, args)
    if op.name not in PURE:
        raise unsupported(op)
    return PURE[op.name](lift(op))


def _steps(
    region: Region,
) -> Callable[[dict[int, Any], Sequence[Any]], tuple[Any, ...]]:
    """Returns a region of one block as a function of known values and arguments."""
    block = region.entry
    *body, end = block.ops
    steps = [(_meaning(op), op.operands, op.results) for op in body]

    def run(known: dict[int, Any], args: Sequence[Any]) -> tuple[Any, ...]:
        values = dict(known)
        values.update(zip(block.args, args, strict=True))
        for meaning, operands, results in steps:
            made = meaning(*[values[o] for o in operands])
            if len(results) == 1:
                values[results[0]] = made
            else:
                values.update(zip(results, made, strict=True))
        return tuple(values[o] for o in end.operands)

    return run


def _whole(
    region: Region, outside: tuple[int, ...], types: tuple[Type, ...]
) -> ArrayFunction:
    """Returns a region without branches as one pass over whole arrays."""
    steps = _steps(region)
    dtypes = [_dtype(type) for type in types]

    def run(captured: Sequence[Any], *args: Array) -> tuple[Array, ...]:
        known = {
            number: np.asarray(value, dtype=dtype)
            for number, value, dtype in zip(outside, captured, dtypes, strict=True)
        }
        shape = args[0].shape
        return tuple(
            x if x.shape == shape else np.broadcast_to(x, shape)
            for x in steps(known, args)
        )

    return run


def _one_by_one(region: Region, outside: tuple[int, ...]) -> ArrayFunction:
    """Returns a region with branches as a loop over the elements."""
    run_once = ScalarRegion(region)

    def run(captured: Sequence[Any], *args: Array) -> tuple[Array, ...]:
        shape = args[0].shape
        known = dict(zip(outside, captured, strict=True))
        columns = [x.ravel() for x in args]
        # `tolist` makes Python's integers; floats stay scalars of their type.
        lists = [x.tolist() if x.dtype.kind in "ib" else list(x) for x in columns]
        rows = [run_once(known, row) for row in zip(*lists, strict=True)]
        types = run_once.result_types
        made = zip(*rows, strict=True) if rows else ([] for _ in types)
        return tuple(
            np.array(list(column), dtype=_dtype(type)).reshape(shape)
            for column, type in zip(made, types, strict=True)
        )

    return run
