# SPDX-License-Identifier: MIT
"""Addresses in shared memory that engines cannot take, at each level."""

import numpy as np
import pytest
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

import tlx
from tlx.errors import CompileError
from tlx.simulator.findings.memory import Misaligned

LEVELS = ("tlxir", "ttgir", "stock_ttgir")


@pytest.fixture(params=LEVELS)
def level(request):
    return request.param


@triton.jit
def tma_ring(desc, y, SIZE: tl.constexpr, SLOTS: tl.constexpr):
    ring = tlx.local_alloc((SIZE,), tl.float16, SLOTS)
    full = tlx.alloc_barriers(SLOTS)
    for i in tl.static_range(SLOTS):
        tlx.barrier_expect_bytes(full[i], SIZE * 2)
        tlx.async_descriptor_load(desc, ring[i], [i * SIZE], full[i])
    for i in tl.static_range(SLOTS):
        tlx.barrier_wait(full[i], 0)
        tl.store(y + i * SIZE + tl.arange(0, SIZE), tlx.local_load(ring[i]))


def copy_ring(level, size, slots):
    x = np.arange(size * slots).astype(np.float16)
    y = np.zeros_like(x)
    desc = TensorDescriptor.from_tensor(tlx.simulator.tensor(x), [size])
    with tlx.simulate(level=level):
        tma_ring[(1,)](desc, y, SIZE=size, SLOTS=slots)
    np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize(("size", "slots"), [(64, 3), (8, 1)])
def test_slots_that_tma_can_take(level, size, slots):
    copy_ring(level, size, slots)


@pytest.mark.parametrize(("size", "place"), [(8, 16), (32, 64)])
def test_slots_that_are_too_small_for_tma(level, size, place):
    with pytest.raises(CompileError) as caught:
        copy_ring(level, size, 3)
    assert caught.value.message == (
        "'tlx.async_descriptor_load' op expects 'result' to start at a multiple of 128 "
        f"bytes, but got a view that starts at a multiple of {place}; let a slot of "
        "the ring have a multiple of 128 bytes"
    )
    assert "async_descriptor_load(desc, ring[i]" in caught.value.location.text


@triton.jit
def tma_slice(
    source,
    target,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    ROW: tl.constexpr,
    COLUMN: tl.constexpr,
    HEIGHT: tl.constexpr,
    WIDTH: tl.constexpr,
    LOADS: tl.constexpr,
):
    """Copies a tile by way of a slice of a buffer, loading or storing it with TMA."""
    tile = tlx.local_alloc((ROWS, COLUMNS), tl.float16, 1)[0]
    part = tlx.local_slice(tile, [ROW, COLUMN], [HEIGHT, WIDTH])
    offs = tl.arange(0, HEIGHT)[:, None] * WIDTH + tl.arange(0, WIDTH)[None, :]
    full = tlx.alloc_barriers(1)
    if LOADS:
        tlx.barrier_expect_bytes(full[0], HEIGHT * WIDTH * 2)
        tlx.async_descriptor_load(source, part, [0, 0], full[0])
        tlx.barrier_wait(full[0], 0)
        tl.store(target + offs, tlx.local_load(part))
    else:
        tlx.local_store(part, tl.load(source + offs))
        tlx.fence("async_shared")
        tlx.async_descriptor_store(target, part, [0, 0])
        tlx.async_descriptor_store_wait(0)


def copy_slice(level, shape, at, size, loads):
    x = np.arange(size[0] * size[1]).astype(np.float16).reshape(size)
    y = np.zeros_like(x)
    desc = TensorDescriptor.from_tensor(tlx.simulator.tensor(x if loads else y), size)
    source, target = (desc, y) if loads else (x, desc)
    with tlx.simulate(level=level):
        tma_slice[(1,)](source, target, *shape, *at, *size, loads)
    np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("loads", [True, False])
@pytest.mark.parametrize(
    ("shape", "at", "size"),
    [
        ((128, 64), (64, 0), (64, 64)),
        ((64, 128), (0, 64), (64, 64)),
        # The columns to the left are a tile of their own: rows of 64 bytes.
        ((64, 64), (0, 32), (64, 32)),
        ((16, 8), (8, 0), (8, 8)),
    ],
)
def test_slices_that_tma_can_take(level, loads, shape, at, size):
    copy_slice(level, shape, at, list(size), loads)


@pytest.mark.parametrize(("loads", "name"), [(True, "result"), (False, "source")])
def test_slices_that_begin_between(level, loads, name):
    with pytest.raises(CompileError, match=f"'{name}' to start .* a multiple of 64"):
        copy_slice(level, (16, 8), (4, 0), [4, 8], loads)


@triton.jit
def bulk(x, y, SIZE: tl.constexpr, STORES: tl.constexpr):
    ring = tlx.local_alloc((SIZE,), tl.float32, 4)
    full = tlx.alloc_barriers(1)
    tile = ring[1]
    if STORES:
        tlx.local_store(tile, tl.load(x + tl.arange(0, SIZE)))
        tlx.fence("async_shared")
        tlx.async_store(y, tile, SIZE * 4)
        tlx.async_descriptor_store_wait(0)
    else:
        tlx.barrier_expect_bytes(full[0], SIZE * 4)
        tlx.async_load(x, tile, bulk=True, barrier=full[0], bulk_size=SIZE * 4)
        tlx.barrier_wait(full[0], 0)
        tl.store(y + tl.arange(0, SIZE), tlx.local_load(tile))


@pytest.mark.parametrize("stores", [True, False])
def test_smallest_slots_of_bulk_copies(level, stores):
    x, y = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
    with tlx.simulate(level=level):
        bulk[(1,)](x, y, SIZE=4, STORES=stores)
    np.testing.assert_array_equal(x, y)


@triton.jit
def pairs(x, y, start, n):
    """Promises that two elements always lie in one word."""
    tile = tlx.local_alloc((64, 64), tl.float16, 1)[0]
    rows, columns = tl.arange(0, 64)[:, None], tl.arange(0, 64)[None, :]
    offs = rows * 64 + columns
    places = tl.multiple_of(start + offs, (1, 2))
    tlx.async_load(x + places, tile, mask=tl.max_constancy(columns < n, (1, 2)))
    tlx.async_load_commit_group()
    tlx.async_load_wait_group(0)
    tl.store(y + offs, tlx.local_load(tile), mask=columns < n)


def copy_pairs(level, start, n):
    x = np.arange(64 * 64 + 8).astype(np.float16)
    y = np.zeros((64, 64), np.float16)
    with tlx.simulate(level=level):
        pairs[(1,)](x, y, start, n)
    expected = x[start : start + 64 * 64].reshape(64, 64)
    np.testing.assert_array_equal(y[:, :n], expected[:, :n])


@pytest.mark.parametrize(("start", "n"), [(0, 64), (2, 64), (0, 62)])
def test_cp_async_of_whole_words(level, start, n):
    copy_pairs(level, start, n)


@pytest.mark.parametrize(("start", "n", "byte"), [(5, 64, 8), (0, 63, 124), (3, 2, 4)])
def test_cp_async_of_half_a_word(level, start, n, byte):
    with pytest.raises(
        Misaligned, match=rf"whole words of 4 .* got 2 .* byte {byte} of"
    ):
        copy_pairs(level, start, n)
