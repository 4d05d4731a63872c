# SPDX-License-Identifier: MIT
"""Persistent matrix product whose two consumer tasks take turns (ping-pong).

C = A @ B, with A (M x K) and B (K x N) row-major, accumulated in fp32.

In 03_gemm_ws.py both consumers work on the same output tile, so the tensor cores
rest while both write their results. Here each consumer has an output tile of its own:
while one converts and stores tile i, the other one's main loop for tile i + 1 has the
tensor cores for itself.

```
producer    load tile 0 | load tile 1 | load tile 2 | load tile 3
consumer 0  . multiply 0 | store 0     | multiply 2  | store 2
consumer 1  .            | multiply 1  | store 1     | multiply 3
```

There is one ring for both, filled in the order of the tiles. Each slot has one reader,
so `empty` has an arrive count of 1. A consumer knows which steps of the ring are its
own: output tile number `index` of this program uses the steps `index * k_tiles` and
following.

Knowing the steps is not enough to wait for them. A barrier shows the *parity* of its
phase only. A consumer that waited for step 7 of a slot while the producer is at step 4
would take the end of step 5 for what it waits for. A wait is safe if the phase before
it is known to be over, and here that phase belongs to the other consumer. So the two
take turns: `named_barrier_wait` before the main loop, `named_barrier_arrive` on the
other one's barrier when the last tile of the main loop has arrived. This also keeps
the main loops from competing for the tensor cores.
"""

import triton
import triton.language as tl
import triton.language.extra.tlx as tlx

__all__ = ["CONFIGS", "TLX_SIGNATURES", "gemm_pingpong", "matmul", "reference"]


# Named barriers 0 and 1 belong to the compiler, and one more to each task.
TURN = tl.constexpr(8)


@triton.jit
def tile_offsets(
    tile,
    M,
    N,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    GROUP_M: tl.constexpr,
):
    """First row and column of output tile `tile`, walking GROUP_M rows at a time."""
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
def gemm_pingpong(
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
    CONSUMER_REGS: tl.constexpr,
):
    """C = A @ B, two output tiles of a program in flight. K must not be zero."""
    a_ring = tlx.local_alloc((BLOCK_M, BLOCK_K), tlx.dtype_of(a_desc), STAGES)
    b_ring = tlx.local_alloc((BLOCK_K, BLOCK_N), tlx.dtype_of(b_desc), STAGES)
    c_bufs = tlx.local_alloc((BLOCK_M, BLOCK_N), tlx.dtype_of(c_desc), 2)
    full = tlx.alloc_barriers(STAGES, arrive_count=1)
    empty = tlx.alloc_barriers(STAGES, arrive_count=1)
    tile_bytes: tl.constexpr = (
        (BLOCK_M + BLOCK_N) * BLOCK_K * tlx.size_of(tlx.dtype_of(a_desc))
    )

    first = tl.program_id(0)
    programs = tl.num_programs(0)
    tiles = tl.cdiv(M, BLOCK_M) * tl.cdiv(N, BLOCK_N)
    my_tiles = tl.cdiv(tiles - first, programs)
    k_tiles = tl.cdiv(K, BLOCK_K)

    with tlx.async_tasks():
        with tlx.async_task("default"):
            for index in range(my_tiles):
                off_m, off_n = tile_offsets(
                    first + index * programs, M, N, BLOCK_M, BLOCK_N, GROUP_M
                )
                for k in range(k_tiles):
                    slot, phase = ring_position(index * k_tiles + k, STAGES)
                    tlx.barrier_wait(empty[slot], phase ^ 1)
                    tlx.barrier_expect_bytes(full[slot], tile_bytes)
                    tlx.async_descriptor_load(
                        a_desc, a_ring[slot], [off_m, k * BLOCK_K], full[slot]
                    )
                    tlx.async_descriptor_load(
                        b_desc, b_ring[slot], [k * BLOCK_K, off_n], full[slot]
                    )

        with tlx.async_task(num_warps=4, num_regs=CONSUMER_REGS, replicate=2):
            consumer: tl.constexpr = tlx.async_task_replica_id()
            other: tl.constexpr = 1 - consumer
            if consumer == 1:
                # Consumer 0 has the first turn.
                tlx.named_barrier_arrive(TURN + other, 256)
            for index in range(consumer, my_tiles, 2):
                acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
                slot, phase = ring_position(index * k_tiles, STAGES)
                tlx.named_barrier_wait(TURN + consumer, 256)
                tlx.barrier_wait(full[slot], phase)
                acc = tlx.async_dot(a_ring[slot], b_ring[slot], acc)
                for k in range(1, k_tiles):
                    running = slot
                    slot, phase = ring_position(index * k_tiles + k, STAGES)
                    tlx.barrier_wait(full[slot], phase)
                    acc = tlx.async_dot(a_ring[slot], b_ring[slot], acc)
                    acc = tlx.async_dot_wait(1, acc)
                    tlx.barrier_arrive(empty[running])
                tlx.named_barrier_arrive(TURN + other, 256)
                acc = tlx.async_dot_wait(0, acc)
                tlx.barrier_arrive(empty[slot])

                off_m, off_n = tile_offsets(
                    first + index * programs, M, N, BLOCK_M, BLOCK_N, GROUP_M
                )
                # The store of this consumer's previous tile must have read the buffer.
                tlx.async_descriptor_store_wait(0)
                tlx.local_store(c_bufs[consumer], acc.to(tlx.dtype_of(c_desc)))
                tlx.fence("async_shared")
                tlx.async_descriptor_store(c_desc, c_bufs[consumer], [off_m, off_n])
            if my_tiles % 2 == consumer:
                # Take the turn that was given last: no barrier is left half full.
                tlx.named_barrier_wait(TURN + consumer, 256)
            tlx.async_descriptor_store_wait(0)


CONFIGS = {
    "gemm_pingpong": {
        "BLOCK_M": 128,
        "BLOCK_N": 128,
        "BLOCK_K": 64,
        "GROUP_M": 8,
        "STAGES": 5,
        "CONSUMER_REGS": 240,
    },
}

TLX_SIGNATURES = {
    "gemm_pingpong": {
        "signature": {
            "a_desc": "tensordesc<fp16[128, 64]>",
            "b_desc": "tensordesc<fp16[64, 128]>",
            "c_desc": "tensordesc<fp16[128, 128]>",
            "M": "i32",
            "N": "i32",
            "K": "i32",
        },
        "constexprs": CONFIGS["gemm_pingpong"],
        "options": {"num_warps": 4},
    },
}


def multiprocessors(x):
    """How many multiprocessors the GPU of tensor x has; a few in the simulator."""
    if not getattr(x, "is_cuda", False):
        return 4
    import torch

    return torch.cuda.get_device_properties(x.device).multi_processor_count


def matmul(a, b, config=None, programs=None):
    """A @ b for row-major fp16 or bf16 tensors of rank 2."""
    from triton.tools.tensor_descriptor import TensorDescriptor

    config = config or CONFIGS["gemm_pingpong"]
    block_m, block_n, block_k = (config[f"BLOCK_{x}"] for x in "MNK")
    (m, k), (_, n) = a.shape, b.shape
    c = a.new_empty((m, n))
    if programs is None:
        programs = multiprocessors(a)
    grid = (min(triton.cdiv(m, block_m) * triton.cdiv(n, block_n), programs),)
    gemm_pingpong[grid](
        TensorDescriptor.from_tensor(a, [block_m, block_k]),
        TensorDescriptor.from_tensor(b, [block_k, block_n]),
        TensorDescriptor.from_tensor(c, [block_m, block_n]),
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
