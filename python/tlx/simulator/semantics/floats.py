# SPDX-License-Identifier: MIT
"""Float arithmetic of the `arith` dialect: IEEE 754, to nearest even.

f16 and bf16 are computed in f32 and rounded once more. For one sum, difference, product
or quotient that gives the correctly rounded result.

NumPy warns about overflow and invalid operations; the machine runs with
`numpy.errstate(all="ignore")`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from tlx.simulator.code.registry import Meaning, pure
from tlx.simulator.ir.program import Op
from tlx.simulator.semantics.values import on_arrays


def _elementwise(name: str, f: Callable[..., Any]) -> None:
    """Registers a function that works on scalars and arrays of each float type."""

    @pure(name)
    def entry(op: Op) -> Meaning:
        return f


def minimum(a: Any, b: Any) -> Any:
    """Returns the smaller; NaN if either is NaN; -0 is smaller than +0."""
    result = np.minimum(a, b)
    if np.any(result == 0):
        return np.where((a == b) & np.signbit(a), a, result).astype(result.dtype)[()]
    return result


def maximum(a: Any, b: Any) -> Any:
    """Returns the larger; NaN if either is NaN; -0 is smaller than +0."""
    result = np.maximum(a, b)
    if np.any(result == 0):
        return np.where((a == b), np.where(np.signbit(a), b, a), result).astype(
            result.dtype
        )[()]
    return result


def minnum(a: Any, b: Any) -> Any:
    """Returns the smaller number; NaN only if both are NaN."""
    return minimum(np.where(np.isnan(a), b, a)[()], np.where(np.isnan(b), a, b)[()])


def maxnum(a: Any, b: Any) -> Any:
    """Returns the larger number; NaN only if both are NaN."""
    return maximum(np.where(np.isnan(a), b, a)[()], np.where(np.isnan(b), a, b)[()])


_elementwise("arith.addf", operator.add)
_elementwise("arith.subf", operator.sub)
_elementwise("arith.mulf", operator.mul)
_elementwise("arith.divf", operator.truediv)
_elementwise("arith.remf", np.fmod)
_elementwise("arith.negf", operator.neg)
_elementwise("arith.minimumf", minimum)
_elementwise("arith.maximumf", maximum)
_elementwise("arith.minnumf", minnum)
_elementwise("arith.maxnumf", maxnum)
_elementwise("tt.precise_divf", operator.truediv)
_elementwise("tt.approx_divf", operator.truediv)


def _ordered(a: Any, b: Any) -> Any:
    return (a == a) & (b == b)


# In the order of arith.CmpFPredicate. A negated comparison is true for NaN.
_COMPARE: tuple[Callable[[Any, Any], Any], ...] = (
    lambda a, b: (a != a) & False,
    operator.eq,
    operator.gt,
    operator.ge,
    operator.lt,
    operator.le,
    lambda a, b: (a < b) | (a > b),
    _ordered,
    lambda a, b: ~((a < b) | (a > b)),
    lambda a, b: ~(a <= b),
    lambda a, b: ~(a < b),
    lambda a, b: ~(a >= b),
    lambda a, b: ~(a > b),
    operator.ne,
    lambda a, b: ~_ordered(a, b),
    lambda a, b: (a != a) | True,
)


@pure("arith.cmpf")
def _cmpf(op: Op) -> Meaning:
    compare = _COMPARE[op.attrs["predicate"]]
    if on_arrays(op):
        return compare
    return lambda a, b: bool(compare(a, b))
