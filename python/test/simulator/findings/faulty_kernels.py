# SPDX-License-Identifier: MIT
"""Kernels that are at fault, one way each."""

import triton
import triton.language as tl

import tlx

TILE = tl.constexpr(256)


@triton.jit
def missing_arrive(x, y, GIVES: tl.constexpr):
    """The task that should hand over stores only, unless it GIVES."""
    buffer = tlx.local_alloc((TILE,), tl.float32, 1)
    full = tlx.alloc_barriers(1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.barrier_wait(full[0], 0)
            tl.store(y + tl.arange(0, TILE), tlx.local_load(buffer[0]))
        with tlx.async_task(num_warps=4):
            tlx.local_store(buffer[0], tl.load(x + tl.arange(0, TILE)))
            if GIVES:
                tlx.barrier_arrive(full[0])


@triton.jit
def arrive_for_another_slot(x, y):
    buffer = tlx.local_alloc((TILE,), tl.float32, 1)
    full = tlx.alloc_barriers(2, arrive_count=2)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.barrier_wait(full[0], 0)
            tl.store(y + tl.arange(0, TILE), tlx.local_load(buffer[0]))
        with tlx.async_task(num_warps=4):
            tlx.local_store(buffer[0], tl.load(x + tl.arange(0, TILE)))
            tlx.barrier_arrive(full[0])
            tlx.barrier_arrive(full[1])


@triton.jit
def bytes_of_tma(x_desc, y, EXPECTED: tl.constexpr, ARRIVES: tl.constexpr):
    """A copy of 1024 bytes by TMA."""
    buffer = tlx.local_alloc((TILE,), tl.float32, 1)
    full = tlx.alloc_barriers(1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.barrier_wait(full[0], 0)
            tl.store(y + tl.arange(0, TILE), tlx.local_load(buffer[0]))
        with tlx.async_task(num_warps=1):
            if ARRIVES:
                tlx.barrier_expect_bytes(full[0], EXPECTED)
            tlx.async_descriptor_load(x_desc, buffer[0], [0], full[0])


@triton.jit
def bytes_of_bulk(x, y, EXPECTED: tl.constexpr, ARRIVES: tl.constexpr):
    """A bulk copy of 1024 bytes."""
    buffer = tlx.local_alloc((TILE,), tl.float32, 1)
    full = tlx.alloc_barriers(1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.barrier_wait(full[0], 0)
            tl.store(y + tl.arange(0, TILE), tlx.local_load(buffer[0]))
        with tlx.async_task(num_warps=1):
            if ARRIVES:
                tlx.barrier_expect_bytes(full[0], EXPECTED)
            tlx.async_load(x, buffer[0], bulk=True, barrier=full[0])


@triton.jit
def wrong_parity(x, y):
    """Both wait first for the parity that only a full slot has."""
    ring = tlx.local_alloc((TILE,), tl.float32, 2)
    full = tlx.alloc_barriers(2)
    empty = tlx.alloc_barriers(2)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            for i in range(4):
                tlx.barrier_wait(full[i % 2], (i // 2) & 1)
                tl.store(y + i * TILE + tl.arange(0, TILE), tlx.local_load(ring[i % 2]))
                tlx.barrier_arrive(empty[i % 2])
        with tlx.async_task(num_warps=4):
            for i in range(4):
                tlx.barrier_wait(empty[i % 2], (i // 2) & 1)
                tlx.local_store(ring[i % 2], tl.load(x + tl.arange(0, TILE)))
                tlx.barrier_arrive(full[i % 2])


@triton.jit
def missing_warps(x, y):
    """Eight warps are to arrive, and the task has four."""
    buffer = tlx.local_alloc((TILE,), tl.float32, 1)
    full = tlx.alloc_warp_barrier(1, num_warps=8)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.barrier_wait(full[0], 0)
            tl.store(y + tl.arange(0, TILE), tlx.local_load(buffer[0]))
        with tlx.async_task(num_warps=4):
            tlx.local_store(buffer[0], tl.load(x + tl.arange(0, TILE)))
            tlx.barrier_arrive(full[0])


@triton.jit
def named_barrier(x, y, here, there, number):
    """The tasks say how many threads meet at barrier 9, or at another number."""
    buffer = tlx.local_alloc((TILE,), tl.float32, 1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.named_barrier_wait(9, here)
            tl.store(y + tl.arange(0, TILE), tlx.local_load(buffer[0]))
        with tlx.async_task(num_warps=4):
            tlx.local_store(buffer[0], tl.load(x + tl.arange(0, TILE)))
            tlx.named_barrier_arrive(number, there)


@triton.jit
def signal(barriers, slot):
    tlx.barrier_arrive(barriers[slot])


@triton.jit
def arrive_in_a_helper(x, y):
    """Each of two copies of a task arrives once, and three arrivals are needed."""
    buffer = tlx.local_alloc((TILE,), tl.float32, 2)
    full = tlx.alloc_barriers(1, arrive_count=3)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.barrier_wait(full[0], 0)
            tl.store(y + tl.arange(0, TILE), tlx.local_load(buffer[0]))
        with tlx.async_task(num_warps=4, replicate=2):
            mine: tl.constexpr = tlx.async_task_replica_id()
            tlx.local_store(buffer[mine], tl.load(x + tl.arange(0, TILE)))
            signal(full, 0)


@triton.jit
def missing_wait(x, y):
    """The slot is filled again before it has been read."""
    buffer = tlx.local_alloc((TILE,), tl.float32, 1)
    full = tlx.alloc_barriers(1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            for i in range(2):
                tlx.barrier_wait(full[0], i)
                tl.store(y + i * TILE + tl.arange(0, TILE), tlx.local_load(buffer[0]))
        with tlx.async_task(num_warps=1):
            for _ in range(2):
                tlx.barrier_expect_bytes(full[0], 1024)
                tlx.async_load(x, buffer[0], bulk=True, barrier=full[0])


@triton.jit
def second_arrival(x, y):
    """The named barrier is given twice, and nothing says that it was taken."""
    buffer = tlx.local_alloc((TILE,), tl.float32, 2)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            for i in tl.static_range(2):
                tlx.named_barrier_wait(9, 256)
                tl.store(y + i * TILE + tl.arange(0, TILE), tlx.local_load(buffer[i]))
        with tlx.async_task(num_warps=4):
            for i in tl.static_range(2):
                tlx.local_store(buffer[i], tl.load(x + tl.arange(0, TILE)))
                tlx.named_barrier_arrive(9, 256)


@triton.jit
def missing_fence(x, y):
    """A bulk store may not see what the other task has stored."""
    buffer = tlx.local_alloc((TILE,), tl.float32, 1)
    full = tlx.alloc_barriers(1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.barrier_wait(full[0], 0)
            tlx.async_store(y, buffer[0], 1024)
            tlx.async_descriptor_store_wait(0)
        with tlx.async_task(num_warps=4):
            tlx.local_store(buffer[0], tl.load(x + tl.arange(0, TILE)))
            tlx.barrier_arrive(full[0])
