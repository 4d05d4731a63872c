# SPDX-License-Identifier: MIT
"""`tt.extern_elementwise`: functions of CUDA's libdevice that NumPy has as well."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from tlx.errors import UnsupportedError
from tlx.simulator.code.registry import Meaning, pure
from tlx.simulator.ir.program import Op
from tlx.simulator.semantics.casts import limits, to_integer
from tlx.simulator.semantics.floats import maxnum, minnum
from tlx.simulator.semantics.math import (
    FUNCTIONS,
    fma,
    in_f64,
    leading_zeros,
    rsqrt,
    trailing_zeros,
)
from tlx.simulator.semantics.values import (
    Array,
    as_unsigned,
    element,
    like,
    on_arrays,
    to_array,
    to_scalar,
    width,
)

Function = Callable[..., Any]

_gamma = np.vectorize(
    lambda x: math.gamma(x) if x > 0 or x % 1 else math.nan, otypes=[np.float64]
)
_lgamma = np.vectorize(
    lambda x: math.lgamma(x) if x > 0 or x % 1 else math.inf, otypes=[np.float64]
)


def _remainder(x: float, y: float) -> float:
    """Returns x less the nearest multiple of y."""
    if math.isnan(x) or math.isnan(y) or math.isinf(x) or y == 0:
        return math.nan
    return math.remainder(x, y)


# Computed in f64; `__nv_NAMEf` is the function on f32 and `__nv_NAME` that on f64.
_FLOAT: dict[str, Function] = {
    **FUNCTIONS,
    "cospi": lambda x: np.cos(np.pi * np.fmod(x, 2.0)),
    "exp10": lambda x: np.power(10.0, x),
    "fdim": lambda x, y: np.where(x > y, x - y, np.where(x <= y, 0.0, x + y)),
    "hypot": np.hypot,
    "ldexp": lambda x, n: np.ldexp(x, n.astype(np.int32)),
    "lgamma": _lgamma,
    "logb": lambda x: np.where(
        np.isfinite(x) & (x != 0), np.frexp(x)[1] - 1.0, np.log(np.abs(x))
    ),
    "nearbyint": np.rint,
    "normcdf": lambda x: 0.5 * FUNCTIONS["erfc"](-x / np.sqrt(2.0)),
    "pow": np.power,
    "remainder": np.vectorize(_remainder, otypes=[np.float64]),
    "rcbrt": lambda x: 1.0 / np.cbrt(x),
    "rhypot": lambda x, y: 1.0 / np.hypot(x, y),
    "rint": np.rint,
    "rsqrt": rsqrt,
    "scalbn": lambda x, n: np.ldexp(x, n.astype(np.int32)),
    "sinpi": lambda x: np.sin(np.pi * np.fmod(x, 2.0)),
    "tgamma": _gamma,
}

# Exact in the type of the operands.
_EXACT: dict[str, Function] = {
    "copysign": np.copysign,
    "fabs": np.abs,
    "fma": fma,
    "fmax": maxnum,
    "fmin": minnum,
    "fmod": np.fmod,
    "nextafter": np.nextafter,
}

# Computed in f64, on f32 alone.
_SINGLE: dict[str, Function] = {
    "__nv_fast_cosf": np.cos,
    "__nv_fast_exp10f": lambda x: np.power(10.0, x),
    "__nv_fast_expf": np.exp,
    "__nv_fast_fdividef": operator.truediv,
    "__nv_fast_log10f": np.log10,
    "__nv_fast_log2f": np.log2,
    "__nv_fast_logf": np.log,
    "__nv_fast_powf": np.power,
    "__nv_fast_sinf": np.sin,
    "__nv_fast_tanf": np.tan,
    "__nv_saturatef": lambda x: np.where(np.isnan(x), 0.0, np.clip(x, 0.0, 1.0)),
}

# `__nv_LETTER NAME _rn` is arithmetic rounded to nearest, on f32 or f64.
_ROUNDED: dict[str, Function] = {
    "add": operator.add,
    "div": operator.truediv,
    "mul": operator.mul,
    "rcp": lambda x: 1.0 / x,
    "rsqrt": rsqrt,
    "sqrt": np.sqrt,
    "sub": operator.sub,
}

_TESTS: dict[str, Function] = {
    "__nv_finitef": np.isfinite,
    "__nv_isfinited": np.isfinite,
    "__nv_isinfd": np.isinf,
    "__nv_isinff": np.isinf,
    "__nv_isnand": np.isnan,
    "__nv_isnanf": np.isnan,
    "__nv_signbitd": np.signbit,
    "__nv_signbitf": np.signbit,
}

_INTEGER: dict[str, Function] = {
    "__nv_abs": np.abs,
    "__nv_llabs": np.abs,
    "__nv_clz": lambda x: leading_zeros(as_unsigned(x), 32),
    "__nv_clzll": lambda x: leading_zeros(as_unsigned(x), 64),
    "__nv_ffs": lambda x: np.where(x == 0, 0, trailing_zeros(as_unsigned(x), 32) + 1),
    "__nv_ffsll": lambda x: np.where(x == 0, 0, trailing_zeros(as_unsigned(x), 64) + 1),
    "__nv_popc": lambda x: np.bitwise_count(as_unsigned(x)).astype(np.int32),
    "__nv_popcll": lambda x: np.bitwise_count(as_unsigned(x)).astype(np.int32),
}

_BITS = frozenset(
    (
        "__nv_double_as_longlong",
        "__nv_float_as_int",
        "__nv_float_as_uint",
        "__nv_int_as_float",
        "__nv_longlong_as_double",
        "__nv_uint_as_float",
    )
)

_TO_INTEGER: dict[str, Function] = {"llrint": np.rint, "llround": FUNCTIONS["round"]}

_DIRECTIONS: dict[str, Function] = {
    "rn": np.rint,
    "rz": np.trunc,
    "rd": np.floor,
    "ru": np.ceil,
}
_FROM_FLOAT = re.compile(r"__nv_(?:float|double)2(u?)(?:int|ll)_(r[nzdu])")
_FROM_INTEGER = re.compile(r"__nv_(u?)(?:int|ll)2(?:float|double)_rn")


def _conversion(symbol: str, op: Op) -> Meaning | None:
    """Finds a conversion between a float and an integer type."""
    source, target = (element(t) for t in (op.operand_types[0], op.result_types[0]))
    dtype = target.dtype
    if match := _FROM_INTEGER.fullmatch(symbol):
        unsigned = match[1] == "u"
        return lambda x: (as_unsigned(x) if unsigned else x).astype(dtype)
    if not (match := _FROM_FLOAT.fullmatch(symbol)):
        return None
    rounding = _DIRECTIONS[match[2]]
    low, high, nan = limits(source, width(target), unsigned=match[1] == "u")
    return lambda x: like(to_integer(rounding(x), low, high, nan), dtype)


def _of_floats(symbol: str, dtype: np.dtype[Any]) -> Meaning | None:
    """Finds a function from floats to the same float type."""
    if symbol in _SINGLE:
        return in_f64(_SINGLE[symbol], dtype)
    single = dtype == np.float32
    name = symbol.removeprefix("__nv_")
    if single and name.endswith("f"):
        name = name[:-1]
    elif single:
        name = name + "?"
    if name in _EXACT:
        return _EXACT[name]
    if name in _FLOAT:
        return in_f64(_FLOAT[name], dtype)
    letter = "f" if single else "d"
    for rounded, f in _ROUNDED.items():
        if symbol == f"__nv_{letter}{rounded}_rn":
            return in_f64(f, dtype)
    return None


def _of_arrays(op: Op) -> Meaning | None:
    symbol = op.attrs["symbol"]
    target = element(op.result_types[0])
    dtype = target.dtype
    if symbol in _TESTS:
        test = _TESTS[symbol]
        return lambda x: test(x).astype(dtype)
    if symbol in _INTEGER:
        count = _INTEGER[symbol]
        return lambda x: like(np.asarray(count(x)), dtype)
    if symbol in _BITS:
        return lambda x: x.view(dtype)
    name = symbol.removeprefix("__nv_")
    for rounding, f in _TO_INTEGER.items():
        if name in (rounding, rounding + "f"):
            half = 1 << (width(target) - 1)
            return lambda x: to_integer(f(x), -half, half - 1, -half).astype(dtype)
    if conversion := _conversion(symbol, op):
        return conversion
    return _of_floats(symbol, dtype) if dtype.kind == "f" else None


@pure("tt.extern_elementwise")
def _extern_elementwise(op: Op) -> Meaning:
    f = _of_arrays(op)
    if f is None:
        raise UnsupportedError(
            f"the simulator has no library function '{op.attrs['symbol']}'",
            location=op.loc,
        )
    if on_arrays(op):
        return f
    sources, target = op.operand_types, op.result_types[0]

    def scalar(*args: Any) -> Any:
        arrays: list[Array] = [
            to_array(x, type) for x, type in zip(args, sources, strict=True)
        ]
        return to_scalar(f(*arrays), target)

    return scalar
