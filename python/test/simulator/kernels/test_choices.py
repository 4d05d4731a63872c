# SPDX-License-Identifier: MIT
"""Values of TLX that a condition known at run time chooses between."""

import numpy as np
import pytest
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

import tlx

LEVELS = ("tlxir", "ttgir", "stock_ttgir")
B = tl.constexpr(64)


@triton.jit
def buffers(x, y, n):
    """Copies blocks through the buffers of a ring in turn."""
    ring = tlx.local_alloc((B,), tl.float32, 2)
    i = tl.arange(0, B)
    tlx.local_store(ring[0], tl.load(x + i))
    tlx.local_store(ring[1], tl.load(x + B + i))
    for k in range(n):
        tile = ring[0] if k % 2 == 0 else ring[1]
        tl.store(y + k * B + i, tlx.local_load(tile))


@triton.jit
def pairs(x, y, n):
    """Does so with a tuple of a buffer and a number, inside of another choice."""
    ring = tlx.local_alloc((B,), tl.float32, 2)
    i = tl.arange(0, B)
    tlx.local_store(ring[0], tl.load(x + i))
    tlx.local_store(ring[1], tl.load(x + B + i))
    for k in range(n):
        tile, place = (ring[0], 0) if k == 0 else (ring[1], B if n > 1 else 2 * B)
        tl.store(y + place + i, tlx.local_load(tile))


@triton.jit
def barriers(x, y, n):
    """Lets a second task fill the buffer whose turn it is."""
    ring = tlx.local_alloc((B,), tl.float32, 2)
    full = tlx.alloc_barriers(2)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            for k in range(n):
                bar = full[0] if k == 0 else full[1]
                tlx.barrier_wait(bar, 0)
                tile = tlx.local_load(ring[k])
                tl.store(y + k * B + tl.arange(0, B), tile)
        with tlx.async_task(num_warps=4):
            for k in range(n):
                bar = full[0] if k == 0 else full[1]
                tlx.local_store(ring[k], tl.load(x + k * B + tl.arange(0, B)))
                tlx.barrier_arrive(bar)


@triton.jit
def tokens(x, y, n):
    """Waits for the copy that was issued."""
    ring = tlx.local_alloc((B,), tl.float32, 2)
    i = tl.arange(0, B)
    for k in range(n):
        ptrs = x + k * B + i
        token = (
            tlx.async_load(ptrs, ring[0]) if k == 0 else tlx.async_load(ptrs, ring[1])
        )
        done = tlx.async_load_wait_group(0, [tlx.async_load_commit_group([token])])
        tl.store(y + k * B + i, tlx.local_load(ring[k], done))


@triton.jit
def calls(x, y, n):
    """Chooses between calls that give nothing."""
    ring = tlx.local_alloc((B,), tl.float32, 2)
    i = tl.arange(0, B)
    for k in range(n):
        tile = tl.load(x + k * B + i)
        tlx.local_store(ring[0], tile) if k == 0 else tlx.local_store(ring[1], tile)
        tl.store(y + k * B + i, tlx.local_load(ring[k]))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kernel", [buffers, pairs, barriers, tokens, calls])
def test_choices(kernel, level):
    x = np.arange(128, dtype=np.float32)
    y = np.zeros_like(x)
    with tlx.simulate(level=level):
        kernel[(1,)](x, y, 2)
    np.testing.assert_array_equal(y, x)


@triton.jit
def descriptors(a, b, y, n):
    buffer = tlx.local_alloc((B,), tl.float32, 1)[0]
    full = tlx.alloc_barriers(1)
    for k in range(n):
        desc = a if k == 0 else b
        tlx.barrier_expect_bytes(full[0], B * 4)
        tlx.async_descriptor_load(desc, buffer, [0], full[0])
        tlx.barrier_wait(full[0], k)
        tl.store(y + k * B + tl.arange(0, B), tlx.local_load(buffer))


@triton.jit
def descriptor_pointers(x, y, n):
    ptrs = tlx.allocate_tensor_descriptor(2)
    buffer = tlx.local_alloc((B,), tl.float32, 1)[0]
    full = tlx.alloc_barriers(1)
    for k in range(n):
        ptr = ptrs[0] if k == 0 else ptrs[1]
        tlx.make_tensor_descriptor(ptr, x + k * B, [B], [1], [B])
        desc = tlx.reinterpret_tensor_descriptor(ptr, [B], tl.float32)
        tlx.barrier_expect_bytes(full[0], B * 4)
        tlx.async_descriptor_load(desc, buffer, [0], full[0])
        tlx.barrier_wait(full[0], k)
        tl.store(y + k * B + tl.arange(0, B), tlx.local_load(buffer))


@pytest.mark.parametrize("level", LEVELS)
def test_choice_of_descriptors(level):
    x = np.arange(128, dtype=np.float32)
    y = np.zeros_like(x)
    with tlx.simulate(level=level):
        halves = [TensorDescriptor.from_tensor(part, [64]) for part in (x[:64], x[64:])]
        descriptors[(1,)](*halves, y, 2)
    np.testing.assert_array_equal(y, x)


@pytest.mark.parametrize("level", LEVELS)
def test_choice_of_descriptor_pointers(level):
    x = np.arange(128, dtype=np.float32)
    y = np.zeros_like(x)
    with tlx.simulate(level=level):
        descriptor_pointers[(1,)](x, y, 2)
    np.testing.assert_array_equal(y, x)
