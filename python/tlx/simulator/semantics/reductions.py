# SPDX-License-Identifier: MIT
"""Reductions, scans and maps with a function of the user.

Order of combination, which Triton leaves to the layout: neighbours first. A reduction
combines elements 0 and 1, 2 and 3, ..., then the results in the same way; a scan
combines each element with the one 1, 2, 4, ... places before it. Operands keep the
order of the axis, so a function has to be associative, but not commutative.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tlx.simulator.code.regions import array_function
from tlx.simulator.code.registry import Meaning, pure
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Tensor
from tlx.simulator.semantics.values import Array, to_scalar


def _axis_first(axis: int, x: Array) -> Array:
    return np.moveaxis(x, axis, 0)


@pure("tt.reduce", together=True)
def _reduce(op: Op) -> Meaning:
    axis, count = op.attrs["axis"], len(op.results)
    combine = array_function(op)
    to_scalars = not isinstance(op.result_types[0], Tensor)

    def reduce(*operands: Any) -> Any:
        captured = operands[count:]
        parts = tuple(_axis_first(axis, x) for x in operands[:count])
        while (length := len(parts[0])) > 1:
            even = length - length % 2
            left = (x[0:even:2] for x in parts)
            right = (x[1:even:2] for x in parts)
            pairs = combine(captured, *left, *right)
            if even == length:
                parts = pairs
            else:
                last = (x[even:] for x in parts)
                both = zip(pairs, last, strict=True)
                parts = tuple(np.concatenate(pair) for pair in both)
        results = tuple(x[0] for x in parts)
        if to_scalars:
            types = op.result_types
            results = tuple(map(to_scalar, results, types))
        return results[0] if count == 1 else results

    return reduce


@pure("tt.scan", together=True)
def _scan(op: Op) -> Meaning:
    axis, count = op.attrs["axis"], len(op.results)
    backward = bool(op.attrs["reverse"])
    combine = array_function(op)

    def scan(*operands: Any) -> Any:
        captured = operands[count:]
        parts = [_axis_first(axis, x) for x in operands[:count]]
        if backward:
            parts = [x[::-1] for x in parts]
        distance = 1
        while distance < len(parts[0]):
            before = (x[:-distance] for x in parts)
            here = (x[distance:] for x in parts)
            combined = combine(captured, *before, *here)
            both = zip(parts, combined, strict=True)
            parts = [np.concatenate((old[:distance], new)) for old, new in both]
            distance *= 2
        if backward:
            parts = [x[::-1] for x in parts]
        results = tuple(np.moveaxis(x, 0, axis) for x in parts)
        return results[0] if count == 1 else results

    return scan


@pure("tt.map_elementwise")
def _map_elementwise(op: Op) -> Meaning:
    """Calls the function with `pack` neighbours of each operand at a time.

    The elements of an operand follow each other in the function's arguments, and so
    do those of a result in what it returns. Neighbours are taken in row-major order.
    """
    pack = op.attrs["pack"]
    types = op.result_types
    apply = array_function(op)
    count = len(op.regions[0].entry.args) // pack

    def map_elementwise(*operands: Any) -> Any:
        sources = operands[:count]
        shape = sources[0].shape
        lanes = [x.reshape(-1, pack)[:, i] for x in sources for i in range(pack)]
        made = apply(operands[count:], *lanes)
        packed = (made[i : i + pack] for i in range(0, len(made), pack))
        length = lanes[0].shape
        results = tuple(
            np.stack([np.broadcast_to(x, length) for x in group], axis=-1)
            .reshape(shape)
            .astype(type.dtype)  # type: ignore[union-attr]
            for group, type in zip(packed, types, strict=True)
        )
        return results[0] if len(results) == 1 else results

    return map_elementwise
