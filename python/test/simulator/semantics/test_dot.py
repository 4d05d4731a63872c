# SPDX-License-Identifier: MIT
"""Matrix products."""

import numpy as np
import pytest
from evaluation import evaluate
from hypothesis import given
from hypothesis import strategies as st

from tlx.errors import UnsupportedError
from tlx.simulator.ir.types import DTYPES

RANDOM = np.random.default_rng(0)


def dot(a, b, c, types, precision="ieee"):
    """Evaluates `tt.dot`; `types` are those of the operands and the result."""
    a, b, c = map(np.asarray, (a, b, c))
    ta, tb, tc = (
        f"tensor<{'x'.join(map(str, x.shape))}x{type}>"
        for x, type in zip((a, b, c), types, strict=True)
    )
    text = f"tt.dot %a, %b, %c, inputPrecision = {precision} : {ta} * {tb} -> {tc}"
    return evaluate(f"%a: {ta}, %b: {tb}, %c: {tc}", text, a, b, c)


@pytest.mark.parametrize("type", ["f16", "bf16", "f8E4M3FN", "f8E5M2", "f32", "f64"])
def test_small_numbers_are_exact(type):
    out = "f64" if type == "f64" else "f32"
    a, b, c = [[1, 2], [3, 4]], [[5, 6], [7, 8]], [[1, 0], [0, -1]]
    result = dot(a, b, c, [type, type, out])
    assert result.tolist() == [[20, 22], [43, 49]]


def test_batches():
    a = RANDOM.integers(-4, 4, (3, 2, 8))
    b = RANDOM.integers(-4, 4, (3, 8, 4))
    result = dot(a, b, np.zeros((3, 2, 4)), ["f16", "f16", "f32"])
    np.testing.assert_array_equal(result, np.einsum("zmk,zkn->zmn", a, b))


def test_f16_accumulates_in_f32():
    # 2048 + 1 is no f16.
    a = [[2048, 1]]
    result = dot(a, [[1], [1]], [[0]], ["f16", "f16", "f32"])
    assert result.tolist() == [[2049]]
    assert dot(a, [[1], [1]], [[0]], ["f16"] * 3).tolist() == [[2048]]


def test_the_sum_is_rounded_once():
    a = [[1, 2.0**-24, 2.0**-24]]
    result = dot(a, np.ones((3, 1)), [[0]], ["f16", "f16", "f32"])
    assert result.tolist() == [[1 + 2.0**-23]]


def test_int8_wraps_in_i32():
    a, b = [[127, -128]], [[127], [-128]]
    assert dot(a, b, [[-5]], ["i8", "i8", "i32"]).tolist() == [[127**2 + 128**2 - 5]]
    assert dot(a, b, [[2**31 - 1]], ["i8", "i8", "i32"]).tolist() == [
        [127**2 + 128**2 - 1 - 2**31]
    ]


def test_tf32_drops_bits():
    one = np.float32(1 + 2.0**-10)
    assert dot([[one]], [[1]], [[0]], ["f32"] * 3, "tf32").tolist() == [[one]]
    more = np.float32(1 + 2.0**-10 + 2.0**-11 + 2.0**-12)
    assert dot([[more]], [[1]], [[0]], ["f32"] * 3, "tf32").tolist() == [[one]]
    assert dot([[-more]], [[1]], [[0]], ["f32"] * 3, "tf32").tolist() == [[-one]]
    assert dot([[more]], [[1]], [[0]], ["f32"] * 3, "ieee").tolist() == [[more]]


def relative_error(precision):
    a = RANDOM.uniform(0.5, 1, (8, 64)).astype(np.float32)
    b = RANDOM.uniform(0.5, 1, (64, 8)).astype(np.float32)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    result = dot(a, b, np.zeros((8, 8)), ["f32"] * 3, precision)
    return np.max(np.abs(result - exact) / exact)


@pytest.mark.parametrize(
    ("precision", "least", "most"),
    [
        ("tf32", 2.0**-13, 2.0**-9),
        ("tf32x3", 0.0, 2.0**-19),
        ("bf16x3", 2.0**-22, 2.0**-15),
        ("bf16x6", 0.0, 2.0**-21),
        ("ieee", 0.0, 2.0**-24),
    ],
)
def test_error_of_each_precision(precision, least, most):
    assert least <= relative_error(precision) <= most


@pytest.mark.parametrize("precision", ["tf32x3", "bf16x3", "bf16x6"])
def test_infinities_survive_being_split(precision):
    result = dot([[np.inf, 1.5]], [[2], [3]], [[0]], ["f32"] * 3, precision)
    assert result.tolist() == [[np.inf]]
    result = dot([[np.nan]], [[2]], [[0]], ["f32"] * 3, precision)
    assert np.isnan(result).all()


@given(
    shape=st.tuples(*[st.integers(1, 9)] * 3),
    type=st.sampled_from(["f16", "bf16", "f8E4M3FN", "i8"]),
)
def test_agrees_with_exact_sums(shape, type):
    m, n, k = shape
    a, b = RANDOM.integers(-8, 8, (m, k)), RANDOM.integers(-8, 8, (k, n))
    c = RANDOM.integers(-100, 100, (m, n))
    out = "i32" if type == "i8" else "f32"
    np.testing.assert_array_equal(dot(a, b, c, [type, type, out]), a @ b + c)


def dot_scaled(a, a_scale, b, b_scale, formats, types, packs=(True, True)):
    """Evaluates `tt.dot_scaled` with an accumulator of zeros."""
    arrays = {"a": a, "b": b, "as": a_scale, "bs": b_scale}
    arrays = {name: np.asarray(x) for name, x in arrays.items() if x is not None}
    rows = a.shape[0] * (1 if packs[0] or formats[0] != "e2m1" else 2)
    columns = b.shape[1] * (1 if packs[1] or formats[1] != "e2m1" else 2)
    arrays["c"] = np.zeros((rows, columns))
    elements = {"c": "f32", **dict(zip(("a", "b", "as", "bs"), types, strict=True))}
    tensors = {
        name: f"tensor<{'x'.join(map(str, x.shape))}x{elements[name]}>"
        for name, x in arrays.items()
    }
    scales = [name for name in ("as", "bs") if name in tensors]
    values = ", ".join(f"%{name}" for name in ("a", "b", "c", *scales))
    inputs = ", ".join(tensors[name] for name in ("a", "b", "c", *scales))
    segments = [1, 1, 1, *(int(name in tensors) for name in ("as", "bs"))]
    numbers = {"e4m3": 0, "e5m2": 1, "e2m3": 2, "e2m1": 4, "bf16": 5, "fp16": 6}
    text = f""""tt.dot_scaled"({values}) <{{
      a_elem_type = {numbers[formats[0]]} : i32,
      b_elem_type = {numbers[formats[1]]} : i32, fastMath = false,
      lhs_k_pack = {str(packs[0]).lower()}, rhs_k_pack = {str(packs[1]).lower()},
      operandSegmentSizes = array<i32: {", ".join(map(str, segments))}>
    }}> : ({inputs}) -> {tensors["c"]}"""
    params = ", ".join(f"%{name}: {type}" for name, type in tensors.items())
    args = [x.astype(DTYPES[elements[name]]) for name, x in arrays.items()]
    return evaluate(params, text, *args)


def test_scales_are_powers_of_two():
    a, b = np.ones((2, 64)), np.ones((64, 3))
    a_scale = np.array([[127, 128], [126, 127]]) - 256 * (np.array([[0, 1], [0, 0]]))
    result = dot_scaled(
        a, a_scale, b, None, ("e4m3", "e5m2"), ("f8E4M3FN", "f8E5M2", "i8", "i8")
    )
    assert result.tolist() == [[32 + 64] * 3, [16 + 32] * 3]


def test_scale_of_the_right_operand():
    a, b = np.ones((1, 32)), np.ones((32, 2))
    result = dot_scaled(
        a,
        None,
        b,
        np.array([[127], [130 - 256]]),
        ("fp16", "e4m3"),
        ("f16", "f8E4M3FN", "i8", "i8"),
    )
    assert result.tolist() == [[32, 256]]


def test_scale_that_is_nan():
    a, b = np.ones((1, 32)), np.ones((32, 1))
    types = ("f8E4M3FN", "f8E4M3FN", "i8", "i8")
    result = dot_scaled(a, np.array([[-1]]), b, None, ("e4m3", "e4m3"), types)
    assert np.isnan(result).all()


def test_four_bits_low_half_first():
    # 0x21: 0.5 (code 1), then 1.0 (code 2); 0xF7: 6.0 (code 7), then -6.0.
    a = np.array([[0x21, 0xF7 - 256]] * 8)
    b = np.zeros((4, 8))
    b[:, :4] = np.eye(4)
    result = dot_scaled(a, None, b, None, ("e2m1", "bf16"), ("i8", "bf16", "i8", "i8"))
    assert result[0].tolist() == [0.5, 1.0, 6.0, -6.0, 0, 0, 0, 0]


def test_four_bits_packed_along_the_other_dimension():
    a = np.eye(2)
    b = np.array([[0x21], [0x43]])
    result = dot_scaled(
        a, None, b, None, ("fp16", "e2m1"), ("f16", "i8", "i8", "i8"), (True, False)
    )
    assert result.tolist() == [[0.5, 1.0], [1.5, 2.0]]


def test_groups_of_sixteen_with_float_scales():
    a, b = np.ones((1, 32)), np.ones((32, 1))
    result = dot_scaled(
        a,
        np.array([[0.5, 3.0]]),
        b,
        None,
        ("e4m3", "e4m3"),
        ("f8E4M3FN", "f8E4M3FN", "f8E4M3FN", "i8"),
    )
    assert result.tolist() == [[16 * 0.5 + 16 * 3.0]]


def test_unknown_format():
    a = np.zeros((1, 32))
    message = "cannot run 'tt.dot_scaled' with e2m3"
    with pytest.raises(UnsupportedError, match=message):
        dot_scaled(a, None, a.T, None, ("e2m3", "e4m3"), ("i8", "f8E4M3FN", "i8", "i8"))
