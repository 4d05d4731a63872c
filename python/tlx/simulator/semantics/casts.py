# SPDX-License-Identifier: MIT
"""Conversions of the `arith` dialect between integers and floats."""

from __future__ import annotations

from typing import Any

import numpy as np

from tlx.errors import UnsupportedError
from tlx.simulator.code.registry import Meaning, pure
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Type
from tlx.simulator.semantics.rounding import to_nearest_even, toward_zero
from tlx.simulator.semantics.values import (
    Array,
    as_signed,
    as_unsigned,
    element,
    like,
    on_arrays,
    signed_i1,
    to_array,
    to_scalar,
    width,
    wrapper,
)


def for_scalars(op: Op, f: Meaning) -> Meaning:
    """Returns a function on arrays of one operand as one that fits the operation."""
    if on_arrays(op):
        return f
    source, target = op.operand_types[0], op.result_types[0]
    return lambda x: to_scalar(f(to_array(x, source)), target)


def dtype_of(type: Type) -> np.dtype[Any]:
    """Returns NumPy's type of an element."""
    return element(type).dtype


@pure("arith.extsi")
def _extsi(op: Op) -> Meaning:
    if not on_arrays(op):
        one_bit = width(op.operand_types[0]) == 1
        return (lambda x: signed_i1(int(x))) if one_bit else (lambda x: x)
    dtype = dtype_of(op.result_types[0])
    return lambda x: as_signed(x).astype(dtype)


@pure("arith.extui")
def _extui(op: Op) -> Meaning:
    if not on_arrays(op):
        mask = (1 << width(op.operand_types[0])) - 1
        return lambda x: x & mask
    dtype = dtype_of(op.result_types[0])
    return lambda x: as_unsigned(x).astype(dtype)


@pure("arith.trunci")
def _trunci(op: Op) -> Meaning:
    if not on_arrays(op):
        return wrapper(width(op.result_types[0]))
    dtype = dtype_of(op.result_types[0])
    return lambda x: like(x, dtype)


@pure("arith.index_cast")
def _index_cast(op: Op) -> Meaning:
    return (_trunci if _narrows(op) else _extsi)(op)


@pure("arith.index_castui")
def _index_castui(op: Op) -> Meaning:
    return (_trunci if _narrows(op) else _extui)(op)


def _narrows(op: Op) -> bool:
    return width(op.result_types[0]) < width(op.operand_types[0])


def reinterpret(x: Array, dtype: np.dtype[Any]) -> Array:
    """Returns the bits of an array as another type of the same width."""
    return x if x.dtype == dtype else x.view(dtype)


@pure("arith.bitcast", "tt.bitcast")
def _bitcast(op: Op) -> Meaning:
    """Keeps the bits. A pointer stays the same address."""
    dtype = dtype_of(op.result_types[0])
    if dtype_of(op.operand_types[0]) == dtype:
        return lambda x: x
    return for_scalars(op, lambda x: reinterpret(x, dtype))


@pure("arith.extf")
def _extf(op: Op) -> Meaning:
    dtype = dtype_of(op.result_types[0])
    return lambda x: x.astype(dtype)


# Numbers of arith.RoundingMode.
_ROUNDING = {0: to_nearest_even, 3: toward_zero}


@pure("arith.truncf")
def _truncf(op: Op) -> Meaning:
    dtype = dtype_of(op.result_types[0])
    mode = op.attrs.get("roundingmode", 0)
    if mode not in _ROUNDING:
        raise UnsupportedError(
            "the simulator rounds to nearest even or toward zero, but 'arith.truncf' "
            f"has rounding mode {mode}",
            location=op.loc,
        )
    rounding = _ROUNDING[mode]
    return for_scalars(op, lambda x: rounding(x, dtype))


@pure("arith.sitofp")
def _sitofp(op: Op) -> Meaning:
    dtype = dtype_of(op.result_types[0])
    return for_scalars(
        op, lambda x: to_nearest_even(_exact(as_signed(x), dtype), dtype)
    )


@pure("arith.uitofp")
def _uitofp(op: Op) -> Meaning:
    dtype = dtype_of(op.result_types[0])
    return for_scalars(
        op, lambda x: to_nearest_even(_exact(as_unsigned(x), dtype), dtype)
    )


def _exact(x: Array, dtype: np.dtype[Any]) -> Array:
    """Makes integers f64 where the target is rounded through a wider float.

    The low eleven bits of a 64-bit integer then become one, so that the f64 is exact
    and rounds as the integer does.
    """
    if dtype in (np.float32, np.float64):
        return x
    if x.dtype.itemsize == 8:
        low = x & x.dtype.type(0x7FF)
        sticky = (x - low) | ((low != 0).astype(x.dtype) << x.dtype.type(10))
        large = np.abs(x.astype(np.float64)) >= 2.0**52
        x = np.where(large, sticky, x)
    return x.astype(np.float64)


def to_integer(x: Array, low: int, high: int, nan: int) -> Array:
    """Truncates floats to integers and limits them, as PTX `cvt.rzi`.

    Args:
        x: Floats.
        low: Smallest result.
        high: Largest result.
        nan: Result for NaN.

    Returns:
        Integers of 64 bits, unsigned if `low` is 0.
    """
    whole = np.trunc(np.asarray(x, dtype=np.float64))
    dtype = np.dtype(np.uint64 if low == 0 else np.int64)
    # 2^63 - 1 and 2^64 - 1 are no f64: compare first, convert what fits.
    fits = (whole >= low) & (whole < float(high + 1))
    result = np.where(fits, whole, 0).astype(dtype)
    result = np.where(whole >= float(high + 1), dtype.type(high), result)
    result = np.where(whole < low, dtype.type(low), result)
    return np.where(np.isnan(whole), dtype.type(nan), result)


def limits(source: Type, bits: int, *, unsigned: bool) -> tuple[int, int, int]:
    """Returns the smallest and largest integer, and what NaN becomes.

    PTX `cvt` makes 0 of NaN, or the highest bit alone if it reads f64 or makes 64 bits.
    """
    half = 1 << (bits - 1)
    is_wide = element(source).dtype == np.float64 or bits == 64
    if unsigned:
        return 0, 2 * half - 1, half if is_wide else 0
    return -half, half - 1, -half if is_wide else 0


@pure("arith.fptosi")
def _fptosi(op: Op) -> Meaning:
    target = op.result_types[0]
    low, high, nan = limits(op.operand_types[0], width(target), unsigned=False)
    dtype = dtype_of(target)
    return for_scalars(op, lambda x: like(to_integer(x, low, high, nan), dtype))


@pure("arith.fptoui")
def _fptoui(op: Op) -> Meaning:
    target = op.result_types[0]
    low, high, nan = limits(op.operand_types[0], width(target), unsigned=True)
    dtype = dtype_of(target)
    return for_scalars(op, lambda x: like(to_integer(x, low, high, nan), dtype))
