# SPDX-License-Identifier: MIT
"""Buffers: views, aliases, loads and stores of the TLX dialect."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from running import buffer, ring, run

from tlx.simulator.findings.memory import OutOfRange, UninitialisedRead

POINTERS = """
%range{0} = tt.make_range {{end = {2} : i32, start = 0 : i32}} : tensor<{2}xi32>
%base{0} = tt.splat %{1} : !tt.ptr<{4}> -> tensor<{2}x!tt.ptr<{4}>>
%flat{0} = tt.addptr %base{0}, %range{0} : tensor<{2}x!tt.ptr<{4}>>, tensor<{2}xi32>
%p{0} = tt.reshape %flat{0} : tensor<{2}x!tt.ptr<{4}>> -> tensor<{3}x!tt.ptr<{4}>>
"""


def pointers(number, name, shape, element):
    """Returns pointers `%p<number>` to all elements of an array."""
    extents = "x".join(map(str, shape))
    return POINTERS.format(number, name, int(np.prod(shape)), extents, element)


def through(view, source, result_shape, dtype=np.float32, names=("f32", "f32")):
    """Stores an array to a buffer, takes a view and returns what is read from it.

    Args:
        view: Operations that make `%y` of `%x0`.
        source: The array.
        result_shape: Shape of `%y`.
        dtype: Element type of the result.
        names: MLIR's names of both element types.
    """
    shape = "x".join(map(str, source.shape))
    out_shape = "x".join(map(str, result_shape))
    out = np.zeros(result_shape, dtype)
    body = (
        ring("x", f"{shape}x{names[0]}")
        + pointers(0, "src", source.shape, names[0])
        + pointers(1, "out", result_shape, names[1])
        + f"""
        %v = tt.load %p0 : tensor<{shape}x!tt.ptr<{names[0]}>>
        tlx.local_store %v, %x0
          : tensor<{shape}x{names[0]}> -> {buffer(f"{shape}x{names[0]}")}
        {view}
        %w = tlx.local_load %y
          : {buffer(f"{out_shape}x{names[1]}")} -> tensor<{out_shape}x{names[1]}>
        tt.store %p1, %w : tensor<{out_shape}x!tt.ptr<{names[1]}>>
        """
    )
    params = f"%src: !tt.ptr<{names[0]}>, %out: !tt.ptr<{names[1]}>"
    run(params, body, source, out)
    return out


def numbers(*shape):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def test_transpose():
    view = f"""%y = tlx.local_trans %x0 {{order = array<i32: 2, 0, 1>}}
      : {buffer("2x4x8xf32")} -> {buffer("8x2x4xf32")}"""
    x = numbers(2, 4, 8)
    np.testing.assert_array_equal(through(view, x, (8, 2, 4)), x.transpose(2, 0, 1))


def test_slice():
    view = f"""%y = tlx.local_slice %x0 {{offsets = array<i32: 4, 8>}}
      : {buffer("8x16xf32")} -> {buffer("4x8xf32")}"""
    x = numbers(8, 16)
    np.testing.assert_array_equal(through(view, x, (4, 8)), x[4:, 8:])


def test_slice_of_a_transpose():
    view = f"""%t = tlx.local_trans %x0 {{order = array<i32: 1, 0>}}
      : {buffer("8x16xf32")} -> {buffer("16x8xf32")}
    %y = tlx.local_slice %t {{offsets = array<i32: 8, 4>}}
      : {buffer("16x8xf32")} -> {buffer("8x4xf32")}"""
    x = numbers(8, 16)
    np.testing.assert_array_equal(through(view, x, (8, 4)), x.T[8:, 4:])


def test_reshape():
    view = f"""%y = tlx.local_reshape %x0
      : {buffer("8x16xf32")} -> {buffer("4x2x16xf32")}"""
    x = numbers(8, 16)
    np.testing.assert_array_equal(through(view, x, (4, 2, 16)), x.reshape(4, 2, 16))


def test_reinterpretation_takes_the_bytes():
    view = f"""%y = tlx.local_reinterpret %x0
      : {buffer("4x4xf32")} -> {buffer("4x8xi16")}"""
    x = numbers(4, 4)
    got = through(view, x, (4, 8), np.int16, ("f32", "i16"))
    np.testing.assert_array_equal(got, x.view(np.int16))


def test_views_share_bytes():
    x = numbers(8, 16)
    view = f"""
    %low = tlx.local_slice %x0 {{offsets = array<i32: 4, 0>}}
      : {buffer("8x16xf32")} -> {buffer("4x16xf32")}
    %z = arith.constant dense<-1.0> : tensor<4x16xf32>
    tlx.local_store %z, %low : tensor<4x16xf32> -> {buffer("4x16xf32")}
    %y = tlx.local_slice %x0 {{offsets = array<i32: 0, 0>}}
      : {buffer("8x16xf32")} -> {buffer("8x16xf32")}"""
    expected = x.copy()
    expected[4:] = -1
    np.testing.assert_array_equal(through(view, x, (8, 16)), expected)


def test_buffers_of_a_ring_are_apart():
    out = np.zeros((3, 32), np.float32)
    body = ring("x", "32xf32", 3) + pointers(0, "out", (3, 32), "f32")
    for i in range(3):
        body += f"""
        %v{i} = arith.constant dense<{i}.0> : tensor<32xf32>
        tlx.local_store %v{i}, %x{i} : tensor<32xf32> -> {buffer("32xf32")}
        """
    for i in range(3):
        body += f"""
        %w{i} = tlx.local_load %x{i} : {buffer("32xf32")} -> tensor<32xf32>
        %o{i} = arith.constant {32 * i} : i32
        %q{i} = tt.addptr %out, %o{i} : !tt.ptr<f32>, i32
        %r{i} = tt.splat %q{i} : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
        %k{i} = tt.make_range {{end = 32 : i32, start = 0 : i32}} : tensor<32xi32>
        %s{i} = tt.addptr %r{i}, %k{i} : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
        tt.store %s{i}, %w{i} : tensor<32x!tt.ptr<f32>>
        """
    run("%out: !tt.ptr<f32>", body, out)
    np.testing.assert_array_equal(out, np.repeat([[0.0], [1.0], [2.0]], 32, 1))


SLOT = """
%x = tlx.local_alloc : !tlx.buffer<[2] 32xf32, smem>
%v = arith.constant dense<1.0> : tensor<32xf32>
%y = tlx.local_view %x[%i] : !tlx.buffer<[2] 32xf32, smem> -> !tlx.buffer<32xf32, smem>
tlx.local_store %v, %y : tensor<32xf32> -> !tlx.buffer<32xf32, smem>
"""


@pytest.mark.parametrize("slot", [0, 1])
def test_slots_in_range(slot):
    run("%i: i32", SLOT, slot)


@pytest.mark.parametrize("slot", [-1, 2, 5, -(2**31)])
def test_slots_out_of_range(slot):
    with pytest.raises(OutOfRange, match=rf"slot {slot} of 'buffer of line \d+', whi"):
        run("%i: i32", SLOT, slot)


def test_remainder_of_a_negative_number_is_negative():
    body = "%two = arith.constant 2 : i32\n%i = arith.remsi %k, %two : i32\n" + SLOT
    run("%k: i32", body, 3)
    with pytest.raises(OutOfRange, match="slot -1 of"):
        run("%k: i32", body, -3)


def test_barrier_slots_out_of_range():
    body = """
    %b = tlx.alloc_barriers : !tlx.barrier<[2], count = 1>
    %s = tlx.barrier_view %b[%i] : !tlx.barrier<[2], count = 1>
      -> !tlx.barrier<count = 1>
    """
    run("%i: i32", body, 1)
    with pytest.raises(OutOfRange, match="slot 7 of 'barrier of line 4', which has 2"):
        run("%i: i32", body, 7)


def test_part_that_was_not_written():
    half = buffer("4x16xf32")
    body = (
        ring("x", "8x16xf32")
        + f"""
    %top = tlx.local_slice %x0 {{offsets = array<i32: 0, 0>}}
      : {buffer("8x16xf32")} -> {half}
    %z = arith.constant dense<1.0> : tensor<4x16xf32>
    tlx.local_store %z, %top : tensor<4x16xf32> -> {half}
    """
    )
    read = "%v = tlx.local_load %{} : {} -> tensor<{}>\n"
    run("", body + read.format("top", half, "4x16xf32"))
    with pytest.raises(UninitialisedRead, match="from byte 256 on"):
        run("", body + read.format("x0", buffer("8x16xf32"), "8x16xf32"))


@settings(deadline=None, max_examples=25)
@given(
    rows=st.sampled_from([1, 2, 4, 8]),
    columns=st.sampled_from([4, 8, 32]),
    data=st.data(),
)
def test_any_slice(rows, columns, data):
    height = data.draw(st.sampled_from([h for h in (1, 2, 4, 8) if h <= rows]))
    width = data.draw(st.sampled_from([w for w in (4, 8, 32) if w <= columns]))
    top = data.draw(st.integers(0, rows // height - 1)) * height
    left = data.draw(st.integers(0, columns // width - 1)) * width
    whole, part = f"{rows}x{columns}xf32", f"{height}x{width}xf32"
    view = f"""%y = tlx.local_slice %x0 {{offsets = array<i32: {top}, {left}>}}
      : {buffer(whole)} -> {buffer(part)}"""
    x = numbers(rows, columns)
    got = through(view, x, (height, width))
    np.testing.assert_array_equal(got, x[top : top + height, left : left + width])


def test_entries_of_the_first_dimension():
    view = f"""
    %two = arith.constant 2 : i32
    %y = tlx.local_index %x0[%two] : {buffer("4x2x8xf32")} -> {buffer("2x8xf32")}"""
    x = numbers(4, 2, 8)
    np.testing.assert_array_equal(through(view, x, (2, 8)), x[2])
    four = view.replace("two = arith.constant 2 : i32", "h = arith.constant 2 : i32")
    four = four.replace("%y =", "%two = arith.addi %h, %h : i32\n%y =")
    with pytest.raises(OutOfRange, match="slot 4 of"):
        through(four, x, (2, 8))


ROWS = np.array([[3, 0], [3, 1]])
INDICES = "%i = arith.constant dense<[[3, 0], [3, 1]]> : tensor<2x2xi32>\n"


def test_gather():
    x = numbers(4, 2)
    out = np.zeros((2, 2), np.float32)
    body = ring("x", "4x2xf32") + pointers(0, "src", (4, 2), "f32")
    body += (
        pointers(1, "out", (2, 2), "f32")
        + INDICES
        + f"""
    %v = tt.load %p0 : tensor<4x2x!tt.ptr<f32>>
    tlx.local_store %v, %x0 : tensor<4x2xf32> -> {buffer("4x2xf32")}
    %w = tlx.local_gather %x0[%i] {{axis = 0 : i32}}
      : {buffer("4x2xf32")}, tensor<2x2xi32> -> tensor<2x2xf32>
    tt.store %p1, %w : tensor<2x2x!tt.ptr<f32>>
    """
    )
    run("%src: !tt.ptr<f32>, %out: !tt.ptr<f32>", body, x, out)
    np.testing.assert_array_equal(out, np.take_along_axis(x, ROWS, 0))


def test_scatter_of_a_slice():
    view = f"""
    %s = tlx.local_slice %x0 {{offsets = array<i32: 0, 2>}}
      : {buffer("4x4xf32")} -> {buffer("4x2xf32")}
    {INDICES}
    %z = arith.constant dense<[[-1.0, -2.0], [-3.0, -4.0]]> : tensor<2x2xf32>
    tlx.local_scatter %z, %s[%i] {{axis = 0 : i32}}
      : tensor<2x2xf32>, tensor<2x2xi32> -> {buffer("4x2xf32")}
    %y = tlx.local_reshape %x0 : {buffer("4x4xf32")} -> {buffer("4x4xf32")}"""
    x = numbers(4, 4)
    expected = x.copy()
    expected[[0, 1], 3] = [-2, -4]
    expected[3, 2] = -3
    np.testing.assert_array_equal(through(view, x, (4, 4)), expected)
    with pytest.raises(OutOfRange, match="index 9 of"):
        through(view.replace("[3, 1]", "[9, 1]"), x, (4, 4))
