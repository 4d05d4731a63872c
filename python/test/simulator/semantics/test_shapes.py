# SPDX-License-Identifier: MIT
"""Operations that make tensors or move their elements."""

import numpy as np
import pytest
from evaluation import evaluate
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as stn

SHAPES = stn.array_shapes(min_dims=1, max_dims=4, max_side=5)


def tensor(shape, element="i32"):
    return f"tensor<{''.join(f'{n}x' for n in shape)}{element}>"


def numbers(shape):
    return np.arange(np.prod(shape), dtype=np.int32).reshape(shape)


def apply(text, x, result, params=""):
    """Evaluates `text` on %x and makes `result` its type."""
    source = tensor(x.shape)
    return evaluate(f"%x: {source}", f"{text} : {source} -> {tensor(result)}", x)


@pytest.mark.parametrize(
    ("element", "value", "dtype"),
    [("i1", 1, np.bool_), ("i32", -3, np.int32), ("f16", 0.5, np.float16)],
)
def test_splat(element, value, dtype):
    text = f"tt.splat %x : {element} -> tensor<2x3x{element}>"
    result = evaluate(f"%x: {element}", text, value)
    np.testing.assert_array_equal(result, np.full((2, 3), value, dtype))


def test_splat_of_a_pointer():
    text = "tt.splat %x : !tt.ptr<f32> -> tensor<2x!tt.ptr<f32>>"
    assert evaluate("%x: !tt.ptr<f32>", text, 1 << 40).tolist() == [1 << 40] * 2


@pytest.mark.parametrize(("element", "value"), [("i64", -7), ("f32", 1.5), ("i1", 1)])
def test_unsplat(element, value):
    source = f"tensor<1x1x{element}>"
    assert evaluate(f"%x: {source}", f"tt.unsplat %x : {source}", [[value]]) == value


def test_make_range():
    text = "tt.make_range {start = 3 : i32, end = 7 : i32} : tensor<4xi32>"
    assert evaluate("", text).tolist() == [3, 4, 5, 6]


@given(shape=SHAPES, data=st.data())
def test_broadcast(shape, data):
    ones = [1 if data.draw(st.booleans()) else n for n in shape]
    x = numbers(ones)
    result = apply("tt.broadcast %x", x, shape)
    np.testing.assert_array_equal(result, x + np.zeros(shape, np.int32))


@given(shape=SHAPES, data=st.data())
def test_expand_dims(shape, data):
    axis = data.draw(st.integers(0, len(shape)))
    x = numbers(shape)
    expected = np.expand_dims(x, axis)
    text = f"tt.expand_dims %x {{axis = {axis} : i32}}"
    np.testing.assert_array_equal(apply(text, x, expected.shape), expected)


@given(shape=SHAPES)
def test_reshape_keeps_row_major_order(shape):
    x, target = numbers(shape), tuple(reversed(shape))
    result = apply("tt.reshape %x", x, target)
    np.testing.assert_array_equal(result, x.reshape(target))
    assert result.ravel().tolist() == list(range(x.size))


@given(shape=SHAPES, data=st.data())
def test_trans(shape, data):
    order = data.draw(st.permutations(range(len(shape))))
    x = numbers(shape)
    expected = x.transpose(order)
    text = f"tt.trans %x {{order = array<i32: {', '.join(map(str, order))}>}}"
    np.testing.assert_array_equal(apply(text, x, expected.shape), expected)


@given(shape=SHAPES)
def test_join_and_split(shape):
    a = numbers(shape)
    type, joined = tensor(shape), tensor((*shape, 2))
    params = f"%a: {type}, %b: {type}"
    text = f"%j = tt.join %a, %b : {type} -> {joined}"
    both = evaluate(params, text, a, a + 100)
    np.testing.assert_array_equal(both, np.stack([a, a + 100], axis=-1))
    text += f"\ntt.split %j : {joined} -> {type}"
    left, right = evaluate(params, text, a, a + 100)
    np.testing.assert_array_equal(left, a)
    np.testing.assert_array_equal(right, a + 100)


def test_cat():
    type = "tensor<2xi32>"
    text = f"tt.cat %a, %b : {type} -> tensor<4xi32>"
    result = evaluate(f"%a: {type}, %b: {type}", text, [1, 2], [3, 4])
    assert result.tolist() == [1, 2, 3, 4]


@given(shape=SHAPES, data=st.data())
def test_gather(shape, data):
    axis = data.draw(st.integers(0, len(shape) - 1))
    length = data.draw(st.integers(1, 5))
    wanted = (*shape[:axis], length, *shape[axis + 1 :])
    places = st.integers(0, shape[axis] - 1)
    indices = data.draw(stn.arrays(np.int32, wanted, elements=places))
    x = numbers(shape)
    source, at = tensor(shape), tensor(wanted)
    text = f"tt.gather %x[%i] {{axis = {axis} : i32}} : ({source}, {at}) -> {at}"
    result = evaluate(f"%x: {source}, %i: {at}", text, x, indices)
    np.testing.assert_array_equal(result, np.take_along_axis(x, indices, axis))


def test_histogram():
    source, mask = "tensor<6xi32>", "tensor<6xi1>"
    params, values = f"%x: {source}, %m: {mask}", [0, 2, 2, 3, 4, -1]
    text = f"tt.histogram %x : {source} -> tensor<4xi32>"
    all_counted = evaluate(params, text, values, [1] * 6)
    assert all_counted.tolist() == [1, 0, 2, 1]
    text = f"tt.histogram %x, %m : {source} -> tensor<4xi32>"
    some = evaluate(params, text, values, [1, 1, 0, 0, 1, 1])
    assert some.tolist() == [1, 0, 1, 0]


def test_convert_layout_keeps_the_tensor():
    a, b = (
        f"#ttg.blocked<{{sizePerThread = [{n}], threadsPerWarp = [32], "
        "warpsPerCTA = [4], order = [0]}>"
        for n in (1, 4)
    )
    text = f"ttg.convert_layout %x : tensor<4xi32, {a}> -> tensor<4xi32, {b}>"
    assert evaluate(f"%x: tensor<4xi32, {a}>", text, [4, 3, 2, 1]).tolist() == [
        4,
        3,
        2,
        1,
    ]
