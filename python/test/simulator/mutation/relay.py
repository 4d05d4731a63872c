# SPDX-License-Identifier: MIT
"""A running sum that programs hand on through flags in global memory."""

import triton
import triton.language as tl
import triton.language.extra.tlx as tlx


@triton.jit
def relay(src, dst, sums, flags, TILE: tl.constexpr):
    """Dst = src plus the sum of all tiles before; flags[0] is set."""
    me = tl.program_id(0)
    tile = tlx.local_alloc((TILE,), tl.float32, 1)
    full = tlx.alloc_barriers(1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            while tl.atomic_add(flags + me, 0, sem="acquire", scope="gpu") == 0:
                pass
            before = tl.load(sums + me)
            tlx.barrier_wait(full[0], 0)
            x = tlx.local_load(tile[0])
            tl.store(sums + me + 1, before + tl.sum(x))
            tl.atomic_xchg(flags + me + 1, 1, sem="release", scope="gpu")
            tl.store(dst + me * TILE + tl.arange(0, TILE), x + before)
        with tlx.async_task(num_warps=4):
            x = tl.load(src + me * TILE + tl.arange(0, TILE))
            tlx.local_store(tile[0], x)
            tlx.barrier_arrive(full[0])
