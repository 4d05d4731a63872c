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


def _with_signed_zeros(f: Callable[..., Any], sign: bool) -> Callable[..., Any]:
    """Lets a minimum or maximum choose between zeros by their sign.

    Args:
        f: The function, which may return either of two zeros.
        sign: Whether it shall return the negative one.
    """

    def choose(a: Any, b: Any) -> Any:
        result = f(a, b)
        zero = result == 0
        if not np.any(zero):
            return result
        first = np.signbit(a) == sign
        equal = np.where(first, a, b)
        return np.where(zero & (a == b), equal, result).astype(result.dtype)[()]

    return choose


minimum = _with_signed_zeros(np.minimum, sign=True)
"""Returns the smaller; NaN if either is NaN."""
maximum = _with_signed_zeros(np.maximum, sign=False)
"""Returns the larger; NaN if either is NaN."""
minnum = _with_signed_zeros(np.fmin, sign=True)
"""Returns the smaller; NaN only if both are NaN."""
maxnum = _with_signed_zeros(np.fmax, sign=False)
"""Returns the larger; NaN only if both are NaN."""

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
