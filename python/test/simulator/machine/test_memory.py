# SPDX-License-Identifier: MIT
"""Memory as bytes: views, what was written, vector clocks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tlx.simulator.machine.clock import Knowledge, join
from tlx.simulator.machine.global_memory import GlobalMemory
from tlx.simulator.machine.memory import Memory, View
from tlx.simulator.machine.races import Region

F32, I16 = np.dtype(np.float32), np.dtype(np.int16)


def view_of(shape, dtype=F32):
    size = int(np.prod(shape)) * dtype.itemsize
    view = View.whole(Memory("m", np.zeros(size, np.uint8)), shape, dtype)
    view.array()[...] = np.arange(np.prod(shape)).reshape(shape)
    return view


def test_select_slice_and_transpose():
    view = view_of((2, 4, 8))
    part = view.select(1).slice((2, 4), (2, 4)).transpose((1, 0))
    expected = np.arange(64).reshape(2, 4, 8)[1, 2:4, 4:8].T
    np.testing.assert_array_equal(part.array(), expected)
    assert part.nbytes == 32
    assert part.label == "m[1]"


def test_base_of_a_slice():
    """The base address leaves out where a slice begins; that of a slot does not."""
    slot = view_of((2, 4, 8)).select(1)
    assert slot.at_base() is slot
    part = slot.slice((2, 4), (2, 4)).slice((1, 0), (1, 4)).transpose((1, 0))
    assert (part.offset, part.at_base().offset) == (128 + 3 * 32 + 16, 128)
    assert part.at_base().shape == (4, 1)
    assert part.reinterpret((2,), F32).select(1).at_base().offset == part.offset + 4


@given(st.permutations([2, 3, 4, 5]), st.sampled_from([0, 1, 2]))
def test_reshape_merges_and_splits(shape, at):
    view = view_of(tuple(shape))
    merged = (*shape[:at], shape[at] * shape[at + 1], *shape[at + 2 :])
    array = np.arange(120, dtype=np.float32).reshape(shape)
    np.testing.assert_array_equal(view.reshape(merged).array(), array.reshape(merged))
    back = view.reshape(merged).reshape(tuple(shape))
    np.testing.assert_array_equal(back.array(), array)


def test_reshape_of_a_view_with_gaps():
    view = view_of((4, 8))
    assert view.slice((0, 0), (4, 4)).reshape((16,)) is None
    assert view.transpose((1, 0)).reshape((32,)) is None
    halves = view.slice((0, 4), (4, 4)).reshape((2, 2, 4))
    expected = np.arange(32).reshape(4, 8)[:, 4:].reshape(2, 2, 4)
    np.testing.assert_array_equal(halves.array(), expected)


def test_extents_of_one():
    view = view_of((1, 4, 1))
    np.testing.assert_array_equal(view.reshape((2, 1, 2)).array().ravel(), range(4))


def test_reinterpret():
    view = view_of((2, 4))
    words = view.reinterpret((4, 4), I16)
    np.testing.assert_array_equal(
        words.array(), view.array().view(np.int16).reshape(4, 4)
    )


def test_finer_tracking_keeps_what_was_written():
    memory = Memory("m", np.zeros(16, np.uint8), granule=4)
    whole = View.whole(memory, (4,), F32)
    Region.of_view(whole.slice((1,), (1,))).set(memory.written, True)
    Region.of_view(View.whole(memory, (8,), I16))
    assert memory.granule == 2
    np.testing.assert_array_equal(memory.written, [0] * 2 + [1] * 2 + [0] * 4)
    Region.of_view(View(memory, 1, (2,), (4,), I16))
    assert memory.granule == 1
    np.testing.assert_array_equal(memory.written, [0] * 4 + [1] * 4 + [0] * 8)


def test_first_byte_of_a_region():
    view = view_of((4, 8))
    region = Region.of_view(view.slice((1, 2), (2, 2)))
    chosen = np.zeros(region.get(region.memory.written).shape, bool)
    chosen[1, 1] = True
    assert region.first_byte(chosen) == (2 * 8 + 3) * 4


def test_places_and_views_name_the_same_bytes():
    view = view_of((4, 8))
    places = Region.of_offsets(view.memory, np.array([4, 40]), 4)
    places.set(view.memory.written, True)
    seen = Region.of_view(view).get(view.memory.written).reshape(4, 8, 4)
    assert np.argwhere(seen.all(-1)).tolist() == [[0, 1], [1, 2]]


def test_arrays_are_far_apart():
    memory = GlobalMemory()
    x, y = np.zeros(4, np.float32), np.zeros(4, np.float32)
    a, b = memory.map("x", x), memory.map("y", y)
    assert memory.find(a + 15)[0].name == "x"
    assert memory.find(a + 16) is None
    assert memory.find(a - 1) is None
    assert memory.find(b)[1] == 0
    assert memory.nearest(a + 20)[0].name == "x"
    assert memory.nearest(b - 4) == (memory.find(b)[0], -4)


def test_parts_of_an_array_share_its_addresses():
    memory = GlobalMemory()
    x = np.zeros((4, 4), np.float32)
    assert memory.map("x", x) + 32 == memory.map("part", x[2:])
    assert memory.find(memory.map("part", x[2:]))[0].name == "x"


@pytest.mark.parametrize("fenced", [False, True])
def test_knowledge(fenced):
    one, two = Knowledge({1: 3}), Knowledge({1: 1, 2: 5})
    if fenced:
        one.fence()
    two.learn(one)
    assert two.clock == {1: 3, 2: 5}
    assert two.fenced == ({1: 3} if fenced else {})
    assert one.clock == {1: 3}


@given(*[st.dictionaries(st.integers(0, 5), st.integers(0, 9))] * 3)
def test_join_is_the_least_upper_bound(a, b, c):
    ab, ba = dict(a), dict(b)
    join(ab, b)
    join(ba, a)
    assert ab == ba
    assert all(ab[k] == max(a.get(k, -1), b.get(k, -1)) for k in ab)
    left, right = dict(ab), dict(b)
    join(left, c)
    join(right, c)
    join(right, a)
    assert left == right
