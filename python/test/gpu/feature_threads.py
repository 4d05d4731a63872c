# SPDX-License-Identifier: MIT
"""Threads that differ: votes, branches, loops, and what a thread does for its task."""

import functools

import numpy as np
import triton
import triton.language as tl
from feature_cases import Case, poison

import tlx

__all__ = ["CASES"]

SIZE = 16


@triton.jit
def half_of_each_warp(out):
    thread = tlx.thread_id(0)
    tl.store(out, tlx.vote_ballot_sync(0xFFFFFFFF, thread % 32 < 16))
    with tlx.async_tasks():
        with tlx.async_task("default"):
            own = tlx.thread_id(0)
            tl.store(out + 1, tlx.vote_ballot_sync(0xFFFFFFFF, own % 3 == 0))
        with tlx.async_task(num_warps=2):
            own = tlx.thread_id(0)
            tl.store(out + 2, tlx.vote_ballot_sync(0xFFFFFFFF, own % 3 == 0))
            tl.store(out + 3, own)
        with tlx.async_task(num_warps=1):
            own = tlx.thread_id(0)
            tl.store(out + 4, tlx.vote_ballot_sync(0xFFFFFFFF, own % 3 == 0))
            tl.store(out + 5, own)


@triton.jit
def branches(out):
    """The first thread alone stores, if it comes."""
    thread = tlx.thread_id(0)
    if thread == 0:
        tl.store(out, thread + 5)
    if thread == 5:
        tl.store(out + 1, 5)
    if thread < 7:
        tl.store(out + thread + 2, tlx.vote_ballot_sync(0x7F, thread % 2 == 1))
    else:
        tl.store(out + 3, thread)
    if thread >= 64:
        tl.store(out + 4, tlx.vote_ballot_sync(0xFFFFFFFF, thread > 0))
    tl.atomic_add(out + 5 + thread, thread + 1, sem="relaxed")


@triton.jit
def loops(out):
    thread = tlx.thread_id(0)
    total = 0
    for i in range(thread):
        total += i
    rounds = 0
    while thread > 0:
        thread = thread // 2
        rounds += 1
    for bit in tl.static_range(9):
        tl.store(out + bit, tlx.vote_ballot_sync(0xFFFFFFFF, (total >> bit) & 1 == 1))
    tl.store(out + 9, tlx.vote_ballot_sync(0xFFFFFFFF, rounds == 3))


@triton.jit
def leaves_early(out):
    thread = tlx.thread_id(0)
    tl.store(out, 1)
    if thread % 2 == 1:
        return
    tl.store(out + 1, tlx.vote_ballot_sync(0x55555555, thread < 9))


@triton.jit
def warps_meet(out):
    """Each warp adds one to a number, then lets the next one do so."""
    warp = tlx.thread_id(0) // 32
    if warp > 0:
        tlx.named_barrier_wait(8 + warp, 64)
    if warp < 3:
        tlx.named_barrier_arrive(9 + warp, 64)
    tlx.named_barrier_wait(8, 128)
    tl.store(out, warp + 9)


@triton.jit
def threads_arrive(out):
    """Of each warp 8 threads arrive, in one task; the other waits for all."""
    bar = tlx.alloc_warp_barrier(1, 1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.barrier_wait(bar[0], 0)
            tl.store(out, 1)
        with tlx.async_task(num_warps=4):
            if tlx.thread_id(0) % 32 < 8:
                tlx.barrier_arrive(bar[0], 1)


@triton.jit
def lanes(out):
    lane = tl.inline_asm_elementwise(
        "mov.u32 $0, %laneid;", "=r", [], dtype=tl.int32, is_pure=True, pack=1
    )
    tl.store(out, tlx.vote_ballot_sync(0xFFFFFFFF, lane % 4 == 1))
    if lane == 3:
        tl.store(out + 1, lane)
    if lane == 0:
        tl.store(out + 2, lane + 1)


def ballot(flags):
    """Returns the lanes of a warp whose flags are set."""
    word = sum(1 << lane for lane, flag in enumerate(flags) if flag)
    return int(np.uint32(word).view(np.int32))


def thirds(first):
    return ballot(t % 3 == 0 for t in range(first, first + 32))


SUMS = [t * (t - 1) // 2 for t in range(32)]
EXPECTED = {
    half_of_each_warp: [0xFFFF, thirds(0), thirds(128), 128, thirds(192), 192],
    branches: [5, 77, 0b0101010, 77, 77, 78],
    loops: [
        *[ballot(s >> bit & 1 for s in SUMS) for bit in range(9)],
        ballot(4 <= t < 8 for t in range(32)),
    ],
    leaves_early: [1, 0b101010101],
    warps_meet: [9],
    threads_arrive: [1],
    lanes: [0x22222222, 77, 1],
}


def case(kernel):
    expected = EXPECTED[kernel]

    def launch(out):
        kernel[(1,)](out)
        return out

    def reference(out):
        full = np.full(SIZE, 77, np.int32)
        full[: len(expected)] = expected
        return full

    return Case(launch, reference, lambda seed: [poison((SIZE,), "int32")])


CASES = {
    f"threads_{kernel.__name__}": functools.partial(case, kernel) for kernel in EXPECTED
}
