# SPDX-License-Identifier: MIT
"""Kernels whose timelines are tested."""

import triton
import triton.language as tl

import tlx


@triton.jit
def hand_over(x, y, BLOCK: tl.constexpr):
    """Y = exp(x) through shared memory, from one task to another."""
    buffer = tlx.local_alloc((BLOCK,), tlx.dtype_of(x), 1)
    full = tlx.alloc_barriers(1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.barrier_wait(full[0], 0)
            i = tl.arange(0, BLOCK)
            tl.store(y + i, tlx.local_load(buffer[0]))
        with tlx.async_task(num_warps=4):
            i = tl.arange(0, BLOCK)
            tlx.local_store(buffer[0], tl.exp(tl.load(x + i)))
            tlx.barrier_arrive(full[0])


@triton.jit
def wait_forever(y):
    never = tlx.alloc_barriers(1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.barrier_wait(never[0], 0)
        with tlx.async_task(num_warps=4):
            tl.store(y + tl.arange(0, 128), 1)


@triton.jit
def meet(y):
    """Two tasks meet at a named barrier; the second one comes late."""
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.named_barrier_wait(9, 256)
        with tlx.async_task(num_warps=4):
            tl.store(y + tl.arange(0, 4096), tl.zeros((4096,), tl.float32))
            tlx.named_barrier_wait(9, 256)
