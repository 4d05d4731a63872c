# SPDX-License-Identifier: MIT
"""Conversions between integers, floats and pointers."""

import math

import ml_dtypes
import numpy as np
import pytest
from evaluation import evaluate, unary
from hypothesis import given
from hypothesis import strategies as st

from tlx.errors import UnsupportedError

INF, NAN = math.inf, math.nan
MOST_32 = 2**31 - 1


def both(name, source, target, x):
    """Evaluates on scalars and on arrays; both must agree."""
    scalar = unary(name, source, x, target)
    array = unary(name, f"tensor<1x{source}>", [x], f"tensor<1x{target}>")[0]
    assert array == scalar or (array != array and scalar != scalar)
    return scalar


@pytest.mark.parametrize(
    ("name", "source", "target", "x", "expected"),
    [
        ("extsi", "i8", "i32", -1, -1),
        ("extsi", "i1", "i32", 1, -1),
        ("extui", "i8", "i32", -1, 255),
        ("extui", "i1", "i32", 1, 1),
        ("extui", "i32", "i64", -1, 2**32 - 1),
        ("trunci", "i32", "i8", 0x1FF, -1),
        ("trunci", "i32", "i1", 2, 0),
        ("trunci", "i32", "i1", -1, 1),
        ("trunci", "i64", "i32", 2**31, -(2**31)),
        ("bitcast", "f32", "i32", 1.0, 0x3F800000),
        ("bitcast", "i32", "f32", -(2**31), -0.0),
        ("bitcast", "i16", "bf16", 0x3F80, 1.0),
    ],
)
def test_integers(name, source, target, x, expected):
    assert both(f"arith.{name}", source, target, x) == expected


@pytest.mark.parametrize(
    ("name", "source", "target", "x", "expected"),
    [
        ("index_cast", "i32", "index", -1, -1),
        ("index_cast", "index", "i32", 2**32 + 5, 5),
        ("index_castui", "i32", "index", -1, 2**32 - 1),
        ("index_castui", "index", "i32", 2**31, -(2**31)),
    ],
)
def test_index(name, source, target, x, expected):
    assert unary(f"arith.{name}", source, x, target) == expected


def test_bitcast_of_triton():
    assert evaluate("%a: i32", "tt.bitcast %a : i32 -> i32", -7) == -7
    assert evaluate("%a: f16", "tt.bitcast %a : f16 -> i16", -0.0) == -(2**15)
    text = "tt.bitcast %a : tensor<1xi8> -> tensor<1xf8E4M3FN>"
    assert evaluate("%a: tensor<1xi8>", text, [0x38]).tolist() == [1.0]


@pytest.mark.parametrize(
    ("source", "target", "x", "expected"),
    [
        ("f32", "i32", 2.9, 2),
        ("f32", "i32", -2.9, -2),
        ("f32", "i32", 3e9, MOST_32),
        ("f32", "i32", -INF, -MOST_32 - 1),
        ("f32", "i32", NAN, 0),
        ("f32", "i8", 300.0, 127),
        ("f32", "i64", 1e30, 2**63 - 1),
        ("f32", "i64", NAN, -(2**63)),
        ("f64", "i32", NAN, -MOST_32 - 1),
        ("f64", "i64", 2.0**62, 2**62),
        ("bf16", "i32", 1.5, 1),
    ],
)
def test_fptosi(source, target, x, expected):
    assert both("arith.fptosi", source, target, x) == expected


@pytest.mark.parametrize(
    ("source", "target", "x", "expected"),
    [
        ("f32", "i32", 3e9, 3_000_000_000 - 2**32),
        ("f32", "i32", -1.0, 0),
        ("f32", "i32", INF, -1),
        ("f32", "i32", NAN, 0),
        ("f32", "i64", 2.0**63, -(2**63)),
        ("f32", "i64", INF, -1),
        ("f32", "i64", NAN, -(2**63)),
        ("f16", "i8", 255.0, -1),
    ],
)
def test_fptoui(source, target, x, expected):
    assert both("arith.fptoui", source, target, x) == expected


@pytest.mark.parametrize(
    ("name", "source", "target", "x", "expected"),
    [
        ("sitofp", "i32", "f32", -3, -3.0),
        ("sitofp", "i1", "f32", 1, -1.0),
        ("uitofp", "i1", "f32", 1, 1.0),
        ("uitofp", "i32", "f32", -1, 2.0**32),
        ("sitofp", "i32", "f32", 2**24 + 1, 2.0**24),
        ("sitofp", "i32", "f32", 2**24 + 3, 2.0**24 + 4),
        ("sitofp", "i32", "f16", 70000, INF),
        ("uitofp", "i64", "f32", -1, 2.0**64),
        # A little above the middle of two numbers of bf16, by less than f32 shows.
        ("sitofp", "i32", "bf16", 2**30 + 2**22 + 1, 2.0**30 + 2**23),
        ("sitofp", "i64", "bf16", 2**62 + 2**54 + 1, 2.0**62 + 2**55),
        ("sitofp", "i64", "bf16", -(2**62) - 2**54 - 1, -(2.0**62) - 2**55),
        ("uitofp", "i64", "bf16", 2**62 + 2**54, 2.0**62),
    ],
)
def test_integers_to_floats(name, source, target, x, expected):
    assert both(f"arith.{name}", source, target, x) == expected


@pytest.mark.parametrize(
    ("source", "target", "x"),
    [("f16", "f32", 2.0**-24), ("bf16", "f32", 3e38), ("f32", "f64", NAN)],
)
def test_extf_is_exact(source, target, x):
    result = both("arith.extf", source, target, x)
    narrow = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32}[source]
    np.testing.assert_equal(float(result), float(narrow(x)))


@pytest.mark.parametrize(
    ("source", "target", "x", "expected"),
    [
        ("f32", "f16", 1 + 2.0**-11, 1.0),
        ("f32", "f16", 1 + 3 * 2.0**-11, 1 + 2.0**-9),
        ("f32", "f16", 65520.0, INF),
        ("f32", "f16", 2.0**-25, 0.0),
        ("f32", "bf16", 1 + 2.0**-8, 1.0),
        ("f32", "bf16", NAN, NAN),
        # Rounding to f32 first would make it 1.
        ("f64", "bf16", 1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-7),
        ("f64", "bf16", -1 - 2.0**-8 - 2.0**-40, -1 - 2.0**-7),
        ("f64", "bf16", 1 + 2.0**-8 - 2.0**-40, 1.0),
        ("f64", "f32", 1 + 2.0**-24 + 2.0**-50, 1 + 2.0**-23),
    ],
)
def test_truncf(source, target, x, expected):
    np.testing.assert_equal(float(both("arith.truncf", source, target, x)), expected)


def test_truncf_toward_zero():
    text = "arith.truncf %a toward_zero : f32 to f16"
    assert evaluate("%a: f32", text, 1 + 2.0**-10 + 2.0**-11) == 1 + 2.0**-10
    assert evaluate("%a: f32", text, 1e9) == 65504.0


def test_truncf_in_other_directions():
    message = "rounds to nearest even or toward zero, but 'arith.truncf' has"
    with pytest.raises(UnsupportedError, match=message):
        evaluate("%a: f32", "arith.truncf %a upward : f32 to f16", 1.0)


def fp_to_fp(x, source, target, rounding="rtne"):
    scalar, array = (
        evaluate(
            f"%a: {s}", f"tt.fp_to_fp %a, rounding = {rounding} : {s} -> {t}", value
        )
        for s, t, value in (
            (source, target, x),
            (f"tensor<1x{source}>", f"tensor<1x{target}>", [x]),
        )
    )
    np.testing.assert_equal(float(array[0]), float(scalar))
    return float(scalar)


@pytest.mark.parametrize(
    ("source", "target", "rounding", "x", "expected"),
    [
        ("f32", "f8E4M3FN", "rtne", 1.0625, 1.0),
        ("f32", "f8E4M3FN", "rtne", 1.1875, 1.25),
        ("f32", "f8E4M3FN", "rtne", 500.0, 448.0),
        ("f32", "f8E4M3FN", "rtne", -INF, -448.0),
        ("f32", "f8E4M3FN", "rtne", NAN, NAN),
        ("f16", "f8E5M2", "rtne", 65504.0, 57344.0),
        ("bf16", "f8E5M2", "rtne", INF, 57344.0),
        ("f32", "f8E5M2", "rtz", 1.99, 1.75),
        ("f32", "f8E5M2", "rtz", 1e9, 57344.0),
        ("f32", "f8E5M2", "rtz", INF, INF),
        ("f32", "f16", "rtz", 1.9999999, 2 - 2.0**-10),
        ("f32", "f16", "rtz", -1e9, -65504.0),
        ("f32", "bf16", "rtz", -1.9999999, -2 + 2.0**-7),
        ("f32", "f16", "rtz", NAN, NAN),
    ],
)
def test_fp_to_fp(source, target, rounding, x, expected):
    np.testing.assert_equal(fp_to_fp(x, source, target, rounding), expected)


def test_fp_to_fp_widens():
    text = "tt.fp_to_fp %a : f8E4M3FN -> f16"
    assert evaluate("%a: f8E4M3FN", text, 448.0) == 448.0


@given(x=st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_toward_zero_is_the_next_number_of_smaller_size(x):
    for target, dtype in (("f16", np.float16), ("bf16", ml_dtypes.bfloat16)):
        result = fp_to_fp(x, "f32", target, "rtz")
        assert abs(result) <= abs(x)
        if abs(result) < ml_dtypes.finfo(dtype).max:
            up = np.nextafter(dtype(result), dtype(math.copysign(INF, x)))
            assert abs(float(up)) > abs(x)


POINTERS = "%p: !tt.ptr<f32>, %o: i32"


def test_addptr_counts_elements():
    assert evaluate(POINTERS, "tt.addptr %p, %o : !tt.ptr<f32>, i32", 4096, -3) == 4084
    params = POINTERS.replace("f32", "i1")
    assert evaluate(params, "tt.addptr %p, %o : !tt.ptr<i1>, i32", 4096, 3) == 4099


def test_addptr_of_tensors():
    pointers, offsets = "tensor<2x!tt.ptr<f16>>", "tensor<2xi32>"
    text = f"tt.addptr %p, %o : {pointers}, {offsets}"
    result = evaluate(f"%p: {pointers}, %o: {offsets}", text, [0, 100], [2**31 - 1, -1])
    assert result.tolist() == [2**32 - 2, 98]


def test_pointers_are_addresses():
    text = "%i = tt.ptr_to_int %p : !tt.ptr<f32> -> i64\n"
    assert evaluate("%p: !tt.ptr<f32>", text, 1 << 40) == 1 << 40
    text += "%q = tt.int_to_ptr %i : i64 -> !tt.ptr<i8>"
    assert evaluate("%p: !tt.ptr<f32>", text, 1 << 40) == 1 << 40
    text = "tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i8>"
    assert evaluate("%p: !tt.ptr<f32>", text, 1 << 40) == 1 << 40
