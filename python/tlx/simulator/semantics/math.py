# SPDX-License-Identifier: MIT
"""The `math` dialect, and Triton's operations that are like it.

Functions are computed in f64 and rounded once to the type of the result, so a result is
the same on every machine. `docs/simulator-numerics.md` says how far hardware differs.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from tlx.simulator.code.registry import Meaning, pure
from tlx.simulator.ir.program import Op
from tlx.simulator.semantics.floats import maximum, maxnum, minimum, minnum
from tlx.simulator.semantics.rounding import to_nearest_even, to_odd
from tlx.simulator.semantics.values import (
    as_unsigned,
    element,
    like,
    on_arrays,
    width,
    wrapper,
)

Function = Callable[..., Any]

erf = np.vectorize(math.erf, otypes=[np.float64])
erfc = np.vectorize(math.erfc, otypes=[np.float64])


def rsqrt(x: Any) -> Any:
    """Returns 1 / sqrt(x); infinite for zeros."""
    return 1.0 / np.sqrt(x)


def round_half_away(x: Any) -> Any:
    """Rounds to an integer; halves away from zero."""
    whole = np.trunc(x)
    return whole + np.where(np.abs(x - whole) >= 0.5, np.copysign(1.0, x), 0.0)


FUNCTIONS: dict[str, Function] = {
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "atanh": np.arctanh,
    "cbrt": np.cbrt,
    "ceil": np.ceil,
    "cos": np.cos,
    "cosh": np.cosh,
    "erf": erf,
    "erfc": erfc,
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "floor": np.floor,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "powf": np.power,
    "round": round_half_away,
    "roundeven": np.rint,
    "rsqrt": rsqrt,
    "sin": np.sin,
    "sinh": np.sinh,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
    "trunc": np.trunc,
}
"""Functions on f64 by their name in the `math` dialect."""


def in_f64(f: Function, dtype: np.dtype[Any]) -> Meaning:
    """Returns a function that is computed in f64 and rounded to `dtype`."""
    if dtype == np.float64:
        return lambda *args: np.asarray(f(*args))[()]

    def rounded(*args: Any) -> Any:
        wide = f(*[x.astype(np.float64) for x in args])
        return to_nearest_even(np.asarray(wide), dtype)

    return rounded


def fit(op: Op, f: Meaning) -> Meaning:
    """Returns a function on arrays of floats as one that fits the operation."""
    return f if on_arrays(op) else lambda *args: f(*args)[()]


def _function(name: str, f: Function) -> None:
    @pure(name)
    def entry(op: Op) -> Meaning:
        return fit(op, in_f64(f, element(op.result_types[0]).dtype))


for _name, _f in FUNCTIONS.items():
    _function(f"math.{_name}", _f)
_function("tt.precise_sqrt", np.sqrt)


def fma(a: Any, b: Any, c: Any) -> Any:
    """Returns a * b + c, rounded once.

    Narrow products are exact in f64, and their sum is rounded to odd before the last
    rounding. In f64 the product is the sum of two numbers.
    """
    dtype = a.dtype
    if dtype != np.float64:
        a, b, c = (x.astype(np.float64) for x in (a, b, c))
        return to_nearest_even(to_odd(*_two_sum(a * b, c)), dtype)
    high, low = _two_product(a, b)
    sum_low, error_low = _two_sum(low, c)
    total, error = _two_sum(high, sum_low)
    exact = total + to_odd(*_two_sum(error, error_low))
    plain = a * b + c
    return np.where(np.isfinite(exact), exact, plain)


def _two_sum(a: Any, b: Any) -> tuple[Any, Any]:
    """Returns the rounded sum of f64 and what it lost."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _split(x: Any) -> tuple[Any, Any]:
    """Splits f64 into two numbers of half its digits."""
    scaled = x * 134217729.0  # 2^27 + 1
    high = scaled - (scaled - x)
    return high, x - high


def _two_product(a: Any, b: Any) -> tuple[Any, Any]:
    """Returns the rounded product of f64 and what it lost."""
    product = a * b
    (a_high, a_low), (b_high, b_low) = _split(a), _split(b)
    error = a_high * b_high - product + a_high * b_low + a_low * b_high
    return product, error + a_low * b_low


@pure("math.fma")
def _fma(op: Op) -> Meaning:
    return fit(op, lambda a, b, c: np.asarray(fma(a, b, c)))


@pure("math.absf")
def _absf(op: Op) -> Meaning:
    return operator.abs


@pure("math.copysign")
def _copysign(op: Op) -> Meaning:
    return np.copysign


@pure("math.absi")
def _absi(op: Op) -> Meaning:
    """The smallest integer stays what it is."""
    wrap = wrapper(width(op.result_types[0]))
    return operator.abs if on_arrays(op) else lambda x: wrap(abs(x))


def leading_zeros(x: Any, bits: int) -> Any:
    """Counts the zeros above the highest bit of unsigned integers."""
    smeared, distance = x, 1
    while distance < bits:
        smeared = smeared | (smeared >> x.dtype.type(distance))
        distance *= 2
    return bits - np.bitwise_count(smeared).astype(np.int64)


def trailing_zeros(x: Any, bits: int) -> Any:
    """Counts the zeros below the lowest bit of unsigned integers."""
    below = (x & (~x + x.dtype.type(1))) - x.dtype.type(1)
    return np.bitwise_count(below).astype(np.int64)


_COUNTS = {
    "math.ctlz": leading_zeros,
    "math.cttz": trailing_zeros,
    "math.ctpop": lambda x, bits: np.bitwise_count(x).astype(np.int64),
}


def _count(name: str, f: Function) -> None:
    @pure(name)
    def entry(op: Op) -> Meaning:
        bits, dtype = width(op.result_types[0]), element(op.result_types[0]).dtype
        if on_arrays(op):
            return lambda x: like(f(as_unsigned(x), bits), dtype)
        wrap, mask = wrapper(bits), (1 << bits) - 1
        return lambda x: wrap(int(f(np.array(x & mask, np.uint64), bits)))


for _name, _f in _COUNTS.items():
    _count(_name, _f)


# Numbers of tt.PropagateNan.
_PROPAGATE = 0xFFFF


@pure("tt.clampf")
def _clampf(op: Op) -> Meaning:
    """Limits a float; NaN stays or, without `propagateNan`, becomes the minimum."""
    if op.attrs["propagateNan"] == _PROPAGATE:
        return lambda x, low, high: minimum(maximum(x, low), high)
    return lambda x, low, high: minnum(maxnum(x, low), high)
