# SPDX-License-Identifier: MIT
"""Bulk copies, prefetches, votes and exclusive regions of tasks."""

import functools

import numpy as np
import triton
import triton.language as tl
from feature_cases import Case, poison, random

import tlx

__all__ = ["CASES"]


@triton.jit
def bulk_copy(x, y, BLOCK: tl.constexpr, BYTES: tl.constexpr):
    """Copy the first BYTES of each block through shared memory."""
    tile = tlx.local_alloc((BLOCK,), tlx.dtype_of(x), 1)[0]
    bar = tlx.alloc_barriers(1)
    at = tl.program_id(0) * BLOCK
    tlx.barrier_expect_bytes(bar, BYTES)
    tlx.async_load(x + at, tile, bulk=True, bulk_size=BYTES, barrier=bar)
    tlx.barrier_wait(bar, 0)
    tlx.async_store(y + at, tile, BYTES)
    tlx.async_descriptor_store_wait(0)


@triton.jit
def bulk_ring(x, y, n, BLOCK: tl.constexpr, SLOTS: tl.constexpr):
    """Y = 2 x; the last store is as long as what is left."""
    SIZE: tl.constexpr = tlx.size_of(tlx.dtype_of(x))
    ring = tlx.local_alloc((BLOCK,), tlx.dtype_of(x), SLOTS)
    full, empty = tlx.alloc_barriers(SLOTS), tlx.alloc_barriers(SLOTS)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            for i in range(tl.cdiv(n, BLOCK)):
                slot, phase = tlx.warp_spec.get_bufidx_phase(i, SLOTS)
                tlx.barrier_wait(full[slot], phase)
                value = tlx.local_load(ring[slot])
                tlx.local_store(ring[slot], value + value)
                tlx.fence("async_shared")
                left = tl.minimum(n - i * BLOCK, BLOCK)
                tlx.async_store(y + i * BLOCK, ring[slot], left * SIZE)
                tlx.async_descriptor_store_wait(0)
                tlx.barrier_arrive(empty[slot])
        with tlx.async_task(num_warps=1):
            for i in range(tl.cdiv(n, BLOCK)):
                slot, phase = tlx.warp_spec.get_bufidx_phase(i, SLOTS)
                tlx.barrier_wait(empty[slot], phase ^ 1)
                tlx.barrier_expect_bytes(full[slot], BLOCK * SIZE)
                tlx.async_load(x + i * BLOCK, ring[slot], bulk=True, barrier=full[slot])


@triton.jit
def prefetched(x, desc, y, m, n, M: tl.constexpr, N: tl.constexpr):
    """Y = x; the prefetches change nothing."""
    rows = tl.program_id(0) * M + tl.arange(0, M)[:, None]
    cols = tl.arange(0, N)[None, :]
    inside = (rows < m) & (cols < n)
    space = tlx.allocate_tensor_descriptor(1)
    made = tlx.make_tensor_descriptor(space, y, [m, n], [n, 1], [M, N])
    tlx.prefetch(x)
    tlx.prefetch(x + rows * n + cols, "L1", mask=inside)
    tlx.prefetch(x + rows * n + cols, mask=inside)
    tlx.prefetch(desc, tensormap=True)
    tlx.prefetch(space, tensormap=True)
    tlx.prefetch(made, tensormap=True)
    tlx.async_descriptor_prefetch_tensor(desc, [tl.program_id(0) * M, 0])
    tlx.async_descriptor_prefetch_tensor(desc, [0, 0], pred=m > 0)
    tile = tlx.local_alloc((M, N), tlx.dtype_of(x), 1)[0]
    tlx.local_store(tile, tl.load(x + rows * n + cols, mask=inside, other=0))
    tlx.fence("async_shared")
    tlx.async_descriptor_store(made, tile, [tl.program_id(0) * M, 0])
    tlx.async_descriptor_store_wait(0)


@triton.jit
def votes(x, out, mask, N: tl.constexpr):
    offs = tl.arange(0, N)
    ballots = tlx.vote_ballot_sync(mask, tl.load(x + offs) > 0)
    tl.store(out + offs, ballots)


@triton.jit
def thread_votes(out):
    """Each thread votes on its own number; the first thread writes."""
    thread = tlx.thread_id(0)
    ballot = tlx.vote_ballot_sync(0xFFFFFFFF, thread % 3 == 0)
    few = tlx.vote_ballot_sync(0xFFFFFFFF, thread < 37)
    tl.store(out + tl.program_id(0) * 2, ballot)
    tl.store(out + tl.program_id(0) * 2 + 1, few)


@triton.jit
def votes_in_tasks(x, out, N: tl.constexpr):
    with tlx.async_tasks(exclusive=True):
        with tlx.async_task("default"):
            offs = tl.arange(0, N)
            some = tl.load(x + offs) > 0
            tl.store(out + offs, tlx.vote_ballot_sync(0xFFFFFFFF, some))
        with tlx.async_task(num_warps=4):
            offs = tl.arange(0, N)
            some = tl.load(x + N + offs) > 0
            tl.store(out + N + offs, tlx.vote_ballot_sync(0xFFFFFFFF, some))


@triton.jit
def exclusive(x, y, n, BLOCK: tl.constexpr, SLOTS: tl.constexpr):
    """Y = 2 x + 1 by three tasks in the only region of the kernel."""
    ring = tlx.local_alloc((BLOCK,), tlx.dtype_of(x), SLOTS)
    full, empty = tlx.alloc_barriers(SLOTS), tlx.alloc_barriers(SLOTS)
    offs = tl.program_id(0) * BLOCK
    step = tl.num_programs(0) * BLOCK
    with tlx.async_tasks(exclusive=True):
        with tlx.async_task("default"):
            for i in range(tl.cdiv(n - offs, step)):
                slot, phase = tlx.warp_spec.get_bufidx_phase(i, SLOTS)
                at = offs + i * step + tl.arange(0, BLOCK)
                tlx.barrier_wait(full[slot], phase)
                value = tlx.local_load(ring[slot])
                tlx.barrier_arrive(empty[slot])
                tl.store(y + at, value + value + 1, mask=at < n)
        with tlx.async_task(num_warps=4):
            for i in range(tl.cdiv(n - offs, step)):
                slot, phase = tlx.warp_spec.get_bufidx_phase(i, SLOTS)
                at = offs + i * step + tl.arange(0, BLOCK)
                tlx.barrier_wait(empty[slot], phase ^ 1)
                tlx.local_store(ring[slot], tl.load(x + at, mask=at < n, other=0))
                tlx.barrier_arrive(full[slot])


def unary_case(launch, reference, size, dtype):
    return Case(
        launch,
        lambda x, y: reference(x),
        lambda seed: [random("x", (size,), dtype, seed), poison((size,), dtype)],
    )


def bulk_case(blocks, block, nbytes, dtype):
    count = nbytes // np.dtype(dtype).itemsize

    def launch(x, y):
        bulk_copy[(blocks,)](x, y, block, nbytes)
        return y

    def reference(x):
        out = poison((blocks * block,), dtype)
        for start in range(0, x.size, block):
            out[start : start + count] = x[start : start + count]
        return out

    return unary_case(launch, reference, blocks * block, dtype)


def bulk_ring_case(n, block, dtype):
    size = -(-n // block) * block

    def launch(x, y):
        bulk_ring[(1,)](x, y, n, block, 3)
        return y[:n]

    return unary_case(launch, lambda x: (x + x)[:n], size, dtype)


def prefetch_case(m, n, tile, dtype):
    def launch(x, y):
        from triton.tools.tensor_descriptor import TensorDescriptor

        desc = TensorDescriptor.from_tensor(x, list(tile))
        prefetched[(triton.cdiv(m, tile[0]),)](x, desc, y, m, n, *tile)
        return y

    return Case(
        launch,
        lambda x, y: x,
        lambda seed: [random("x", (m, n), dtype, seed), poison((m, n), dtype)],
    )


def ballots(flags):
    """What 32 threads in a row get that hold one flag each, for each of them."""
    warps = flags.reshape(-1, 32).astype(np.uint32)
    words = (warps << np.arange(32, dtype=np.uint32)).sum(1, dtype=np.uint32)
    return np.repeat(words, 32).view(np.int32)


def votes_case(warps, dtype):
    """One element for each thread."""
    size = 32 * warps

    def launch(x, out):
        votes[(1,)](x, out, -1, size, num_warps=warps)
        return out

    return Case(
        launch,
        lambda x, out: ballots(x > 0),
        lambda seed: [random("x", (size,), dtype, seed), poison((size,), "int32")],
        simulated=False,
    )


def even_votes_case(size, sign):
    """All elements are alike, so the ballot does not depend on who holds them."""

    def launch(x, out):
        votes[(1,)](x, out, -1, size)
        return out

    return Case(
        launch,
        lambda x, out: np.full(size, -1 if sign > 0 else 0, np.int32),
        lambda seed: [
            np.full(size, sign, np.float32),
            poison((size,), "int32"),
        ],
    )


def task_votes_case():
    def launch(x, out):
        votes_in_tasks[(1,)](x, out, 128)
        return out

    return Case(
        launch,
        lambda x, out: ballots(x > 0),
        lambda seed: [random("x", (256,), "float32", seed), poison((256,), "int32")],
        simulated=False,
    )


def thread_votes_case():
    def launch(out):
        thread_votes[(3,)](out)
        return out

    thirds = np.uint32(sum(1 << lane for lane in range(0, 32, 3))).view(np.int32)
    return Case(
        launch,
        lambda out: np.array([thirds, -1] * 3, np.int32),
        lambda seed: [poison((6,), "int32")],
    )


def exclusive_case(n, dtype):
    def launch(x, y):
        exclusive[(3,)](x, y, n, 256, 2)
        return y

    return unary_case(launch, lambda x: x + x + x.dtype.type(1), n, dtype)


CASES = {
    "bulk_fp16": functools.partial(bulk_case, 3, 512, 1024, "float16"),
    "bulk_part_fp32": functools.partial(bulk_case, 5, 256, 1008, "float32"),
    "bulk_part_int8": functools.partial(bulk_case, 2, 1024, 16, "int8"),
    "bulk_ring_fp32": functools.partial(bulk_ring_case, 3004, 512, "float32"),
    "bulk_ring_fp16": functools.partial(bulk_ring_case, 1000, 128, "float16"),
    "prefetch_fp32": functools.partial(prefetch_case, 100, 28, (32, 32), "float32"),
    "prefetch_fp16": functools.partial(prefetch_case, 50, 56, (64, 64), "float16"),
    "votes_4_warps": functools.partial(votes_case, 4, "float32"),
    "votes_1_warp": functools.partial(votes_case, 1, "int32"),
    "votes_all": functools.partial(even_votes_case, 1024, 1),
    "votes_none": functools.partial(even_votes_case, 512, -1),
    "votes_tasks": task_votes_case,
    "votes_threads": thread_votes_case,
    "exclusive_fp32": functools.partial(exclusive_case, 5000, "float32"),
    "exclusive_fp16": functools.partial(exclusive_case, 777, "float16"),
}
