# SPDX-License-Identifier: MIT
"""Kernels whose threads differ, at all levels."""

import numpy as np
import pytest
import triton
import triton.language as tl

import tlx
from tlx.errors import CompileError
from tlx.simulator.findings.divergence import DivergentValue

LEVELS = ("tlxir", "ttgir", "stock_ttgir")
ALL = 0xFFFFFFFF


def launched(kernel, level, *args, size=8, **options):
    """Returns what a kernel stores to an array, as unsigned numbers."""
    out = np.full(size, 77, np.int32)
    with tlx.simulate(level=level):
        kernel[(1,)](out, *args, **options)
    return out.view(np.uint32).tolist()


def ballot(threads):
    """Returns the lanes of threads of one warp."""
    return sum(1 << t % 32 for t in threads)


@triton.jit
def half_of_each_warp(out):
    thread = tlx.thread_id(0)
    tl.store(out, tlx.vote_ballot_sync(0xFFFFFFFF, thread % 32 < 16))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("num_warps", [1, 4])
def test_half_of_each_warp(level, num_warps):
    found = launched(half_of_each_warp, level, num_warps=num_warps)
    assert found[:2] == [0xFFFF, 77]


@triton.jit
def votes_of_tasks(out):
    with tlx.async_tasks():
        with tlx.async_task("default"):
            thread = tlx.thread_id(0)
            tl.store(out, tlx.vote_ballot_sync(0xFFFFFFFF, thread % 3 == 0))
        with tlx.async_task(num_warps=2):
            thread = tlx.thread_id(0)
            tl.store(out + 1, tlx.vote_ballot_sync(0xFFFFFFFF, thread % 3 == 0))
            tl.store(out + 2, thread)
        with tlx.async_task(num_warps=1):
            thread = tlx.thread_id(0)
            tl.store(out + 3, tlx.vote_ballot_sync(0xFFFFFFFF, thread % 3 == 0))
            tl.store(out + 4, thread)


@pytest.mark.parametrize("level", LEVELS)
def test_votes_of_tasks(level):
    thirds = [ballot(t for t in range(n, n + 32) if t % 3 == 0) for n in (0, 128, 192)]
    assert launched(votes_of_tasks, level) == [
        thirds[0],
        thirds[1],
        128,
        thirds[2],
        192,
        77,
        77,
        77,
    ]


@triton.jit
def stores_by(out, first, last):
    thread = tlx.thread_id(0)
    if thread >= first and thread <= last:
        tl.store(out, thread + 100)
        tl.store(out + thread + 1, 5)
    else:
        tl.store(out, thread + 200)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [(0, 0, [100, 5, 77]), (0, 5, [100, 5, 77]), (5, 5, [200, 77, 77])],
)
def test_the_first_thread_stores(level, first, last, expected):
    assert launched(stores_by, level, first, last)[:3] == expected


@triton.jit
def loops(out, x):
    """Each thread adds up as many numbers as it has in its own place."""
    thread = tlx.thread_id(0)
    total = 0
    for i in range(tl.load(x + thread)):
        total += tl.load(x + i)
    while total > 100:
        total -= 100
    tl.store(out, tlx.vote_ballot_sync(0xFFFFFFFF, total % 2 == 1))
    tl.store(out + 1, tlx.vote_ballot_sync(0xFFFFFFFF, total > 50))


@pytest.mark.parametrize("level", LEVELS)
def test_loops(level):
    x = np.random.default_rng(3).integers(0, 32, 32, np.int32)
    totals = [int(x[: x[t]].sum()) for t in range(32)]
    totals = [n - 100 * ((n - 1) // 100) if n > 100 else n for n in totals]
    assert launched(loops, level, x, num_warps=1)[:2] == [
        ballot(t for t in range(32) if totals[t] % 2 == 1),
        ballot(t for t in range(32) if totals[t] > 50),
    ]


@triton.jit
def classify(thread):
    if thread < 4:
        return thread
    if thread < 8:
        return thread * 2
    return thread - 8


@triton.jit
def calls(out):
    made = classify(tlx.thread_id(0))
    for bit in tl.static_range(5):
        tl.store(out + bit, tlx.vote_ballot_sync(0xFFFFFFFF, (made >> bit) & 1 == 1))


@pytest.mark.parametrize("level", LEVELS)
def test_calls(level):
    made = [t if t < 4 else 2 * t if t < 8 else t - 8 for t in range(32)]
    expected = [ballot(t for t in range(32) if made[t] >> b & 1) for b in range(5)]
    assert launched(calls, level, num_warps=1)[:5] == expected


@triton.jit
def leaves_early(out):
    thread = tlx.thread_id(0)
    tl.store(out, 1)
    if thread % 2 == 1:
        return
    tl.store(out + 1, tlx.vote_ballot_sync(0x55555555, thread < 9))


@pytest.mark.parametrize("level", LEVELS)
def test_threads_that_leave_early(level):
    assert launched(leaves_early, level)[:2] == [1, 0b101010101]


@triton.jit
def warps_meet(out):
    """Each warp hands over to the next one."""
    warp = tlx.thread_id(0) // 32
    if warp > 0:
        tlx.named_barrier_wait(8 + warp, 64)
    if warp < 3:
        tlx.named_barrier_arrive(9 + warp, 64)
    if warp == 0:
        tl.store(out, 1)


@pytest.mark.parametrize("level", LEVELS)
def test_warps_meet(level):
    assert launched(warps_meet, level)[0] == 1


@triton.jit
def arrives_alone(out):
    bar = tlx.alloc_barriers(1)
    if tlx.thread_id(0) == 0:
        tlx.barrier_arrive(bar)  # alone
    tlx.barrier_wait(bar, 0)


@pytest.mark.parametrize("level", LEVELS)
def test_a_thread_does_not_arrive_alone(level):
    with pytest.raises(CompileError) as caught:
        launched(arrives_alone, level)
    assert caught.value.message == (
        "'tlx.barrier_arrive' op expects all threads of its task to reach it, but it "
        "is under a condition that differs by thread"
    )
    assert "# alone" in str(caught.value)
    assert "if tlx.thread_id(0) == 0:" in str(caught.value)


@triton.jit
def thread_tile(out):
    tl.store(out + tl.arange(0, 8), tlx.thread_id(0) + tl.arange(0, 8))


@pytest.mark.parametrize("level", LEVELS)
def test_tiles_are_not_made_of_threads(level):
    with pytest.raises(DivergentValue, match="expects what becomes a tensor"):
        launched(thread_tile, level)


@triton.jit
def bulk(out, x, SIZE: tl.constexpr):
    """One thread of the task issues the copies, chosen in the code we lower to."""
    tile = tlx.local_alloc((SIZE,), tl.int32, 1)[0]
    bar = tlx.alloc_barriers(1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.barrier_wait(bar, 0)
            tlx.async_store(out, tile, SIZE * 4)
            tlx.async_descriptor_store_wait(0)
        with tlx.async_task(num_warps=2):
            tlx.barrier_expect_bytes(bar, SIZE * 4)
            tlx.async_load(x, tile, bulk=True, barrier=bar)


@pytest.mark.parametrize("level", LEVELS)
def test_copies_that_one_thread_issues(level):
    x = np.arange(8, dtype=np.int32)
    assert launched(bulk, level, x, SIZE=8) == list(range(8))


@triton.jit
def lane_id():
    return tl.inline_asm_elementwise(
        "mov.u32 $0, %laneid;", "=r", [], dtype=tl.int32, is_pure=True, pack=1
    )


@triton.jit
def lanes_vote(out):
    tl.store(out, tlx.vote_ballot_sync(0xFFFFFFFF, lane_id() % 4 == 1))


@triton.jit
def lanes_store(out):
    """Without a name of TLX."""
    lane = lane_id()
    if lane == 0:
        tl.store(out, lane + 5)
    if lane == 3:
        tl.store(out + 1, lane + 5)


@pytest.mark.parametrize("level", LEVELS)
def test_lanes_in_assembly(level):
    assert launched(lanes_vote, level)[0] == 0x22222222
    assert launched(lanes_store, level)[:2] == [5, 77]


@triton.jit
def thread_of_each_element(out, SIZE: tl.constexpr):
    offs = tl.arange(0, SIZE)
    tl.store(out + offs, tlx.thread_id(0) + offs * 0)


@triton.jit
def votes_over_a_tile(out, x, SIZE: tl.constexpr):
    offs = tl.arange(0, SIZE)
    ballots = tlx.vote_ballot_sync(0xFFFFFFFF, tl.load(x + offs) > 0)
    tl.store(out + offs, ballots)


def test_tiles_where_layouts_are_final():
    """A thread stores two neighbours at once."""
    found = launched(thread_of_each_element, "stock_ttgir", size=256, SIZE=256)
    assert found == [i // 2 for i in range(256)]


def test_votes_over_a_tile_where_layouts_are_final():
    x = np.random.default_rng(1).integers(-5, 5, 128, np.int32)
    found = launched(votes_over_a_tile, "stock_ttgir", x, size=128, SIZE=128)
    expected = [
        ballot(t for t in range(32 * warp, 32 * warp + 32) if x[t] > 0)
        for warp in range(4)
    ]
    assert found == [word for word in expected for _ in range(32)]
