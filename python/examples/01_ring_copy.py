# SPDX-License-Identifier: MIT
"""Copy a matrix through a ring of shared-memory buffers, with two tasks.

The smallest program with the structure that every later kernel has: one task
produces tiles, another consumes them, and a ring of buffers lies between them.

* A **task** is a group of warps that runs its own code. `async_tasks` starts all
  tasks of a block at once; the `"default"` task has the kernel's `num_warps`.
* A **ring** is one allocation of `SLOTS` equal buffers. The producer fills slot
  `i % SLOTS` with tile `i` while the consumer still reads earlier slots.
* Each slot has two **barriers**. `full[slot]` tells the consumer that data has
  arrived, `empty[slot]` tells the producer that the slot may be written again.

A barrier counts *phases*. `barrier_wait(bar, parity)` returns once the phase with
that parity is over. A fresh barrier counts as if the phase before phase 0 (parity 1)
were over, so the producer starts by waiting with parity 1 and falls through: all
slots are empty. The consumer starts with parity 0. Both flip the parity each time
they come round to slot 0.

Two producers are shown:

* `ring_copy` asks the TMA unit for a tile. One thread issues the copy; the hardware
  counts the arriving bytes on `full[slot]`, which has to be told the number of bytes
  to expect. TMA fills what lies outside the matrix with zeros.
* `ring_copy_cp_async` copies with `cp.async`, where each thread names its own
  addresses. Nothing arrives on a barrier by itself, so the task waits for its own
  copies and then arrives. It stays one tile behind so that two are in flight.
"""

import triton
import triton.language as tl
import triton.language.extra.tlx as tlx

__all__ = [
    "TLX_SIGNATURES",
    "copy",
    "reference",
    "ring_copy",
    "ring_copy_cp_async",
]


@triton.jit
def advance(slot, phase, SLOTS: tl.constexpr):
    """The slot and phase that follow in a ring of SLOTS buffers."""
    slot = slot + 1
    wrapped = slot == SLOTS
    return tl.where(wrapped, 0, slot), phase ^ wrapped.to(tl.int32)


@triton.jit
def store_tile(
    dst_ptr, x, tile, tiles_n, M, N, TILE_M: tl.constexpr, TILE_N: tl.constexpr
):
    """Write tile number `tile` of a row-major M x N matrix."""
    rows = (tile // tiles_n) * TILE_M + tl.arange(0, TILE_M)
    cols = (tile % tiles_n) * TILE_N + tl.arange(0, TILE_N)
    mask = (rows < M)[:, None] & (cols < N)[None, :]
    tl.store(dst_ptr + rows[:, None].to(tl.int64) * N + cols[None, :], x, mask=mask)


@triton.jit
def ring_copy(
    src_desc,
    dst_ptr,
    M,
    N,
    TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
    SLOTS: tl.constexpr,
):
    """Dst = src, tile by tile; TMA fills the ring."""
    dtype: tl.constexpr = tlx.dtype_of(src_desc)
    tile_bytes: tl.constexpr = TILE_M * TILE_N * tlx.size_of(dtype)
    ring = tlx.local_alloc((TILE_M, TILE_N), dtype, SLOTS)
    full = tlx.alloc_barriers(SLOTS, arrive_count=1)
    empty = tlx.alloc_barriers(SLOTS, arrive_count=1)

    tiles_n = tl.cdiv(N, TILE_N)
    tiles = tl.cdiv(M, TILE_M) * tiles_n
    first = tl.program_id(0)
    step = tl.num_programs(0)

    with tlx.async_tasks():
        with tlx.async_task("default"):
            slot = 0
            phase = 0
            for tile in range(first, tiles, step):
                tlx.barrier_wait(full[slot], phase)
                x = tlx.local_load(ring[slot])
                # The tile is in registers: the producer may overwrite the slot.
                tlx.barrier_arrive(empty[slot])
                store_tile(dst_ptr, x, tile, tiles_n, M, N, TILE_M, TILE_N)
                slot, phase = advance(slot, phase, SLOTS)

        with tlx.async_task(num_warps=1):
            slot = 0
            phase = 1
            for tile in range(first, tiles, step):
                tlx.barrier_wait(empty[slot], phase)
                tlx.barrier_expect_bytes(full[slot], tile_bytes)
                tlx.async_descriptor_load(
                    src_desc,
                    ring[slot],
                    [(tile // tiles_n) * TILE_M, (tile % tiles_n) * TILE_N],
                    full[slot],
                )
                slot, phase = advance(slot, phase, SLOTS)


@triton.jit
def ring_copy_cp_async(
    src_ptr,
    dst_ptr,
    M,
    N,
    TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
    SLOTS: tl.constexpr,
):
    """Dst = src, tile by tile; a task of four warps fills the ring with cp.async."""
    dtype: tl.constexpr = tlx.dtype_of(src_ptr)
    ring = tlx.local_alloc((TILE_M, TILE_N), dtype, SLOTS)
    full = tlx.alloc_barriers(SLOTS, arrive_count=1)
    empty = tlx.alloc_barriers(SLOTS, arrive_count=1)

    tiles_n = tl.cdiv(N, TILE_N)
    tiles = tl.cdiv(M, TILE_M) * tiles_n
    first = tl.program_id(0)
    step = tl.num_programs(0)

    with tlx.async_tasks():
        with tlx.async_task("default"):
            slot = 0
            phase = 0
            for tile in range(first, tiles, step):
                tlx.barrier_wait(full[slot], phase)
                x = tlx.local_load(ring[slot])
                tlx.barrier_arrive(empty[slot])
                store_tile(dst_ptr, x, tile, tiles_n, M, N, TILE_M, TILE_N)
                slot, phase = advance(slot, phase, SLOTS)

        with tlx.async_task(num_warps=4):
            slot = 0
            phase = 1
            behind = 0
            for tile in range(first, tiles, step):
                tlx.barrier_wait(empty[slot], phase)
                rows = (tile // tiles_n) * TILE_M + tl.arange(0, TILE_M)
                cols = (tile % tiles_n) * TILE_N + tl.arange(0, TILE_N)
                token = tlx.async_load(
                    src_ptr + rows[:, None].to(tl.int64) * N + cols[None, :],
                    ring[slot],
                    mask=(rows < M)[:, None] & (cols < N)[None, :],
                )
                tlx.async_load_commit_group([token])
                # At most this tile's copy is still running: the one before is done.
                tlx.async_load_wait_group(1)
                if tile > first:
                    tlx.barrier_arrive(full[behind])
                behind = slot
                slot, phase = advance(slot, phase, SLOTS)
            tlx.async_load_wait_group(0)
            if first < tiles:
                tlx.barrier_arrive(full[behind])


TLX_SIGNATURES = {
    "ring_copy": {
        "signature": {
            "src_desc": "tensordesc<fp16[64, 64]>",
            "dst_ptr": "*fp16:16",
            "M": "i32",
            "N": "i32:16",
        },
        "constexprs": {"TILE_M": 64, "TILE_N": 64, "SLOTS": 4},
        "options": {"num_warps": 4},
    },
    "ring_copy_cp_async": {
        "signature": {
            "src_ptr": "*fp16:16",
            "dst_ptr": "*fp16:16",
            "M": "i32",
            "N": "i32:16",
        },
        "constexprs": {"TILE_M": 64, "TILE_N": 64, "SLOTS": 4},
        "options": {"num_warps": 4},
    },
}


def multiprocessors(x):
    """How many multiprocessors the GPU of tensor x has; a few in the simulator."""
    if not getattr(x, "is_cuda", False):
        return 4
    import torch

    return torch.cuda.get_device_properties(x.device).multi_processor_count


def copy(src, use_tma=True, tile=(64, 64), slots=4, programs=None):
    """Copy a row-major tensor of rank 2 and return the copy."""
    from triton.tools.tensor_descriptor import TensorDescriptor

    rows, cols = src.shape
    if not use_tma and cols % 16:
        raise ValueError(
            f"cp.async expects the columns to be a multiple of 16, but got {cols}"
        )
    dst = src.new_empty(src.shape)
    tiles = triton.cdiv(rows, tile[0]) * triton.cdiv(cols, tile[1])
    if programs is None:
        programs = 2 * multiprocessors(src)
    grid = (min(tiles, programs),)
    if use_tma:
        desc = TensorDescriptor.from_tensor(src, list(tile))
        ring_copy[grid](desc, dst, rows, cols, *tile, slots, num_warps=4)
    else:
        ring_copy_cp_async[grid](src, dst, rows, cols, *tile, slots, num_warps=4)
    return dst


def reference(src):
    """What `copy` computes, for NumPy arrays and torch tensors."""
    return src + 0
