# SPDX-License-Identifier: MIT
"""Matrix product with one task: cp.async fills a ring, wgmma reads it.

C = A @ B, with A (M x K) and B (K x N) row-major, accumulated in fp32.

All warps of the block do the same: they start the copies of a later tile, wait for
the oldest one and start the tensor cores on it. Two queues run behind the warps' back
and each has its own way to wait:

* **cp.async groups.** `async_load` starts copies, `async_load_commit_group` closes a
  group, `async_load_wait_group(n)` returns when at most `n` groups are unfinished.
  Groups finish in order, so with one group per tile and `STAGES - 1` tiles requested
  ahead, waiting for `STAGES - 2` makes exactly the oldest tile available.
* **wgmma groups.** `async_dot` starts a product of shared-memory tiles and returns at
  once; `async_dot_wait(1)` leaves the newest product running and ends the one before.
  Only then may the slot of that earlier product be filled again, so each step waits,
  then requests the tile `STAGES - 1` steps ahead into the slot just freed.

The tensor cores read shared memory through the *async proxy*, while cp.async writes
through the generic one: `fence("async_shared")` orders the two.

Edges: copies are masked and fill with zeros, which adds nothing to the product.
"""

import triton
import triton.language as tl
import triton.language.extra.tlx as tlx

__all__ = ["TLX_SIGNATURES", "gemm_cp_async", "matmul", "reference"]


@triton.jit
def gemm_cp_async(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    stride_am,
    stride_bk,
    stride_cm,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr,
    STAGES: tl.constexpr,
):
    """C = A @ B; one output tile per program."""
    # Programs run roughly in order of their number. Walking GROUP_M tile rows at a
    # time keeps the rows and columns they read at the same time few, thus in L2.
    pid = tl.program_id(0)
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    group = pid // (GROUP_M * tiles_n)
    first_m = group * GROUP_M
    rows_in_group = min(tiles_m - first_m, GROUP_M)
    local = pid % (GROUP_M * tiles_n)
    off_m = (first_m + local % rows_in_group) * BLOCK_M
    off_n = (local // rows_in_group) * BLOCK_N

    a_ring = tlx.local_alloc((BLOCK_M, BLOCK_K), tlx.dtype_of(a_ptr), STAGES)
    b_ring = tlx.local_alloc((BLOCK_K, BLOCK_N), tlx.dtype_of(b_ptr), STAGES)

    rows = off_m + tl.arange(0, BLOCK_M)
    cols = off_n + tl.arange(0, BLOCK_N)
    ks = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + rows[:, None].to(tl.int64) * stride_am + ks[None, :]
    b_ptrs = b_ptr + ks[:, None].to(tl.int64) * stride_bk + cols[None, :]
    k_tiles = tl.cdiv(K, BLOCK_K)

    for stage in tl.static_range(STAGES - 1):
        k_left = K - stage * BLOCK_K
        a_token = tlx.async_load(
            a_ptrs, a_ring[stage], mask=(rows < M)[:, None] & (ks < k_left)[None, :]
        )
        b_token = tlx.async_load(
            b_ptrs, b_ring[stage], mask=(ks < k_left)[:, None] & (cols < N)[None, :]
        )
        tlx.async_load_commit_group([a_token, b_token])
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K * stride_bk

    acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    slot = 0
    fill = STAGES - 1
    for k in range(k_tiles):
        tlx.async_load_wait_group(STAGES - 2)
        tlx.fence("async_shared")
        acc = tlx.async_dot(a_ring[slot], b_ring[slot], acc)
        acc = tlx.async_dot_wait(1, acc)
        # The product of step k - 1 is over, so its slot is free. Past the end the
        # masks are false: the group is empty but keeps the count of groups right.
        k_left = K - (k + STAGES - 1) * BLOCK_K
        a_token = tlx.async_load(
            a_ptrs, a_ring[fill], mask=(rows < M)[:, None] & (ks < k_left)[None, :]
        )
        b_token = tlx.async_load(
            b_ptrs, b_ring[fill], mask=(ks < k_left)[:, None] & (cols < N)[None, :]
        )
        tlx.async_load_commit_group([a_token, b_token])
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K * stride_bk
        slot = tl.where(slot == STAGES - 1, 0, slot + 1)
        fill = tl.where(fill == STAGES - 1, 0, fill + 1)
    acc = tlx.async_dot_wait(0, acc)
    tlx.async_load_wait_group(0)

    c_ptrs = c_ptr + rows[:, None].to(tl.int64) * stride_cm + cols[None, :]
    mask = (rows < M)[:, None] & (cols < N)[None, :]
    tl.store(c_ptrs, acc.to(tlx.dtype_of(c_ptr)), mask=mask)


TLX_SIGNATURES = {
    "gemm_cp_async": {
        "signature": {
            "a_ptr": "*fp16:16",
            "b_ptr": "*fp16:16",
            "c_ptr": "*fp16:16",
            "M": "i32:16",
            "N": "i32:16",
            "K": "i32:16",
            "stride_am": "i32:16",
            "stride_bk": "i32:16",
            "stride_cm": "i32:16",
        },
        "constexprs": {
            "BLOCK_M": 128,
            "BLOCK_N": 256,
            "BLOCK_K": 64,
            "GROUP_M": 8,
            "STAGES": 3,
        },
        "options": {"num_warps": 8},
    },
}

DEFAULT_CONFIG = {
    "BLOCK_M": 128,
    "BLOCK_N": 256,
    "BLOCK_K": 64,
    "GROUP_M": 8,
    "STAGES": 3,
    "num_warps": 8,
}


def matmul(a, b, config=None):
    """A @ b for row-major fp16 or bf16 tensors of rank 2.

    N and K must be multiples of 16: cp.async copies 16 aligned bytes at a time, and
    that is how Triton learns that they are aligned.
    """
    (m, k), (_, n) = a.shape, b.shape
    if n % 16 or k % 16:
        raise ValueError(f"expects N and K to be multiples of 16, but got {n} and {k}")
    config = config or DEFAULT_CONFIG
    c = a.new_empty((m, n))
    tiles = triton.cdiv(m, config["BLOCK_M"]) * triton.cdiv(n, config["BLOCK_N"])
    gemm_cp_async[(tiles,)](
        a, b, c, m, n, k, a.stride(0), b.stride(0), c.stride(0), **config
    )
    return c


def reference(a, b):
    """What `matmul` computes, in fp32, for NumPy arrays."""
    import numpy as np

    return np.asarray(a, dtype=np.float32) @ np.asarray(b, dtype=np.float32)
