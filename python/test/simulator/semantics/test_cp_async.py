# SPDX-License-Identifier: MIT
"""`cp.async`: masks, groups and waits, at both levels."""

import numpy as np
import pytest
from running import buffer, ring, run

from tlx.simulator.findings.barriers import BarrierOverrun
from tlx.simulator.findings.memory import OutOfRange, RaceError
from tlx.simulator.machine.issued import due

CELL = "32xf32"
TYPE = buffer(CELL)
START = """
%at = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
%s = tt.splat %src : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
%p = tt.addptr %s, %at : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
%o = tt.splat %out : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
%q = tt.addptr %o, %at : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
%n = tt.splat %num : i32 -> tensor<32xi32>
%m = arith.cmpi slt, %at, %n : tensor<32xi32>
%seven = arith.constant dense<7.0> : tensor<32xf32>
"""
PARAMS = "%src: !tt.ptr<f32>, %out: !tt.ptr<f32>, %num: i32"
COPY = f"%t{{0}} = tlx.async_load %p, %x{{0}} : tensor<32x!tt.ptr<f32>> -> {TYPE}\n"
COMMIT = "%g{0} = tlx.async_load_commit_group tokens %t{0}\n"
GROUP_WAIT = "%w{0} = tlx.async_load_wait_group {0}\n"
USE = f"""
%v{{0}} = tlx.local_load %x{{0}} : {TYPE} -> tensor<{CELL}>
tt.store %q, %v{{0}} : tensor<32x!tt.ptr<f32>>
"""


def copies(*events, num=32, size=32, schedule="lazy_engines"):
    """Runs copies (c), commits (g), waits (w) and reads (r) of buffers by number."""
    text = {"c": COPY, "g": COMMIT, "w": GROUP_WAIT, "r": USE}
    body = ring("x", CELL, 3) + START
    body += "".join(text[event[0]].format(event[1]) for event in events)
    src = np.arange(1, size + 1, dtype=np.float32)
    out = np.full(32, -1, np.float32)
    run(PARAMS, body, src, out, num, schedule=schedule)
    return out


@pytest.mark.parametrize("schedule", ["lazy_engines", "eager_engines", "random"])
def test_copy_commit_wait_read(schedule):
    got = copies("c0", "g0", "w0", "r0", schedule=schedule)
    np.testing.assert_array_equal(got, np.arange(1, 33))


@pytest.mark.parametrize("schedule", ["lazy_engines", "eager_engines"])
def test_read_without_a_wait(schedule):
    with pytest.raises(RaceError, match="asynchronous write") as caught:
        copies("c0", "g0", "r0", "w0", schedule=schedule)
    assert "nobody has waited" in caught.value.notes[1][0]


def test_wait_without_a_commit_waits_for_nothing():
    with pytest.raises(RaceError):
        copies("c0", "w0", "r0")


def test_wait_leaves_the_newest_groups():
    copies("c0", "g0", "c1", "g1", "w1", "r0", "w0")
    with pytest.raises(RaceError):
        copies("c0", "g0", "c1", "g1", "w1", "r1", "w0")


@pytest.mark.parametrize("pendings", [3, 4, 5])
def test_wait_for_more_groups_than_there_are(pendings):
    groups = ("c0", "g0", "c1", "g1", "c2", "g2")
    copies(*groups, "w2", "r0", "w0")
    with pytest.raises(RaceError):
        copies(*groups, f"w{pendings}", "r0", "w0")


def test_what_a_wait_waits_for():
    assert [list(due([1, 2, 3], n)) for n in range(5)] == [
        [1, 2, 3],
        [1, 2],
        [1],
        [],
        [],
    ]


def test_group_holds_all_copies_since_the_last_commit():
    copies("c0", "c1", "g1", "c2", "g2", "w1", "r0", "r1", "w0")


def test_empty_groups_count():
    empty = "%e = tlx.async_load_commit_group\n"
    body = ring("x", CELL, 3) + START + COPY.format(0) + COMMIT.format(0)
    src, out = np.ones(32, np.float32), np.zeros(32, np.float32)
    run(PARAMS, body + empty + GROUP_WAIT.format(1) + USE.format(0), src, out, 32)
    assert (out == 1).all()


def test_copies_may_be_left_at_the_end():
    """A warp that exits is held until they are over; reading them is another matter."""
    for events in (("c0",), ("c0", "g0"), ("c0", "g0", "c1", "g1", "w1")):
        copies(*events)
        with pytest.raises(RaceError):
            copies(*events, "r1" if "c1" in events else "r0")


MASKED = f"""
%t0 = tlx.async_load %p, %x0 mask %m : tensor<32xi1> {{}}
  : tensor<32x!tt.ptr<f32>> -> {TYPE}
"""


@pytest.mark.parametrize("num", [0, 1, 17, 32])
@pytest.mark.parametrize("other", [0, 7])
def test_masks(num, other):
    clause = "other %seven : tensor<32xf32>" if other else ""
    body = ring("x", CELL) + START + MASKED.format(clause)
    body += COMMIT.format(0) + GROUP_WAIT.format(0) + USE.format(0)
    src, out = np.arange(1, 33, dtype=np.float32)[: max(num, 1)], np.zeros(32, "f4")
    run(PARAMS, body, src, out, num)
    expected = np.full(32, other, np.float32)
    expected[:num] = np.arange(1, num + 1)
    np.testing.assert_array_equal(out, expected)


def test_pointers_beyond_the_array():
    with pytest.raises(OutOfRange, match="points to byte 64 of 'src', which has 64"):
        copies("c0", "g0", "w0", size=16)


TTGIR = """
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32],
                         warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
"""


MEMDESC = "!ttg.memdesc<32xf32, #shared, #smem, mutable>"
BAR = "!ttg.memdesc<1xi64, #shared, #smem, mutable>"
MANY = "tensor<32x!tt.ptr<f32>, #blocked>"


def with_layouts(text):
    """Gives tensors a layout."""
    for element in ("i32", "i1", "f32", "!tt.ptr<f32>"):
        text = text.replace(f"x{element}>", f"x{element}, #blocked>")
    return text


def test_ttgir():
    body = with_layouts(START)
    body += f"""
    %x = ttg.local_alloc : () -> {MEMDESC}
    %t = ttg.async_copy_global_to_local %p, %x mask %m other %seven
      : {MANY} -> <32xf32, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %t
    %w = ttg.async_wait %g {{num = 0 : i32}}
    %v = ttg.local_load %x token %w : {MEMDESC} -> tensor<32xf32, #blocked>
    tt.store %q, %v : {MANY}
    """
    src, out = np.arange(1, 33, dtype=np.float32), np.zeros(32, np.float32)
    run(PARAMS, body, src, out, 20, head=TTGIR)
    np.testing.assert_array_equal(out, [*range(1, 21), *[7] * 12])


def test_mbarrier_that_copies_arrive_on():
    body = with_layouts(START)
    body += f"""
    %x = ttg.local_alloc : () -> {MEMDESC}
    %b = ttg.local_alloc : () -> {BAR}
    ttng.init_barrier %b, 128 : {BAR}
    %zero = arith.constant 0 : i32
    %t = ttg.async_copy_global_to_local %p, %x
      : {MANY} -> <32xf32, #shared, #smem, mutable>
    ttng.async_copy_mbarrier_arrive %b {{noIncrement}} : {BAR}
    WAIT
    %v = ttg.local_load %x : {MEMDESC} -> tensor<32xf32, #blocked>
    tt.store %q, %v : {MANY}
    """
    wait = f"ttng.wait_barrier %b, %zero : {BAR}"
    src, out = np.arange(1, 33, dtype=np.float32), np.zeros(32, np.float32)
    for schedule in ("lazy_engines", "eager_engines", "random"):
        out[:] = 0
        good = body.replace("WAIT", wait)
        run(PARAMS, good, src, out, 20, head=TTGIR, schedule=schedule)
        np.testing.assert_array_equal(out, src)
    with pytest.raises(RaceError):
        run(PARAMS, body.replace("WAIT", ""), src, out, 20, head=TTGIR)


@pytest.mark.parametrize("schedule", ["lazy_engines", "eager_engines"])
def test_more_arrivals_of_copies_than_are_pending(schedule):
    body = with_layouts(START)
    body += f"""
    %x = ttg.local_alloc : () -> {MEMDESC}
    %b = ttg.local_alloc : () -> {BAR}
    ttng.init_barrier %b, 160 : {BAR}
    %t = ttg.async_copy_global_to_local %p, %x
      : {MANY} -> <32xf32, #shared, #smem, mutable>
    ttng.async_copy_mbarrier_arrive %b {{noIncrement}} : {BAR}
    ttng.arrive_barrier %b, 64 : {BAR}
    """
    src, out = np.arange(1, 33, dtype=np.float32), np.zeros(32, np.float32)
    with pytest.raises(BarrierOverrun, match="and phase 0 waits for"):
        run(PARAMS, body, src, out, 20, head=TTGIR, schedule=schedule)
