# SPDX-License-Identifier: MIT
"""Regions that combine elements, as functions on whole arrays.

The body of a reduction or a scan is written on scalars. Each of its operations also
works elementwise on arrays, so the body becomes a function on arrays: one call combines
all rows at once.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from tlx.simulator.code.registry import PURE, unsupported
from tlx.simulator.ir.program import Op, Region
from tlx.simulator.ir.types import Pointer, Scalar, Tensor, Type


def _lift(type: Type) -> Type:
    return Tensor(None, type) if isinstance(type, Scalar | Pointer) else type


def lift(op: Op) -> Op:
    """Returns an operation on scalars as one on arrays of any shape."""
    return dataclasses.replace(
        op,
        operand_types=tuple(_lift(t) for t in op.operand_types),
        result_types=tuple(_lift(t) for t in op.result_types),
    )


def array_function(region: Region) -> Callable[..., tuple[Any, ...]]:
    """Returns a region of one block without effects as a function on arrays.

    Args:
        region: It ends in an operation that returns its operands, such as
            `tt.reduce.return`.

    Returns:
        A function of the block's arguments that returns a tuple.

    Raises:
        UnsupportedError: An operation in it has effects or no meaning here.
    """
    block = region.entry
    *body, end = block.ops
    steps = []
    for op in body:
        if op.name not in PURE:
            raise unsupported(op)
        steps.append((PURE[op.name](lift(op)), op.operands, op.results))

    def run(*args: Any) -> tuple[Any, ...]:
        values = dict(zip(block.args, args, strict=True))
        for meaning, operands, results in steps:
            made = meaning(*[values[o] for o in operands])
            if len(results) == 1:
                values[results[0]] = made
            else:
                values.update(zip(results, made, strict=True))
        return tuple(values[o] for o in end.operands)

    return run
