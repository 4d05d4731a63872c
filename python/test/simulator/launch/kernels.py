# SPDX-License-Identifier: MIT
"""Kernels that the tests of launches share."""

import triton
import triton.language as tl

import tlx


@triton.jit
def add(a, b, c, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(a + i, mask=i < n) + tl.load(b + i, mask=i < n)
    tl.store(c + i, x, mask=i < n)


@triton.jit
def take(x, n):
    pass


@triton.jit
def double(x, y, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i) * 2)


@triton.jit
def hand_over(x, y, BLOCK: tl.constexpr, WAIT: tl.constexpr):
    """Y = x + 1 through shared memory, from one task to another; WAIT=False races."""
    buffer = tlx.local_alloc((BLOCK,), tlx.dtype_of(x), 1)
    full = tlx.alloc_barriers(1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            if WAIT:
                tlx.barrier_wait(full[0], 0)
            i = tl.arange(0, BLOCK)
            tl.store(y + i, tlx.local_load(buffer[0]))
        with tlx.async_task(num_warps=4):
            i = tl.arange(0, BLOCK)
            tlx.local_store(buffer[0], tl.load(x + i) + 1)
            tlx.barrier_arrive(full[0])


@triton.jit
def wait_forever(y):
    bar = tlx.alloc_barriers(1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.barrier_wait(bar[0], 0)
        with tlx.async_task(num_warps=1):
            tl.store(y, 1)


@triton.jit
def count(y, n):
    for _ in range(n):
        tl.atomic_add(y, 1)
