# SPDX-License-Identifier: MIT
"""Reductions, scans and maps with functions of the user."""

import numpy as np
import pytest
from evaluation import evaluate
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as stn

from tlx.errors import UnsupportedError
from tlx.simulator.code import regions

ADD = "arith.addi %x, %y : i32"
# The right operand: associative, but not commutative.
LAST = "arith.ori %y, %y : i32"


def fold(kind, shape, axis, body, x, element="i32", attributes=""):
    """Evaluates a reduction or scan of one operand with `%r = body`."""
    dims = list(shape)
    if kind == "reduce":
        del dims[axis]
    tensor = f"tensor<{'x'.join(map(str, shape))}x{element}>"
    result = f"tensor<{'x'.join(map(str, dims))}x{element}>" if dims else element
    text = f""""tt.{kind}"(%a) <{{axis = {axis} : i32{attributes}}}> ({{
    ^bb0(%x: {element}, %y: {element}):
      %r = {body}
      tt.{kind}.return %r : {element}
    }}) : ({tensor}) -> {result}"""
    return evaluate(f"%a: {tensor}", text, x)


def scan(shape, axis, body, x, reverse=False, element="i32"):
    attributes = f", reverse = {str(reverse).lower()}"
    return fold("scan", shape, axis, body, x, element, attributes)


SHAPES = stn.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=9)
ARRAYS = SHAPES.flatmap(
    lambda s: stn.arrays(np.int32, s, elements=st.integers(-100, 100))
)


@given(x=ARRAYS, data=st.data())
def test_reduce_sums(x, data):
    axis = data.draw(st.integers(0, x.ndim - 1))
    result = fold("reduce", x.shape, axis, ADD, x)
    np.testing.assert_array_equal(result, x.sum(axis=axis, dtype=np.int32))


@given(x=ARRAYS, data=st.data())
def test_reduce_keeps_the_order_of_the_axis(x, data):
    axis = data.draw(st.integers(0, x.ndim - 1))
    result = fold("reduce", x.shape, axis, LAST, x)
    np.testing.assert_array_equal(result, x.take(-1, axis=axis))


def test_reduce_combines_neighbours_first():
    # 2^24 + 1 is no f32: each pair (2^24, 1) loses the 1 where pairs are neighbours.
    x = [2.0**24, 1.0, 1.0, 1.0]
    total = fold("reduce", (4,), 0, "arith.addf %x, %y : f32", x, "f32")
    assert total == np.float32(2**24 + 2)
    total = fold("reduce", (4,), 0, "arith.addf %x, %y : f32", x[::-1], "f32")
    assert total == np.float32(2**24 + 2)


def test_argmax_of_two_operands():
    text = """"tt.reduce"(%v, %i) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: i32, %c: f32, %d: i32):
      %equal = arith.cmpf oeq, %a, %c : f32
      %first = arith.cmpi slt, %b, %d : i32
      %tie = arith.andi %equal, %first : i1
      %more = arith.cmpf ogt, %a, %c : f32
      %left = arith.ori %more, %tie : i1
      %value = arith.select %left, %a, %c : f32
      %place = arith.select %left, %b, %d : i32
      tt.reduce.return %value, %place : f32, i32
    }) : (tensor<2x4xf32>, tensor<2x4xi32>) -> (tensor<2xf32>, tensor<2xi32>)"""
    params = "%v: tensor<2x4xf32>, %i: tensor<2x4xi32>"
    values = [[1, 7, 3, 7], [-1, -2, -3, -0.5]]
    value, place = evaluate(params, text, values, [[0, 1, 2, 3]] * 2)
    assert value.tolist() == [7.0, -0.5]
    assert place.tolist() == [1, 3]


@given(x=ARRAYS, data=st.data(), reverse=st.booleans())
def test_scan_sums(x, data, reverse):
    axis = data.draw(st.integers(0, x.ndim - 1))
    flip = (lambda y: np.flip(y, axis)) if reverse else (lambda y: y)
    expected = flip(np.cumsum(flip(x), axis=axis, dtype=np.int32))
    result = scan(x.shape, axis, ADD, x, reverse)
    np.testing.assert_array_equal(result, expected)


def test_scan_gives_the_earlier_element_first():
    assert scan((5,), 0, LAST, [4, 5, 6, 7, 8]).tolist() == [4, 5, 6, 7, 8]
    result = scan((3,), 0, "arith.subi %x, %y : i32", [1, 2, 3], reverse=True)
    assert result[1:].tolist() == [1, 3]


def test_values_from_outside():
    text = """%c = arith.constant 5 : i32
    "tt.reduce"(%a) <{axis = 0 : i32}> ({
    ^bb0(%x: i32, %y: i32):
      %m = arith.maxsi %x, %y : i32
      %r = arith.maxsi %m, %c : i32
      tt.reduce.return %r : i32
    }) : (tensor<2x2xi32>) -> tensor<2xi32>"""
    result = evaluate("%a: tensor<2x2xi32>", text, [[1, 2], [3, 9]])
    assert result.tolist() == [5, 9]


def test_result_that_reads_no_element():
    result = fold("reduce", (2, 2), 0, "arith.constant 8 : i32", [[1, 2], [3, 4]])
    assert result.tolist() == [8, 8]


def test_function_with_a_branch():
    text = """%z = arith.constant 4 : i32
    "tt.reduce"(%a) <{axis = 1 : i32}> ({
    ^bb0(%x: i32, %y: i32):
      %big = arith.cmpi sgt, %x, %y : i32
      %r = scf.if %big -> (i32) {
        scf.yield %x : i32
      } else {
        %least = arith.maxsi %y, %z : i32
        scf.yield %least : i32
      }
      tt.reduce.return %r : i32
    }) : (tensor<2x3xi32>) -> tensor<2xi32>"""
    result = evaluate("%a: tensor<2x3xi32>", text, [[1, 5, 3], [-3, -2, -1]])
    assert result.tolist() == [5, 4]


def test_map_with_branches_and_packs():
    text = """"tt.map_elementwise"(%a, %b) <{pack = 2 : i32}> ({
    ^bb0(%a0: i32, %a1: i32, %b0: i32, %b1: i32):
      %less = arith.cmpi slt, %a0, %b0 : i32
      cf.cond_br %less, ^bb1(%a1 : i32), ^bb2
    ^bb1(%x: i32):
      tt.map_elementwise.return %x, %b1 : i32, i32
    ^bb2:
      cf.br ^bb1(%a0 : i32)
    }) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>"""
    params = "%a: tensor<4xi32>, %b: tensor<4xi32>"
    result = evaluate(params, text, [1, 2, 3, 4], [2, 6, 1, 8])
    assert result.tolist() == [2, 6, 3, 8]


def test_map_without_branches():
    text = """"tt.map_elementwise"(%a) <{pack = 2 : i32}> ({
    ^bb0(%a0: i32, %a1: i32):
      %s = arith.addi %a0, %a1 : i32
      tt.map_elementwise.return %s, %a0, %a1, %s : i32, i32, i32, i32
    }) : (tensor<2x2xi32>) -> (tensor<2x2xi32>, tensor<2x2xi32>)"""
    sums, rest = evaluate("%a: tensor<2x2xi32>", text, [[1, 2], [3, 4]])
    assert sums.tolist() == [[3, 1], [7, 3]]
    assert rest.tolist() == [[2, 3], [4, 7]]


def test_map_with_loops():
    text = """%z = arith.constant 0 : i32
    %o = arith.constant 1 : i32
    "tt.map_elementwise"(%a) <{pack = 1 : i32}> ({
    ^bb0(%n: i32):
      %sum = scf.for %i = %z to %n step %o iter_args(%s = %z) -> (i32) : i32 {
        %t = arith.addi %s, %i : i32
        scf.yield %t : i32
      }
      %half = scf.while (%v = %sum) : (i32) -> i32 {
        %more = arith.cmpi sgt, %v, %n : i32
        scf.condition(%more) %v : i32
      } do {
      ^bb0(%w: i32):
        %u = arith.shrsi %w, %o : i32
        scf.yield %u : i32
      }
      tt.map_elementwise.return %half : i32
    }) : (tensor<3xi32>) -> tensor<3xi32>"""
    # 0 + ... + (n - 1), halved until at most n.
    assert evaluate("%a: tensor<3xi32>", text, [0, 4, 9]).tolist() == [0, 3, 9]


@pytest.mark.parametrize("guard", ["", "scf.if %c { scf.yield }"])
def test_effects_are_rejected(guard):
    text = f""""tt.map_elementwise"(%a) <{{pack = 1 : i32}}> ({{
    ^bb0(%n: i32):
      %c = arith.cmpi eq, %n, %n : i32
      {guard}
      tt.assert %c, "no" : i1
      tt.map_elementwise.return %n : i32
    }}) : (tensor<2xi32>) -> tensor<2xi32>"""
    with pytest.raises(UnsupportedError, match=r"cannot run 'tt\.assert'"):
        evaluate("%a: tensor<2xi32>", text, [1, 2])


CALLED = """
tt.func private @larger(%x: i32, %y: i32) -> i32 {{
  {body}
  tt.return %r : i32
}}
"""
BRANCH = """%c = arith.cmpi sgt, %x, %y : i32
  %r = scf.if %c -> (i32) {
    scf.yield %x : i32
  } else {
    scf.yield %y : i32
  }"""


@pytest.mark.parametrize("body", ["%r = arith.maxsi %x, %y : i32", BRANCH])
def test_function_that_is_called(body):
    text = """"tt.reduce"(%a) <{axis = 1 : i32}> ({
    ^bb0(%x: i32, %y: i32):
      %r = tt.call @larger(%x, %y) : (i32, i32) -> i32
      tt.reduce.return %r : i32
    }) : (tensor<2x3xi32>) -> tensor<2xi32>"""
    called = CALLED.format(body=body)
    rows = [[1, 5, 3], [-3, -2, -1]]
    result = evaluate("%a: tensor<2x3xi32>", text, rows, functions=called)
    assert result.tolist() == [5, -1]


def test_block_that_nothing_reaches_costs_nothing(monkeypatch):
    """The front end ends functions in one; such a body still works on whole arrays."""
    body = """%r = arith.maxsi %x, %y : i32
  tt.return %r : i32
^bb1:
  %p = ub.poison : i32"""
    called = CALLED.format(body=body).replace(
        "tt.return %r : i32\n}", "tt.return %p : i32\n}"
    )
    monkeypatch.delattr(regions, "ScalarRegion")
    text = """"tt.reduce"(%a) <{axis = 0 : i32}> ({
    ^bb0(%x: i32, %y: i32):
      %r = tt.call @larger(%x, %y) : (i32, i32) -> i32
      tt.reduce.return %r : i32
    }) : (tensor<3xi32>) -> i32"""
    assert evaluate("%a: tensor<3xi32>", text, [1, 5, 3], functions=called) == 5
