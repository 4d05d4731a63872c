# SPDX-License-Identifier: MIT
"""TMA and bulk copies between shared and global memory."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from running import Boxes, barriers, buffer, expect, ring, run, wait

from tlx.simulator.findings.deadlock import Deadlock
from tlx.simulator.findings.memory import Misaligned, OutOfRange, RaceError

PLACES = ["%i", "%j", "%k", "%l", "%m"]


def copy(source, target, box, load_at, store_at, nan_fill=False, reduce=""):
    """Loads a box from one array and stores it to another one."""
    shape = "x".join(map(str, box)) + "xf32"
    desc = f"!tt.tensordesc<{shape}>"
    rank = len(box)
    ins, outs = PLACES[:rank], [f"{p}2" for p in PLACES[:rank]]
    size = 4 * int(np.prod(box))
    body = barriers("b") + ring("x", shape) + expect("%b0", size)
    body += f"""
    %zero = arith.constant 0 : i32
    tlx.async_descriptor_load %src[{", ".join(ins)}], %x0, %b0
      : {desc}, {buffer(shape)}, !tlx.barrier<count = 1>
    {wait("%b0", "%zero")}
    tlx.async_descriptor_store %dst[{", ".join(outs)}], %x0 {reduce}
      : {desc}, {buffer(shape)}
    tlx.async_descriptor_store_wait 0
    """
    params = f"%src: {desc}, %dst: {desc}"
    params += "".join(f", {p}: i32" for p in ins + outs)
    run(
        params,
        body,
        Boxes(source, *box, nan_fill=nan_fill),
        Boxes(target, *box),
        *load_at,
        *store_at,
    )


def places(start, extents, shape):
    """Returns the places of a box in a tensor, and those of them in the box."""
    outer, inner = [], []
    for first, extent, size in zip(start, extents, shape, strict=True):
        inside = [p for p in range(first, first + extent) if 0 <= p < size]
        outer.append(inside)
        inner.append([p - first for p in inside])
    return np.ix_(*map(to_index, outer)), np.ix_(*map(to_index, inner))


def to_index(numbers):
    return np.array(numbers, np.int64)


def window(array, start, extents, fill):
    """Returns a box of an array; what lies outside is `fill`."""
    outer, inner = places(start, extents, array.shape)
    box = np.full(extents, fill, array.dtype)
    box[inner] = array[outer]
    return box


@settings(deadline=None, max_examples=60)
@given(rank=st.integers(1, 5), data=st.data())
def test_boxes_of_any_rank_with_all_sides_outside(rank, data):
    extents = st.lists(st.integers(1, 7), min_size=rank, max_size=rank)
    shape = data.draw(extents)
    outer = st.lists(st.sampled_from([1, 2]), min_size=rank - 1, max_size=rank - 1)
    box = [*data.draw(outer), data.draw(st.sampled_from([4, 8]))]
    corners = st.lists(st.integers(-6, 9), min_size=rank, max_size=rank)
    load_at, store_at = data.draw(corners), data.draw(corners)
    source = np.arange(1, np.prod(shape) + 1, dtype=np.float32).reshape(shape)
    target = np.full(shape, -1, np.float32)
    copy(source, target, box, load_at, store_at)
    tile = window(source, load_at, box, 0)
    expected = np.full(shape, -1, np.float32)
    outer, inner = places(store_at, box, shape)
    expected[outer] = tile[inner]
    np.testing.assert_array_equal(target, expected)


@pytest.mark.parametrize("nan_fill", [False, True])
def test_fill(nan_fill):
    source = np.ones((4, 4), np.float32)
    target = np.full((8, 8), -1, np.float32)
    copy(source, target, (8, 8), (-2, 1), (0, 0), nan_fill)
    fill = np.nan if nan_fill else 0
    np.testing.assert_array_equal(target, window(source, (-2, 1), (8, 8), fill))


def test_strides_may_leave_gaps():
    wide = np.zeros((6, 16), np.float32)
    source = np.arange(16, dtype=np.float32).reshape(4, 4)
    copy(source, wide[1:5, 4:8], (4, 4), (0, 0), (0, 0))
    expected = np.zeros((6, 16), np.float32)
    expected[1:5, 4:8] = source
    np.testing.assert_array_equal(wide, expected)


@pytest.mark.parametrize(
    ("kind", "combine"),
    [("add", np.add), ("min", np.minimum), ("max", np.maximum)],
)
def test_reductions(kind, combine):
    source = np.array([[1, -2, 3, -4]] * 4, np.float32)
    target = np.array([[-1, 2, 2, 5]] * 4, np.float32)
    expected = combine(target, source)
    copy(source, target, (4, 4), (0, 0), (0, 0), reduce=f"{{reduce = {KINDS[kind]}}}")
    np.testing.assert_array_equal(target, expected)


KINDS = {"add": "1 : i32", "min": "2 : i32", "max": "3 : i32"}


def test_read_only_target():
    target = np.zeros((4, 4), np.float32)
    target.flags.writeable = False
    with pytest.raises(OutOfRange, match="writes to 'dst', which is read-only"):
        copy(np.ones((4, 4), np.float32), target, (4, 4), (0, 0), (0, 0))
    copy(target, np.ones((4, 4), np.float32), (4, 4), (0, 0), (0, 0))


def test_read_only_target_that_is_missed():
    target = np.zeros((4, 4), np.float32)
    target.flags.writeable = False
    copy(np.ones((4, 4), np.float32), target, (4, 4), (0, 0), (8, 8))


STORES = """
%one = arith.constant dense<1.0> : tensor<32xf32>
%zero = arith.constant 0 : i32
"""
SEND = "tlx.async_descriptor_store %d[%zero], %x{} : !tt.tensordesc<32xf32>, {}\n"


def test_wait_for_all_but_the_newest():
    def body(pendings, again):
        text = ring("x", "32xf32", 2) + STORES
        for i in range(2):
            text += f"tlx.local_store %one, %x{i} : tensor<32xf32> -> {cell}\n"
            text += SEND.replace("%zero", f"%at{i}").format(i, cell)
        text = text.replace(STORES, STORES + AT)
        text += f"tlx.async_descriptor_store_wait {pendings}\n"
        text += f"tlx.local_store %one, %x{again} : tensor<32xf32> -> {cell}\n"
        return text + "tlx.async_descriptor_store_wait 0\n"

    cell = buffer("32xf32")
    out = np.zeros(64, np.float32)
    for pendings, again in ((1, 0), (0, 0), (0, 1)):
        run("%d: !tt.tensordesc<32xf32>", body(pendings, again), Boxes(out, 32))
        assert (out == 1).all()
    with pytest.raises(RaceError):
        run("%d: !tt.tensordesc<32xf32>", body(1, 1), Boxes(out, 32))


AT = "%at0 = arith.constant 0 : i32\n%at1 = arith.constant 32 : i32\n"


BULK = """
tlx.async_bulk_load %src, %x0, %size, %b0
  : !tt.ptr<f32>, !tlx.buffer<32xf32, smem>, !tlx.barrier<count = 1>
"""
BULK_PARAMS = "%src: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %size: i32, %zero: i32"


def bulk(size, source=None, target=None, expected=None, offset=0):
    """Copies bytes to shared memory and back."""
    source = np.arange(64, dtype=np.float32) if source is None else source
    target = np.full(64, -1, np.float32) if target is None else target
    body = barriers("b") + ring("x", "32xf32")
    body += f"""
    %o = arith.constant {offset} : i32
    %p = tt.addptr %src, %o : !tt.ptr<f32>, i32
    {expect("%b0", size if expected is None else expected)}
    {BULK.replace("%src", "%p")}
    {wait("%b0", "%zero")}
    tlx.async_bulk_store %x0, %dst, %size : !tlx.buffer<32xf32, smem>, !tt.ptr<f32>
    tlx.async_descriptor_store_wait 0
    """
    run(BULK_PARAMS, body, source, target, size, 0)
    return target


@pytest.mark.parametrize("size", [16, 48, 128])
def test_bulk_copies(size):
    got = bulk(size, offset=4)
    count = size // 4
    np.testing.assert_array_equal(got[:count], np.arange(4, 4 + count))
    assert (got[count:] == -1).all()


@pytest.mark.parametrize("size", [0, 8, 20, -16])
def test_bulk_sizes_are_multiples_of_16(size):
    with pytest.raises(Misaligned, match=f"multiple of 16 bytes, but got {size}"):
        bulk(size, expected=16)


def test_bulk_addresses_are_multiples_of_16():
    with pytest.raises(Misaligned, match="of 16 bytes, but got byte 4 of 'src'"):
        bulk(16, offset=1)


def test_bulk_copy_that_does_not_fit():
    with pytest.raises(OutOfRange, match="of 144 bytes does not fit 'buffer of line"):
        bulk(144)


def test_bulk_copy_beyond_the_array():
    with pytest.raises(OutOfRange, match="points to byte 64 of 'src', which has 64"):
        bulk(128, source=np.zeros(16, np.float32))


PREDICATE = """
tlx.barrier_expect_bytes %b0, 128 : !tlx.barrier<count = 1>
tlx.async_descriptor_load %d[%zero], %x0, %b0 pred %p
  : !tt.tensordesc<32xf32>, !tlx.buffer<32xf32, smem>, !tlx.barrier<count = 1>
"""


def test_predicate():
    body = barriers("b") + ring("x", "32xf32") + PREDICATE + wait("%b0", "%zero")
    params = "%d: !tt.tensordesc<32xf32>, %zero: i32, %p: i1"
    run(params, body, Boxes(np.zeros(32, np.float32), 32), 0, 1)
    with pytest.raises(Deadlock):
        run(params, body, Boxes(np.zeros(32, np.float32), 32), 0, 0)
