# SPDX-License-Identifier: MIT
"""What cannot be compiled for a GPU is not simulated either, whatever the level."""

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

import tlx
from tlx.errors import CompileError, ResourceError

LEVELS = ("tlxir", "ttgir", "stock_ttgir")


@pytest.fixture(params=LEVELS)
def level(request):
    return request.param


def launch(level, kernel, *arguments, **options):
    with tlx.simulate(level=level):
        kernel[(1,)](*arguments, **options)


def rejected(level, kernel, *arguments, error=CompileError, **options):
    """Returns the message of the error of a launch."""
    with pytest.raises(error) as caught:
        launch(level, kernel, *arguments, **options)
    assert caught.value.line is not None
    return caught.value.message


@triton.jit
def few_elements(x, y, N: tl.constexpr):
    tile = tlx.local_alloc((N,), tl.float16, 1)[0]
    tlx.async_load(x + tl.arange(0, N), tile)
    tlx.async_load_commit_group()
    tlx.async_load_wait_group(0)
    tl.store(y + tl.arange(0, N), tlx.local_load(tile))


def test_threads_that_copy_too_few_bytes(level):
    x, y = np.arange(256).astype(np.float16), np.zeros(256, np.float16)
    launch(level, few_elements, x, y, N=256)
    np.testing.assert_array_equal(x, y)
    assert rejected(level, few_elements, x, y, N=128) == (
        "'tlx.async_load' op expects each thread to copy at least 4 bytes, but 128 "
        "elements of 'f16' give each of 128 threads 2; copy a larger buffer, or load a "
        "tensor and store it"
    )


@triton.jit
def strided(x, y, stride):
    tile = tlx.local_alloc((64, 64), tl.float16, 1)[0]
    offs = tl.arange(0, 64)
    tlx.async_load(x + offs[:, None] * 128 + offs[None, :] * stride, tile)
    tlx.async_load_commit_group()
    tlx.async_load_wait_group(0)
    tl.store(y + offs[:, None] * 64 + offs[None, :], tlx.local_load(tile))


def test_elements_that_do_not_lie_side_by_side(level):
    x, y = np.ones((64, 128), np.float16), np.zeros((64, 64), np.float16)
    launch(level, strided, x, y, 1)
    message = rejected(level, strided, x, y, 2)
    assert message.startswith("'tlx.async_load' expects each thread to copy at least 4")


@triton.jit
def product(desc, y, ROWS: tl.constexpr, COLUMNS: tl.constexpr, N: tl.constexpr):
    """Multiplies ones by a tile that TMA loads, transposed if its rows are K long."""
    a = tlx.local_alloc((64, 32), desc.dtype, 1)[0]
    tlx.local_store(a, tl.full((64, 32), 1, desc.dtype))
    tlx.fence("async_shared")
    b = tlx.local_alloc((ROWS, COLUMNS), desc.dtype, 1)[0]
    full = tlx.alloc_barriers(1)
    tlx.barrier_expect_bytes(full[0], ROWS * COLUMNS * tlx.size_of(desc.dtype))
    tlx.async_descriptor_load(desc, b, [0, 0], full[0])
    tlx.barrier_wait(full[0], 0)
    if ROWS == N:
        b = tlx.local_trans(b)
    out: tl.constexpr = tl.int32 if desc.dtype == tl.int8 else tl.float32
    acc = tlx.async_dot(a, b, tl.zeros((64, N), out), out_dtype=out)
    acc = tlx.async_dot_wait(0, acc)
    tl.store(y + tl.arange(0, 64)[:, None] * N + tl.arange(0, N)[None, :], acc)


def tile_of(shape, dtype):
    ones = tlx.simulator.tensor(np.ones(shape, dtype))
    return TensorDescriptor.from_tensor(ones, list(shape))


@pytest.mark.parametrize("dtype", [np.int8, ml_dtypes.float8_e5m2, np.float32])
def test_rows_of_products_that_run_the_wrong_way(level, dtype):
    y = np.zeros((64, 16), np.int32 if dtype is np.int8 else np.float32)
    launch(level, product, tile_of((16, 32), dtype), y, 16, 32, 16)
    assert (y == 32).all()
    message = rejected(level, product, tile_of((32, 16), dtype), y, 32, 16, 16)
    assert "8-bit and 32-bit products read both operands along K" in message


def test_products_that_are_too_small_for_their_warps(level):
    y = np.zeros((64, 16), np.float32)
    tile = tile_of((32, 16), np.float16)
    launch(level, product, tile, y, 32, 16, 16, num_warps=8)
    tile = tile_of((32, 8), np.float16)
    message = rejected(level, product, tile, y, 32, 8, 8, num_warps=8)
    assert message == (
        "'tlx.async_dot' op expects a product of 64x8 to have at most 4 warps, but its "
        "task has 8"
    )


@triton.jit
def two_buffers(x):
    a = tlx.local_alloc((128, 128), tl.float32, 2)
    b = tlx.local_alloc((128, 128), tl.float32, 2)
    tlx.local_store(a[0], tl.zeros((128, 128), tl.float32))
    tlx.local_store(b[0], tl.zeros((128, 128), tl.float32))


def test_shared_memory(level):
    message = rejected(level, two_buffers, np.zeros(4), error=ResourceError)
    assert message == (
        "expects at most 232448 bytes of shared memory on sm_90, but the kernel "
        "allocates 262144, 29696 too many"
    )


# Right on a GPU only if the lowering follows the views.


@triton.jit
def bulk_slice(x, y, STORES: tl.constexpr):
    """Copies a quarter of a slot in or out."""
    ring = tlx.local_alloc((128,), tl.float32, 2)
    part = tlx.local_slice(ring[1], [64], [32])
    full = tlx.alloc_barriers(1)
    if STORES:
        tlx.local_store(part, tl.load(x + tl.arange(0, 32)))
        tlx.fence("async_shared")
        tlx.async_store(y, part, 128)
        tlx.async_descriptor_store_wait(0)
    else:
        tlx.barrier_expect_bytes(full[0], 128)
        tlx.async_load(x, part, bulk=True, barrier=full[0], bulk_size=128)
        tlx.barrier_wait(full[0], 0)
        tl.store(y + tl.arange(0, 32), tlx.local_load(part))


@pytest.mark.parametrize("stores", [True, False])
def test_bulk_copies_of_slices(level, stores):
    x, y = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    launch(level, bulk_slice, x, y, stores)
    np.testing.assert_array_equal(x, y)


@triton.jit
def tile_of_bytes(desc, y):
    """A tile of TMA in a buffer that was allocated as bytes, behind a small one."""
    small = tlx.local_alloc((16,), tl.int8, 1)[0]
    space = tlx.local_alloc((64 * 64 * 2,), tl.int8, 1)[0]
    tlx.local_store(small, tl.full((16,), 1, tl.int8))
    tile = tlx.local_reinterpret(space, tl.float16, [64, 64])
    full = tlx.alloc_barriers(1)
    tlx.barrier_expect_bytes(full[0], 64 * 64 * 2)
    tlx.async_descriptor_load(desc, tile, [0, 0], full[0])
    tlx.barrier_wait(full[0], 0)
    offs = tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :]
    tl.store(y + offs, tlx.local_load(tile) + tl.sum(tlx.local_load(small)))


def test_buffers_are_aligned_for_their_views(level):
    x = np.arange(64 * 64).reshape(64, 64).astype(np.float16)
    y = np.zeros_like(x)
    desc = TensorDescriptor.from_tensor(tlx.simulator.tensor(x), [64, 64])
    launch(level, tile_of_bytes, desc, y)
    np.testing.assert_array_equal(x + np.float16(16), y)
