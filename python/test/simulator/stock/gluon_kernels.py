# SPDX-License-Identifier: MIT
"""Kernels in Gluon, Triton's language with explicit layouts, buffers and barriers."""

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_wait,
)


@gluon.jit
def copy_cp_async(x, y, N, BLOCK: gl.constexpr, STAGES: gl.constexpr):
    """A ring of buffers that cp.async fills ahead of their use."""
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    ring = gl.allocate_shared_memory(x.dtype.element_ty, [STAGES, BLOCK], shared)
    i = gl.arange(0, BLOCK, layout)
    for s in gl.static_range(STAGES - 1):
        at = s * BLOCK + i
        async_copy.async_load(ring.index(s), x + at, at < N)
        async_copy.commit_group()
    for s in range(gl.cdiv(N, BLOCK)):
        ahead = s + STAGES - 1
        at = ahead * BLOCK + i
        async_copy.async_load(ring.index(ahead % STAGES), x + at, at < N)
        async_copy.commit_group()
        async_copy.wait_group(STAGES - 1)
        here = s * BLOCK + i
        gl.store(y + here, ring.index(s % STAGES).load(layout) * 2, here < N)
    async_copy.wait_group(0)


@gluon.jit
def _load_tiles(a, b, a_ring, b_ring, full, empty, m, n, K):
    STAGES: gl.constexpr = a_ring.shape[0]
    BK: gl.constexpr = a.block_type.shape[1]
    for step in range(gl.cdiv(K, BK)):
        slot, phase = step % STAGES, (step // STAGES) & 1
        mbarrier.wait(empty.index(slot), phase ^ 1)
        size: gl.constexpr = a.block_type.nbytes + b.block_type.nbytes
        mbarrier.expect(full.index(slot), size)
        k = step * BK
        tma.async_load(a, [m, k], full.index(slot), a_ring.index(slot))
        tma.async_load(b, [k, n], full.index(slot), b_ring.index(slot))


@gluon.jit
def _multiply_tiles(c, a_ring, b_ring, out, full, empty, m, n, K, BK: gl.constexpr):
    STAGES: gl.constexpr = a_ring.shape[0]
    BM: gl.constexpr = out.shape[0]
    BN: gl.constexpr = out.shape[1]
    layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, BN, 16])
    acc = gl.zeros((BM, BN), gl.float32, layout)
    steps = gl.cdiv(K, BK)
    for step in range(steps):
        slot, phase = step % STAGES, (step // STAGES) & 1
        mbarrier.wait(full.index(slot), phase)
        a, b = a_ring.index(slot), b_ring.index(slot)
        acc = warpgroup_mma(a, b, acc, is_async=True)
        acc = warpgroup_mma_wait(1, [acc])
        # The product before this one is over.
        mbarrier.arrive(empty.index((step + STAGES - 1) % STAGES), pred=step > 0)
    result = warpgroup_mma_wait(0, [acc])
    out.store(result.to(c.dtype))
    fence_async_shared()
    tma.async_store(c, [m, n], out)
    tma.store_wait(0)


@gluon.jit
def matmul_tasks(a, b, c, K, STAGES: gl.constexpr):
    """One task loads tiles with TMA, the other multiplies them with wgmma."""
    a_shape: gl.constexpr = a.block_type.shape
    b_shape: gl.constexpr = b.block_type.shape
    m = gl.program_id(0) * a_shape[0]
    n = gl.program_id(1) * b_shape[1]
    a_ring = gl.allocate_shared_memory(a.dtype, [STAGES] + a_shape, a.layout)  # noqa: RUF005
    b_ring = gl.allocate_shared_memory(b.dtype, [STAGES] + b_shape, b.layout)  # noqa: RUF005
    out = gl.allocate_shared_memory(c.dtype, c.block_type.shape, c.layout)
    barrier: gl.constexpr = mbarrier.MBarrierLayout()
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], barrier)
    empty = gl.allocate_shared_memory(gl.int64, [STAGES, 1], barrier)
    for s in gl.static_range(STAGES):
        mbarrier.init(full.index(s), count=1)
        mbarrier.init(empty.index(s), count=1)
    gl.warp_specialize(
        [
            (
                _multiply_tiles,
                (c, a_ring, b_ring, out, full, empty, m, n, K, a_shape[1]),
            ),
            (_load_tiles, (a, b, a_ring, b_ring, full, empty, m, n, K)),
        ],
        [1],
        [24],
    )
