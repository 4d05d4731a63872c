# SPDX-License-Identifier: MIT
"""Math functions."""

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from evaluation import evaluate, unary
from hypothesis import assume, given
from hypothesis import strategies as st

INF, NAN = math.inf, math.nan


def both(name, type, *args):
    """Evaluates on scalars and on arrays; both must agree."""
    names = "abc"[: len(args)]
    values = ", ".join(f"%{n}" for n in names)
    results = []
    for t, pack in ((type, lambda x: x), (f"tensor<1x{type}>", lambda x: [x])):
        params = ", ".join(f"%{n}: {t}" for n in names)
        results.append(evaluate(params, f"{name} {values} : {t}", *map(pack, args)))
    scalar, array = results
    np.testing.assert_equal(array[0], scalar)
    return scalar


@pytest.mark.parametrize(
    ("name", "x", "expected"),
    [
        ("exp", 1.0, math.e),
        ("exp", -INF, 0.0),
        ("exp", 100.0, INF),
        ("exp2", 3.0, 8.0),
        ("exp2", -INF, 0.0),
        ("exp2", 0.5, math.sqrt(2)),
        ("log", math.e, float(np.log(np.float64(np.float32(math.e))))),
        ("log", 0.0, -INF),
        ("log", -1.0, NAN),
        ("log2", 8.0, 3.0),
        ("log10", 1000.0, 3.0),
        ("log1p", 2.0**-30, 2.0**-30),
        ("expm1", 2.0**-30, 2.0**-30),
        ("sqrt", 2.0, math.sqrt(2)),
        ("sqrt", -1.0, NAN),
        ("rsqrt", 4.0, 0.5),
        ("rsqrt", 0.0, INF),
        ("rsqrt", -0.0, -INF),
        ("sin", 1.0, math.sin(1)),
        ("cos", 1.0, math.cos(1)),
        ("tan", 1.0, math.tan(1)),
        ("sin", INF, NAN),
        ("asin", 1.0, math.pi / 2),
        ("acos", -1.0, math.pi),
        ("atan", 1.0, math.pi / 4),
        ("sinh", 1.0, math.sinh(1)),
        ("cosh", 1.0, math.cosh(1)),
        ("tanh", 1.0, math.tanh(1)),
        ("asinh", 1.0, math.asinh(1)),
        ("acosh", 2.0, math.acosh(2)),
        ("atanh", 0.5, math.atanh(0.5)),
        ("cbrt", -27.0, -3.0),
        ("erf", 0.5, math.erf(0.5)),
        ("erfc", 0.5, math.erfc(0.5)),
        ("erf", NAN, NAN),
        ("absf", -1.5, 1.5),
        ("ceil", -1.5, -1.0),
        ("ceil", 1.5, 2.0),
        ("floor", -1.5, -2.0),
        ("round", 2.5, 3.0),
        ("round", -2.5, -3.0),
        ("round", 0.49999997, 0.0),
        ("roundeven", 2.5, 2.0),
        ("trunc", -1.9, -1.0),
    ],
)
def test_functions_round_once(name, x, expected):
    result = both(f"math.{name}", "f32", x)
    np.testing.assert_equal(result, np.float32(expected))


def test_functions_of_two_operands():
    assert both("math.atan2", "f32", 1.0, -1.0) == np.float32(3 * math.pi / 4)
    assert both("math.powf", "f32", 2.0, -3.0) == 0.125
    assert both("math.copysign", "f32", 2.0, -0.0) == -2.0


@pytest.mark.parametrize(
    ("type", "dtype"),
    [("f16", np.float16), ("bf16", ml_dtypes.bfloat16), ("f64", np.float64)],
)
def test_other_types(type, dtype):
    assert both("math.exp", type, 1.0) == dtype(math.e)
    assert both("math.absf", type, -1.0) == 1.0
    assert both("math.fma", type, 2.0, 3.0, 1.0) == 7.0


def test_precise_sqrt():
    assert both("tt.precise_sqrt", "f32", 2.0) == np.float32(math.sqrt(2))


def test_absi():
    assert both("math.absi", "i8", -5) == 5
    assert both("math.absi", "i8", -128) == -128


@pytest.mark.parametrize(
    ("name", "x", "expected"),
    [
        ("ctlz", 1, 31),
        ("ctlz", 0, 32),
        ("ctlz", -1, 0),
        ("cttz", 8, 3),
        ("cttz", 0, 32),
        ("ctpop", -1, 32),
        ("ctpop", 5, 2),
    ],
)
def test_bit_counts(name, x, expected):
    assert unary(f"math.{name}", "tensor<1xi32>", [x]).tolist() == [expected]
    if name != "ctlz" and x != 0:
        assert unary(f"math.{name}", "i32", x) == expected


FINITE = st.floats(-1e30, 1e30, allow_subnormal=False)


@given(a=FINITE, b=FINITE, c=FINITE)
def test_fma_of_f64_rounds_once(a, b, c):
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    assume(exact == 0 or abs(exact) > 1e-200)
    assert both("math.fma", "f64", a, b, c) == float(exact)


SINGLE = st.floats(-(2.0**40), 2.0**40, width=32, allow_subnormal=False)


@given(a=SINGLE, b=SINGLE, c=SINGLE)
def test_fma_of_f32_rounds_once(a, b, c):
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    result = both("math.fma", "f32", a, b, c)
    error = abs(Fraction(float(result)) - exact)
    for direction in (np.float32(-INF), np.float32(INF)):
        other = float(np.nextafter(result, direction))
        assert error <= abs(Fraction(other) - exact)


def test_fma_between_two_numbers():
    # The product and the small addend vanish when they are rounded to f64 first.
    a, c = 1 + 2.0**-12, 2.0**-60
    assert both("math.fma", "f32", a, a, c) == 1 + 2.0**-11 + 2.0**-23
    assert both("math.fma", "f32", a, a, -c) == 1 + 2.0**-11
    assert both("math.fma", "f32", 2.0**100, 2.0**100, -INF) == -INF


@pytest.mark.parametrize(
    ("x", "propagate", "expected"),
    [
        (5.0, "none", 1.0),
        (-5.0, "none", -1.0),
        (0.5, "none", 0.5),
        (NAN, "none", -1.0),
        (NAN, "all", NAN),
        (5.0, "all", 1.0),
    ],
)
def test_clampf(x, propagate, expected):
    text = f"tt.clampf %x, %l, %h, propagateNan = {propagate} : f32"
    result = evaluate("%x: f32, %l: f32, %h: f32", text, x, -1.0, 1.0)
    np.testing.assert_equal(float(result), expected)
