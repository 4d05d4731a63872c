# SPDX-License-Identifier: MIT
"""Integer operations whose result needs more bits than its operands have."""

from __future__ import annotations

from typing import Any

import numpy as np

from tlx.simulator.code.registry import Meaning, pure
from tlx.simulator.ir.program import Op
from tlx.simulator.semantics.values import (
    Array,
    as_signed,
    as_unsigned,
    like,
    on_arrays,
    signed_i1,
    width,
    wrapper,
)

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


def _high_of_64(a: Array, b: Array) -> Array:
    """Returns the high half of the product of unsigned 64-bit integers."""
    a_low, a_high, b_low, b_high = a & _LOW, a >> _HALF, b & _LOW, b >> _HALF
    cross = a_high * b_low + (a_low * b_low >> _HALF)
    middle = a_low * b_high + (cross & _LOW)
    return a_high * b_high + (cross >> _HALF) + (middle >> _HALF)


def _array_high(a: Array, b: Array, bits: int, signed: bool) -> Array:
    """Returns the high half of the product, as an unsigned or signed integer."""
    if bits < 64:
        wide = np.int64 if signed else np.uint64
        of = as_signed if signed else as_unsigned
        return (of(a).astype(wide) * of(b).astype(wide)) >> wide(bits)
    high = _high_of_64(as_unsigned(a), as_unsigned(b)).view(np.int64)
    if not signed:
        return high
    # A negative factor is 2^64 too large as an unsigned one.
    return high - np.where(a < 0, b, 0) - np.where(b < 0, a, 0)


def _scalar_product(a: int, b: int, bits: int, signed: bool) -> int:
    if not signed:
        mask = (1 << bits) - 1
        return (a & mask) * (b & mask)
    return signed_i1(int(a)) * signed_i1(int(b)) if bits == 1 else a * b


def _product(signed: bool) -> Any:
    def entry(op: Op) -> Meaning:
        type = op.result_types[0]
        bits, wrap = width(type), wrapper(width(type))
        if not on_arrays(op):

            def scalar(a: int, b: int) -> tuple[int, int]:
                product = _scalar_product(a, b, bits, signed)
                return wrap(product), wrap(product >> bits)

            return scalar
        dtype = type.dtype  # type: ignore[union-attr]

        def array(a: Array, b: Array) -> tuple[Array, Array]:
            low = like(as_unsigned(a) * as_unsigned(b), dtype)
            return low, like(_array_high(a, b, bits, signed), dtype)

        return array

    return entry


pure("arith.mulsi_extended")(_product(signed=True))
pure("arith.mului_extended")(_product(signed=False))


@pure("tt.mulhiui")
def _mulhiui(op: Op) -> Meaning:
    type = op.result_types[0]
    bits, wrap = width(type), wrapper(width(type))
    if not on_arrays(op):
        return lambda a, b: wrap(_scalar_product(a, b, bits, signed=False) >> bits)
    dtype = type.dtype  # type: ignore[union-attr]
    return lambda a, b: like(_array_high(a, b, bits, signed=False), dtype)


@pure("arith.addui_extended")
def _addui_extended(op: Op) -> Meaning:
    """Makes the sum, and whether it passed the largest unsigned integer."""
    type = op.result_types[0]
    bits = width(type)
    wrap, mask = wrapper(bits), (1 << bits) - 1
    if not on_arrays(op):

        def scalar(a: int, b: int) -> tuple[int, bool]:
            total = (a & mask) + (b & mask)
            return wrap(total), total > mask

        return scalar
    dtype = type.dtype  # type: ignore[union-attr]

    def array(a: Array, b: Array) -> tuple[Array, Array]:
        total = like(as_unsigned(a) + as_unsigned(b), dtype)
        return total, as_unsigned(total) < as_unsigned(a)

    return array
