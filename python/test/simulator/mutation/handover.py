# SPDX-License-Identifier: MIT
"""A tile that one task hands to another through two named barriers."""

import triton
import triton.language as tl
import triton.language.extra.tlx as tlx

FULL = tl.constexpr(8)
FREE = tl.constexpr(9)
THREADS = tl.constexpr(256)


@triton.jit
def handover(src, dst, tiles, TILE: tl.constexpr):
    """Dst = 2 * src; the default task loads, the other one stores."""
    buffer = tlx.local_alloc((TILE,), tl.float32, 1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            for tile in range(tiles):
                x = tl.load(src + tile * TILE + tl.arange(0, TILE))
                tlx.named_barrier_wait(FREE, THREADS)
                tlx.local_store(buffer[0], 2.0 * x)
                tlx.named_barrier_arrive(FULL, THREADS)
        with tlx.async_task(num_warps=4):
            tlx.named_barrier_arrive(FREE, THREADS)
            for tile in range(tiles):
                tlx.named_barrier_wait(FULL, THREADS)
                y = tlx.local_load(buffer[0])
                if tile + 1 < tiles:
                    tlx.named_barrier_arrive(FREE, THREADS)
                tl.store(dst + tile * TILE + tl.arange(0, TILE), y)
