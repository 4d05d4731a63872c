# SPDX-License-Identifier: MIT
"""Integer arithmetic of the `arith` dialect: two's complement, without flags.

What MLIR leaves open has one documented result here:

| case | result | why |
|---|---|---|
| division by zero | all bits set; remainder is the dividend | open in PTX as well |
| smallest integer / -1 | the smallest integer; remainder 0 | it wraps |
| shift by the width or more | 0; the sign in all bits for `shrsi` | PTX clamps |

The flags `nsw` and `nuw` have no effect: the value wraps.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
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

Binary = Callable[[Any, Any], Any]


def _scalar(f: Binary, bits: int, unsigned: bool) -> Meaning:
    wrap = wrapper(bits)
    if unsigned:
        mask = (1 << bits) - 1
        return lambda a, b: wrap(f(a & mask, b & mask))
    if bits == 1:
        return lambda a, b: f(signed_i1(int(a)), signed_i1(int(b))) & 1
    return lambda a, b: wrap(f(a, b))


def _array(f: Binary, dtype: np.dtype[Any], unsigned: bool) -> Meaning:
    if unsigned:
        return lambda a, b: like(f(as_unsigned(a), as_unsigned(b)), dtype)
    if dtype == np.bool_:
        return lambda a, b: like(f(as_signed(a), as_signed(b)), dtype)
    return f


def _binary(name: str, scalar: Binary, array: Binary, unsigned: bool = False) -> None:
    """Registers a function of two numbers; results wrap to the type."""

    @pure(name)
    def entry(op: Op) -> Meaning:
        type = op.result_types[0]
        if on_arrays(op):
            return _array(array, type.dtype, unsigned)  # type: ignore[union-attr]
        return _scalar(scalar, width(type), unsigned)


def _quotient(a: int, b: int) -> int:
    if b == 0:
        return -1
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _remainder(a: int, b: int) -> int:
    return a if b == 0 else a - b * _quotient(a, b)


def _floor_quotient(a: int, b: int) -> int:
    return -1 if b == 0 else a // b


def _ceil_quotient(a: int, b: int) -> int:
    return -1 if b == 0 else -(-a // b)


def _defined(f: Callable[[Array, Array], Array]) -> Binary:
    """Gives an array division all bits set where the divisor is 0."""

    def divide(a: Array, b: Array) -> Array:
        zero = b == 0
        if not zero.any():
            return f(a, b)
        ones = np.invert(np.zeros((), dtype=a.dtype))
        return np.where(zero, ones, f(a, np.where(zero, b.dtype.type(1), b)))

    return divide


def _truncated(a: Array, b: Array) -> Array:
    floor = np.floor_divide(a, b)
    inexact = floor * b != a
    return floor + (inexact & ((a < 0) != (b < 0))).astype(a.dtype)


def _array_remainder(a: Array, b: Array) -> Array:
    zero = b == 0
    if not zero.any():
        return np.fmod(a, b)
    return np.where(zero, a, np.fmod(a, np.where(zero, b.dtype.type(1), b)))


def _ceiled(a: Array, b: Array) -> Array:
    floor = np.floor_divide(a, b)
    return floor + (floor * b != a).astype(a.dtype)


_binary("arith.addi", operator.add, np.add)
_binary("arith.subi", operator.sub, np.subtract)
_binary("arith.muli", operator.mul, np.multiply)
_binary("arith.divsi", _quotient, _defined(_truncated))
_binary("arith.divui", _quotient, _defined(np.floor_divide), unsigned=True)
_binary("arith.remsi", _remainder, _array_remainder)
_binary("arith.remui", _remainder, _array_remainder, unsigned=True)
_binary("arith.floordivsi", _floor_quotient, _defined(np.floor_divide))
_binary("arith.ceildivsi", _ceil_quotient, _defined(_ceiled))
_binary("arith.ceildivui", _ceil_quotient, _defined(_ceiled), unsigned=True)
_binary("arith.minsi", min, np.minimum)
_binary("arith.maxsi", max, np.maximum)
_binary("arith.minui", min, np.minimum, unsigned=True)
_binary("arith.maxui", max, np.maximum, unsigned=True)


@pure("arith.andi")
def _and(op: Op) -> Meaning:
    return operator.and_


@pure("arith.ori")
def _or(op: Op) -> Meaning:
    return operator.or_


@pure("arith.xori")
def _xor(op: Op) -> Meaning:
    return operator.xor


def _shift(name: str, scalar: Binary, array: Any, unsigned: bool) -> None:
    """Registers a shift. The amount is unsigned and clamped to the width."""

    @pure(name)
    def entry(op: Op) -> Meaning:
        bits = width(op.result_types[0])
        wrap, mask = wrapper(bits), (1 << bits) - 1
        if not on_arrays(op):
            if unsigned:
                return lambda a, b: wrap(scalar(a & mask, min(b & mask, bits)))
            if bits == 1:
                return lambda a, b: scalar(signed_i1(int(a)), int(b)) & 1
            return lambda a, b: wrap(scalar(a, min(b & mask, bits)))
        dtype = op.result_types[0].dtype  # type: ignore[union-attr]
        of = as_unsigned if unsigned else as_signed
        # Shifts in two steps: NumPy keeps no promise for the whole width.
        most = bits - 1

        def shift(a: Array, b: Array) -> Array:
            amount = as_unsigned(b)
            near = np.minimum(amount, most).astype(of(a).dtype)
            rest = (amount > most).astype(of(a).dtype)
            return like(array(array(of(a), near), rest), dtype)

        return shift


_shift("arith.shli", operator.lshift, np.left_shift, unsigned=True)
_shift("arith.shrui", operator.rshift, np.right_shift, unsigned=True)
_shift("arith.shrsi", operator.rshift, np.right_shift, unsigned=False)


_SIGNED = (operator.lt, operator.le, operator.gt, operator.ge)
# In the order of arith.CmpIPredicate.
_COMPARE = (operator.eq, operator.ne, *_SIGNED, *_SIGNED)


@pure("arith.cmpi")
def _cmpi(op: Op) -> Meaning:
    predicate = op.attrs["predicate"]
    compare, bits = _COMPARE[predicate], width(op.operand_types[0])
    if on_arrays(op):
        if predicate >= 6:
            return lambda a, b: compare(as_unsigned(a), as_unsigned(b))
        if predicate >= 2 and bits == 1:
            return lambda a, b: compare(as_signed(a), as_signed(b))
        return compare
    mask = (1 << bits) - 1
    if predicate >= 6:
        return lambda a, b: compare(a & mask, b & mask)
    if predicate >= 2 and bits == 1:
        return lambda a, b: compare(signed_i1(int(a)), signed_i1(int(b)))
    return compare
