# SPDX-License-Identifier: MIT
"""Float arithmetic and comparison."""

import math

import numpy as np
import pytest
from evaluation import binary, unary

INF, NAN = math.inf, math.nan


def both(name, type, *args):
    """Evaluates on scalars and on arrays; both must agree to the sign of zero."""
    apply = unary if len(args) == 1 else binary
    scalar = apply(name, type, *args)
    array = apply(name, f"tensor<1x{type}>", *[[x] for x in args])[0]
    assert array.tobytes() == scalar.tobytes() or (scalar != scalar and array != array)
    return float(scalar)


def same(a, b):
    """Compares floats; NaN is equal to itself, and -0 is not +0."""
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b and math.copysign(1, a) == math.copysign(1, b)


@pytest.mark.parametrize(
    ("name", "a", "b", "expected"),
    [
        ("addf", 1.5, 2.25, 3.75),
        ("addf", INF, -INF, NAN),
        ("addf", 3e38, 3e38, INF),
        ("subf", 1.5, 2.25, -0.75),
        ("subf", 0.0, 0.0, 0.0),
        ("mulf", -1.5, 2.0, -3.0),
        ("mulf", INF, 0.0, NAN),
        ("mulf", -0.0, 1.0, -0.0),
        ("divf", 1.0, 4.0, 0.25),
        ("divf", -1.0, 0.0, -INF),
        ("divf", 0.0, 0.0, NAN),
        ("remf", -5.5, 2.0, -1.5),
        ("remf", 5.5, -2.0, 1.5),
        ("remf", 1.0, 0.0, NAN),
        ("minimumf", 1.0, 2.0, 1.0),
        ("minimumf", NAN, 2.0, NAN),
        ("minimumf", 2.0, NAN, NAN),
        ("minimumf", 0.0, -0.0, -0.0),
        ("minimumf", -0.0, 0.0, -0.0),
        ("maximumf", 1.0, 2.0, 2.0),
        ("maximumf", NAN, 2.0, NAN),
        ("maximumf", 2.0, NAN, NAN),
        ("maximumf", 0.0, -0.0, 0.0),
        ("maximumf", -0.0, 0.0, 0.0),
        ("maximumf", -0.0, -0.0, -0.0),
        ("minnumf", NAN, 2.0, 2.0),
        ("minnumf", 2.0, NAN, 2.0),
        ("minnumf", NAN, NAN, NAN),
        ("minnumf", 0.0, -0.0, -0.0),
        ("maxnumf", NAN, -INF, -INF),
        ("maxnumf", 2.0, NAN, 2.0),
        ("maxnumf", NAN, NAN, NAN),
        ("maxnumf", -0.0, 0.0, 0.0),
    ],
)
def test_f32(name, a, b, expected):
    assert same(both(f"arith.{name}", "f32", a, b), expected)


@pytest.mark.parametrize("type", ["f16", "bf16", "f32", "f64"])
def test_each_type_keeps_itself(type):
    assert both("arith.addf", type, 1.0, 0.5) == 1.5
    assert both("arith.maxnumf", type, 1.0, NAN) == 1.0
    assert both("arith.minimumf", type, 0.0, -0.0) == 0.0
    assert both("arith.remf", type, 5.0, 3.0) == 2.0


def test_narrow_types_round_to_even():
    # Between 2048 and 2050 in f16, and between 256 and 258 in bf16.
    assert both("arith.addf", "f16", 2048.0, 1.0) == 2048.0
    assert both("arith.addf", "f16", 2050.0, 1.0) == 2052.0
    assert both("arith.addf", "bf16", 256.0, 1.0) == 256.0
    assert both("arith.mulf", "f16", 300.0, 300.0) == INF


def test_subnormals_are_kept():
    tiny = 2.0**-149
    assert both("arith.addf", "f32", tiny, tiny) == 2 * tiny
    assert both("arith.mulf", "f32", 2.0**-130, 0.5) == 2.0**-131


@pytest.mark.parametrize(("x", "expected"), [(0.0, -0.0), (-2.5, 2.5), (INF, -INF)])
def test_negf(x, expected):
    assert same(both("arith.negf", "f32", x), expected)


def test_division_of_triton():
    assert both("tt.precise_divf", "f32", 1.0, 3.0) == np.float32(1 / 3)
    assert both("tt.approx_divf", "f32", 1.0, 3.0) == np.float32(1 / 3)


# Results for (1, 2), (1, 1), (2, 1), (NaN, 1).
PREDICATES = {
    "false": [0, 0, 0, 0],
    "oeq": [0, 1, 0, 0],
    "ogt": [0, 0, 1, 0],
    "oge": [0, 1, 1, 0],
    "olt": [1, 0, 0, 0],
    "ole": [1, 1, 0, 0],
    "one": [1, 0, 1, 0],
    "ord": [1, 1, 1, 0],
    "ueq": [0, 1, 0, 1],
    "ugt": [0, 0, 1, 1],
    "uge": [0, 1, 1, 1],
    "ult": [1, 0, 0, 1],
    "ule": [1, 1, 0, 1],
    "une": [1, 0, 1, 1],
    "uno": [0, 0, 0, 1],
    "true": [1, 1, 1, 1],
}


@pytest.mark.parametrize("type", ["f32", "bf16"])
@pytest.mark.parametrize("predicate", PREDICATES)
def test_cmpf(predicate, type):
    pairs = [(1, 2), (1, 1), (2, 1), (NAN, 1)]
    name = f"arith.cmpf {predicate},"
    assert [binary(name, type, a, b) for a, b in pairs] == PREDICATES[predicate]
    left, right = zip(*pairs, strict=True)
    result = binary(name, f"tensor<4x{type}>", left, right)
    assert result.tolist() == PREDICATES[predicate]


def test_zeros_are_equal():
    assert binary("arith.cmpf oeq,", "f32", 0.0, -0.0) == 1
