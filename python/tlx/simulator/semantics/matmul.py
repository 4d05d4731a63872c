# SPDX-License-Identifier: MIT
"""Matrix products as tensor cores compute them.

One product is summed in f64 and rounded once to the accumulator's type. Hardware sums
in f32 or less, in an order and with a rounding that PTX leaves open;
`docs/simulator-numerics.md` has the bounds.
"""

from __future__ import annotations

import enum
from typing import Any

import ml_dtypes
import numpy as np

from tlx.simulator.semantics.rounding import to_nearest_even
from tlx.simulator.semantics.values import Array


class Precision(enum.IntEnum):
    """Numbers of tt.InputPrecision: what becomes of f32 operands."""

    TF32 = 0
    TF32X3 = 1
    IEEE = 2
    BF16X3 = 3
    BF16X6 = 4


def to_tf32(x: Array) -> Array:
    """Drops the bits of f32 that tf32 does not have.

    Tensor cores ignore them: without an explicit conversion, which Triton does not
    make for `tf32`, that rounds toward zero.
    """
    return (x.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)


def _to_near_tf32(x: Array) -> Array:
    """Rounds f32 to tf32, halves away from zero (PTX `cvt.rna.tf32.f32`)."""
    near = to_tf32((x.view(np.uint32) + np.uint32(0x1000)).view(np.float32))
    return np.where(np.isfinite(x), near, x)


def _to_bf16(x: Array) -> Array:
    return x.astype(ml_dtypes.bfloat16).astype(np.float32)


def _parts(x: Array, precision: Precision) -> list[Array]:
    """Splits f32 into narrower numbers whose sum is close to it, largest first."""
    narrow = _to_near_tf32 if precision == Precision.TF32X3 else _to_bf16
    count = 3 if precision == Precision.BF16X6 else 2
    parts, rest = [], x
    for _ in range(count):
        part = narrow(rest)
        parts.append(part)
        # An infinity or NaN is in the first part alone.
        rest = np.where(np.isfinite(part), rest - part, np.float32(0))
    return parts


def _product(a: Array, b: Array) -> Array:
    return np.matmul(a.astype(np.float64), b.astype(np.float64))


def _float_product(a: Array, b: Array, precision: Precision) -> Array:
    """Returns the product of float matrices in f64."""
    if a.dtype != np.float32 or precision == Precision.IEEE:
        return _product(a, b)
    if precision == Precision.TF32:
        return _product(to_tf32(a), to_tf32(b))
    left, right = _parts(a, precision), _parts(b, precision)
    # Products of parts that are small in both are left out.
    small = [
        _product(x, y)
        for i, x in enumerate(left)
        for j, y in enumerate(right)
        if 0 < i + j < len(left)
    ]
    correction = sum(small[1:], start=small[0])
    # The small part of an infinity is 0, and their product says nothing.
    finite = np.where(np.isfinite(correction), correction, 0.0)
    return _product(left[0], right[0]) + finite


def multiply(
    a: Array, b: Array, c: Array | None, dtype: np.dtype[Any], precision: int
) -> Array:
    """Returns a @ b + c.

    Args:
        a: [..., M, K] floats or signed integers.
        b: [..., K, N] of the same kind.
        c: [..., M, N] accumulator, or None for zeros.
        dtype: Type of the result and of `c`. Sums of integers wrap.
        precision: A number of `Precision`; counts for f32 operands only.
    """
    if a.dtype.kind == "i":
        # Exact in f64 for eight bits and any length up to 2^38.
        product = _product(a, b).astype(np.int64)
        total = product if c is None else product + c
        return total.astype(dtype)
    total = _float_product(a, b, Precision(precision))
    if c is not None:
        total = total + c.astype(np.float64)
    return to_nearest_even(total, dtype)
