# SPDX-License-Identifier: MIT
"""Matrix product with a TMA producer task and one to three consumer tasks.

C = A @ B, with A (M x K) and B (K x N) row-major, accumulated in fp32.

Copying and computing need different things: a copy is one instruction of one thread,
a product wants as many registers as the hardware has. So they become tasks:

* The **producer** (the default task) keeps a ring of A and B tiles full. It gives its
  registers to the consumers: what they do not request is left for it.
* Each **consumer** computes `BLOCK_M / CONSUMERS` rows of the output tile. The code is
  written once; `replicate=CONSUMERS` makes the tasks, and `async_task_replica_id()` is
  a compile-time constant in each of them.

One `full` barrier per slot stands for the tile of B and all parts of A: the producer
expects the sum of the bytes. An `empty` barrier completes when every consumer has
arrived, so its arrive count is CONSUMERS.

A consumer never waits for the product it has just started. It starts the product of
tile k, waits until at most one is running, which ends the product of tile k - 1, and
gives *that* tile's slot back. The tensor cores always have work queued.

Two kernels:

* `gemm_ws` computes one tile per program and ends.
* `gemm_ws_persistent` starts one program per multiprocessor, and each walks over many
  tiles. The producer fetches the next tile's data while the consumers still write
  the present one, and the TMA store of a result runs during the next main loop.
  The rest of the epilogue is exposed; 04_gemm_pingpong.py hides that too.

Results leave through shared memory and a TMA store, which writes full lines and clips
at the border of C. Ordinary stores to shared memory must be made visible to TMA first:
`fence("async_shared")`. Four stages of 128 x 256 x 64 leave no room for a whole tile of
results: `gemm_ws` puts it into slots that the loads are done with, and
`gemm_ws_persistent`, whose ring is always in use, stores it in two halves.
"""

import triton
import triton.language as tl
import triton.language.extra.tlx as tlx

__all__ = [
    "CONFIGS",
    "TLX_SIGNATURES",
    "gemm_ws",
    "gemm_ws_persistent",
    "matmul",
    "reference",
]


@triton.jit
def tile_offsets(
    tile,
    M,
    N,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    GROUP_M: tl.constexpr,
):
    """First row and column of output tile `tile`.

    Tiles that run at the same time should read few rows of A and columns of B, so
    that these stay in L2: they are numbered down GROUP_M rows, then along.
    """
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    group = tile // (GROUP_M * tiles_n)
    local = tile % (GROUP_M * tiles_n)
    rows_in_group = min(tiles_m - group * GROUP_M, GROUP_M)
    off_m = (group * GROUP_M + local % rows_in_group) * BLOCK_M
    off_n = (local // rows_in_group) * BLOCK_N
    return off_m, off_n


@triton.jit
def ring_position(step, STAGES: tl.constexpr):
    """Slot and phase of the step-th use of a ring of STAGES buffers."""
    return step % STAGES, (step // STAGES) & 1


@triton.jit
def load_tiles(
    a_desc,
    b_desc,
    a_ring,
    b_ring,
    full,
    empty,
    first_step,
    off_m,
    off_n,
    K,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    STAGES: tl.constexpr,
    CONSUMERS: tl.constexpr,
):
    """Fetch all tiles along K for one output tile."""
    part_m: tl.constexpr = BLOCK_M // CONSUMERS
    tile_bytes: tl.constexpr = (
        (BLOCK_M + BLOCK_N) * BLOCK_K * tlx.size_of(tlx.dtype_of(a_desc))
    )
    for k in range(tl.cdiv(K, BLOCK_K)):
        slot, phase = ring_position(first_step + k, STAGES)
        tlx.barrier_wait(empty[slot], phase ^ 1)
        tlx.barrier_expect_bytes(full[slot], tile_bytes)
        for part in tl.static_range(CONSUMERS):
            tlx.async_descriptor_load(
                a_desc,
                a_ring[slot * CONSUMERS + part],
                [off_m + part * part_m, k * BLOCK_K],
                full[slot],
            )
        tlx.async_descriptor_load(
            b_desc, b_ring[slot], [k * BLOCK_K, off_n], full[slot]
        )


@triton.jit
def multiply_tiles(
    a_ring,
    b_ring,
    full,
    empty,
    first_step,
    K,
    PART: tl.constexpr,
    PART_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    STAGES: tl.constexpr,
    CONSUMERS: tl.constexpr,
):
    """Sum over K of the rows of consumer PART."""
    acc = tl.zeros((PART_M, BLOCK_N), tl.float32)
    slot, phase = ring_position(first_step, STAGES)
    tlx.barrier_wait(full[slot], phase)
    acc = tlx.async_dot(a_ring[slot * CONSUMERS + PART], b_ring[slot], acc)
    for k in range(1, tl.cdiv(K, BLOCK_K)):
        running = slot
        slot, phase = ring_position(first_step + k, STAGES)
        tlx.barrier_wait(full[slot], phase)
        acc = tlx.async_dot(a_ring[slot * CONSUMERS + PART], b_ring[slot], acc)
        acc = tlx.async_dot_wait(1, acc)
        tlx.barrier_arrive(empty[running])
    acc = tlx.async_dot_wait(0, acc)
    tlx.barrier_arrive(empty[slot])
    return acc


@triton.jit
def gemm_ws(
    a_desc,
    b_desc,
    c_desc,
    M,
    N,
    K,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr,
    STAGES: tl.constexpr,
    CONSUMERS: tl.constexpr,
    CONSUMER_REGS: tl.constexpr,
):
    """C = A @ B, one output tile per program. K must not be zero."""
    part_m: tl.constexpr = BLOCK_M // CONSUMERS
    tl.static_assert(part_m == BLOCK_K, "the result goes into a slot of B's ring")
    tl.static_assert(CONSUMERS <= STAGES, "each consumer needs a slot for its result")
    a_ring = tlx.local_alloc(
        (part_m, BLOCK_K), tlx.dtype_of(a_desc), STAGES * CONSUMERS
    )
    b_ring = tlx.local_alloc((BLOCK_K, BLOCK_N), tlx.dtype_of(b_desc), STAGES)
    full = tlx.alloc_barriers(STAGES, arrive_count=1)
    empty = tlx.alloc_barriers(STAGES, arrive_count=CONSUMERS)
    off_m, off_n = tile_offsets(tl.program_id(0), M, N, BLOCK_M, BLOCK_N, GROUP_M)

    with tlx.async_tasks():
        with tlx.async_task("default"):
            load_tiles(
                a_desc,
                b_desc,
                a_ring,
                b_ring,
                full,
                empty,
                0,
                off_m,
                off_n,
                K,
                BLOCK_M,
                BLOCK_N,
                BLOCK_K,
                STAGES,
                CONSUMERS,
            )

        with tlx.async_task(num_warps=4, num_regs=CONSUMER_REGS, replicate=CONSUMERS):
            part: tl.constexpr = tlx.async_task_replica_id()
            acc = multiply_tiles(
                a_ring,
                b_ring,
                full,
                empty,
                0,
                K,
                part,
                part_m,
                BLOCK_N,
                BLOCK_K,
                STAGES,
                CONSUMERS,
            )
            # A slot of B's ring has the size of the result. Nothing is loaded into slot
            # `part` any more once all consumers have released it for the last time.
            uses = (tl.cdiv(K, BLOCK_K) - part + STAGES - 1) // STAGES
            tlx.barrier_wait(empty[part], (uses & 1) ^ 1)
            tlx.local_store(b_ring[part], acc.to(tlx.dtype_of(c_desc)))
            tlx.fence("async_shared")
            tlx.async_descriptor_store(
                c_desc, b_ring[part], [off_m + part * part_m, off_n]
            )
            tlx.async_descriptor_store_wait(0)


@triton.jit
def store_part(c_desc, buffer, x, off_m, off_n):
    """Start to store x through `buffer`, which the store before must have read."""
    tlx.async_descriptor_store_wait(0)
    tlx.local_store(buffer, x)
    tlx.fence("async_shared")
    tlx.async_descriptor_store(c_desc, buffer, [off_m, off_n])


@triton.jit
def gemm_ws_persistent(
    a_desc,
    b_desc,
    c_desc,
    M,
    N,
    K,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr,
    STAGES: tl.constexpr,
    CONSUMERS: tl.constexpr,
    CONSUMER_REGS: tl.constexpr,
):
    """C = A @ B, each program walking over many tiles. K must not be zero."""
    half_n: tl.constexpr = BLOCK_N // 2
    part_m: tl.constexpr = BLOCK_M // CONSUMERS
    a_ring = tlx.local_alloc(
        (part_m, BLOCK_K), tlx.dtype_of(a_desc), STAGES * CONSUMERS
    )
    b_ring = tlx.local_alloc((BLOCK_K, BLOCK_N), tlx.dtype_of(b_desc), STAGES)
    c_bufs = tlx.local_alloc((part_m, half_n), tlx.dtype_of(c_desc), CONSUMERS)
    full = tlx.alloc_barriers(STAGES, arrive_count=1)
    empty = tlx.alloc_barriers(STAGES, arrive_count=CONSUMERS)
    tiles = tl.cdiv(M, BLOCK_M) * tl.cdiv(N, BLOCK_N)
    k_tiles = tl.cdiv(K, BLOCK_K)
    first = tl.program_id(0)
    programs = tl.num_programs(0)

    with tlx.async_tasks():
        with tlx.async_task("default"):
            step = 0
            for tile in range(first, tiles, programs):
                off_m, off_n = tile_offsets(tile, M, N, BLOCK_M, BLOCK_N, GROUP_M)
                load_tiles(
                    a_desc,
                    b_desc,
                    a_ring,
                    b_ring,
                    full,
                    empty,
                    step,
                    off_m,
                    off_n,
                    K,
                    BLOCK_M,
                    BLOCK_N,
                    BLOCK_K,
                    STAGES,
                    CONSUMERS,
                )
                step += k_tiles

        with tlx.async_task(num_warps=4, num_regs=CONSUMER_REGS, replicate=CONSUMERS):
            part: tl.constexpr = tlx.async_task_replica_id()
            step = 0
            for tile in range(first, tiles, programs):
                acc = multiply_tiles(
                    a_ring,
                    b_ring,
                    full,
                    empty,
                    step,
                    K,
                    part,
                    part_m,
                    BLOCK_N,
                    BLOCK_K,
                    STAGES,
                    CONSUMERS,
                )
                step += k_tiles
                off_m, off_n = tile_offsets(tile, M, N, BLOCK_M, BLOCK_N, GROUP_M)
                # Column halves; a thread holds elements of both, nothing moves.
                halves = acc.to(tlx.dtype_of(c_desc)).reshape(part_m, 2, half_n)
                left, right = halves.permute(0, 2, 1).split()
                store_part(c_desc, c_bufs[part], left, off_m + part * part_m, off_n)
                store_part(
                    c_desc, c_bufs[part], right, off_m + part * part_m, off_n + half_n
                )
            tlx.async_descriptor_store_wait(0)


CONFIGS = {
    "gemm_ws": {
        "BLOCK_M": 128,
        "BLOCK_N": 256,
        "BLOCK_K": 64,
        "GROUP_M": 8,
        "STAGES": 4,
        "CONSUMERS": 2,
        "CONSUMER_REGS": 240,
    },
    "gemm_ws_persistent": {
        "BLOCK_M": 128,
        "BLOCK_N": 256,
        "BLOCK_K": 64,
        "GROUP_M": 8,
        "STAGES": 4,
        "CONSUMERS": 2,
        "CONSUMER_REGS": 240,
    },
}

TLX_SIGNATURES = {
    name: {
        "signature": {
            "a_desc": "tensordesc<fp16[64, 64]>",
            "b_desc": "tensordesc<fp16[64, 256]>",
            "c_desc": f"tensordesc<fp16[64, {columns}]>",
            "M": "i32",
            "N": "i32",
            "K": "i32",
        },
        "constexprs": CONFIGS[name],
        "options": {"num_warps": 4},
    }
    for name, columns in (("gemm_ws", 256), ("gemm_ws_persistent", 128))
}


def multiprocessors(x):
    """How many multiprocessors the GPU of tensor x has; a few in the simulator."""
    if not getattr(x, "is_cuda", False):
        return 4
    import torch

    return torch.cuda.get_device_properties(x.device).multi_processor_count


def matmul(a, b, persistent=False, config=None, programs=None):
    """A @ b for row-major fp16 or bf16 tensors of rank 2.

    TMA wants rows that start at multiples of 16 bytes.
    """
    from triton.tools.tensor_descriptor import TensorDescriptor

    kernel = gemm_ws_persistent if persistent else gemm_ws
    config = config or CONFIGS["gemm_ws_persistent" if persistent else "gemm_ws"]
    block_m, block_n, block_k = (config[f"BLOCK_{x}"] for x in "MNK")
    part_m = block_m // config["CONSUMERS"]
    (m, k), (_, n) = a.shape, b.shape
    c = a.new_empty((m, n))
    grid = triton.cdiv(m, block_m) * triton.cdiv(n, block_n)
    if persistent:
        if programs is None:
            programs = multiprocessors(a)
        grid = min(grid, programs)
    kernel[(grid,)](
        TensorDescriptor.from_tensor(a, [part_m, block_k]),
        TensorDescriptor.from_tensor(b, [block_k, block_n]),
        TensorDescriptor.from_tensor(c, [part_m, block_n // (1 + persistent)]),
        m,
        n,
        k,
        **config,
        num_warps=4,
    )
    return c


def reference(a, b):
    """What `matmul` computes, in fp32, for NumPy arrays."""
    import numpy as np

    return np.asarray(a, dtype=np.float32) @ np.asarray(b, dtype=np.float32)
