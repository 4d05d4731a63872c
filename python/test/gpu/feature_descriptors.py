# SPDX-License-Identifier: MIT
"""Descriptors in memory, and tiles of more than 256 in a dimension."""

import functools

import numpy as np
import triton
import triton.language as tl
from feature_cases import Case, poison, random

import tlx

__all__ = ["CASES"]


@triton.jit
def copy_made(x, y, m, n, M: tl.constexpr, N: tl.constexpr):
    """Y = x with a descriptor from `make` and one that is read again."""
    ptrs = tlx.allocate_tensor_descriptor(2)
    source = tlx.make_tensor_descriptor(ptrs[0], x, [m, n], [n, 1], [M, N])
    tlx.make_tensor_descriptor(ptrs[1], y, [m, n], [n, 1], [M, N])
    target = tlx.reinterpret_tensor_descriptor(ptrs[1], [M, N], tlx.dtype_of(y))
    tile = tlx.local_alloc((M, N), tlx.dtype_of(x), 1)[0]
    bar = tlx.alloc_barriers(1)
    at_row, at_col = tl.program_id(0) * M, tl.program_id(1) * N
    tlx.barrier_expect_bytes(bar, M * N * tlx.size_of(tlx.dtype_of(x)))
    tlx.async_descriptor_load(source, tile, [at_row, at_col], bar)
    tlx.barrier_wait(bar, 0)
    tlx.async_descriptor_store(target, tile, [at_row, at_col])
    tlx.async_descriptor_store_wait(0)


@triton.jit
def padded(x, y, m, n, M: tl.constexpr, N: tl.constexpr, PAD: tl.constexpr):
    """Y = the tile that starts at (m - M // 2, 8), with its padding."""
    ptr = tlx.allocate_tensor_descriptor(1)
    desc = tlx.make_tensor_descriptor(ptr, x, [m, n], [n, 1], [M, N], PAD)
    tile = tlx.local_alloc((M, N), tlx.dtype_of(x), 1)[0]
    bar = tlx.alloc_barriers(1)
    tlx.barrier_expect_bytes(bar, M * N * tlx.size_of(tlx.dtype_of(x)))
    tlx.async_descriptor_load(desc, tile, [m - M // 2, 8], bar)
    tlx.barrier_wait(bar, 0)
    offs = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(y + offs, tlx.local_load(tile))


@triton.jit
def write_descriptor(space, i, x, m, n, M: tl.constexpr, N: tl.constexpr):
    tlx.make_tensor_descriptor(space + i * 128, x, [m, n], [n, 1], [M, N])


@triton.jit
def add_through(space, one, M: tl.constexpr, N: tl.constexpr, DTYPE: tl.constexpr):
    """Add one to a tile, with two descriptors that another kernel has made."""
    source = tlx.reinterpret_tensor_descriptor(space, [M, N], DTYPE)
    target = tlx.reinterpret_tensor_descriptor(space + 128, [M, N], DTYPE)
    tile = tlx.local_alloc((M, N), DTYPE, 1)[0]
    bar = tlx.alloc_barriers(1)
    tlx.barrier_expect_bytes(bar, M * N * tlx.size_of(DTYPE))
    tlx.async_descriptor_load(source, tile, [tl.program_id(0) * M, 0], bar)
    tlx.barrier_wait(bar, 0)
    tlx.local_store(tile, (tlx.local_load(tile) + one).to(DTYPE))
    tlx.fence("async_shared")
    tlx.async_descriptor_store(target, tile, [tl.program_id(0) * M, 0])
    tlx.async_descriptor_store_wait(0)


@triton.jit
def batches(x, y, m, n, BATCHES: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    """Y = 2 x; one task makes all descriptors, one loads, and one stores."""
    sources = tlx.allocate_tensor_descriptor(BATCHES)
    targets = tlx.allocate_tensor_descriptor(BATCHES)
    tiles = tlx.local_alloc((M, N), tlx.dtype_of(x), 2)
    made = tlx.alloc_barriers(1)
    full, empty = tlx.alloc_barriers(2), tlx.alloc_barriers(2)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.barrier_wait(made, 0)
            for i in range(BATCHES):
                slot, phase = tlx.warp_spec.get_bufidx_phase(i, 2)
                target = tlx.reinterpret_tensor_descriptor(
                    targets[i], [M, N], tlx.dtype_of(y)
                )
                tlx.barrier_wait(full[slot], phase)
                value = tlx.local_load(tiles[slot])
                tlx.local_store(tiles[slot], value + value)
                tlx.fence("async_shared")
                tlx.async_descriptor_store(target, tiles[slot], [0, 0])
                tlx.async_descriptor_store_wait(0)
                tlx.barrier_arrive(empty[slot])
        with tlx.async_task(num_warps=1):
            for i in range(BATCHES):
                at = i * m * n
                tlx.make_tensor_descriptor(sources[i], x + at, [m, n], [n, 1], [M, N])
                tlx.make_tensor_descriptor(targets[i], y + at, [m, n], [n, 1], [M, N])
            tlx.barrier_arrive(made)
        with tlx.async_task(num_warps=1):
            tlx.barrier_wait(made, 0)
            for i in range(BATCHES):
                slot, phase = tlx.warp_spec.get_bufidx_phase(i, 2)
                source = tlx.reinterpret_tensor_descriptor(
                    sources[i], [M, N], tlx.dtype_of(x)
                )
                tlx.barrier_wait(empty[slot], phase ^ 1)
                tlx.barrier_expect_bytes(
                    full[slot], M * N * tlx.size_of(tlx.dtype_of(x))
                )
                tlx.async_descriptor_load(source, tiles[slot], [0, 0], full[slot])


@triton.jit
def double_tile(source, target, at, M: tl.constexpr, N: tl.constexpr):
    """Target = 2 source; the registers see what TMA sees, in both directions."""
    DTYPE: tl.constexpr = tlx.dtype_of(source)
    tile = tlx.local_alloc((M, N), DTYPE, 1)[0]
    out = tlx.local_alloc((M, N), DTYPE, 1)[0]
    full, ready = tlx.alloc_barriers(1), tlx.alloc_barriers(1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.barrier_wait(full, 0)
            value = tlx.local_load(tile)
            tlx.local_store(out, value + value)
            tlx.fence("async_shared")
            tlx.barrier_arrive(ready)
        with tlx.async_task(num_warps=1):
            tlx.async_descriptor_prefetch_tensor(source, at)
            tlx.barrier_expect_bytes(full, M * N * tlx.size_of(DTYPE))
            tlx.async_descriptor_load(source, tile, at, full)
            tlx.barrier_wait(ready, 0)
            tlx.async_descriptor_store(target, out, at)
            tlx.async_descriptor_store_wait(0)


@triton.jit
def large_host(source, target, M: tl.constexpr, N: tl.constexpr):
    at = tl.program_id(0) * M, tl.program_id(1) * N
    double_tile(source, target, at, M, N)


@triton.jit
def large_device(x, y, m, n, M: tl.constexpr, N: tl.constexpr, OURS: tl.constexpr):
    at = tl.program_id(0) * M, tl.program_id(1) * N
    if OURS:
        ptrs = tlx.allocate_tensor_descriptor(2)
        source = tlx.make_tensor_descriptor(ptrs[0], x, [m, n], [n, 1], [M, N])
        target = tlx.make_tensor_descriptor(ptrs[1], y, [m, n], [n, 1], [M, N])
    else:
        source = tlx.make_tensor_descriptor(None, x, [m, n], [n, 1], [M, N])
        target = tl.make_tensor_descriptor(y, [m, n], [n, 1], [M, N])
    double_tile(source, target, at, M, N)


@triton.jit
def large_vector(source, target, N: tl.constexpr):
    tile = tlx.local_alloc((N,), tlx.dtype_of(source), 1)[0]
    bar = tlx.alloc_barriers(1)
    at = tl.program_id(0) * N
    tlx.barrier_expect_bytes(bar, N * tlx.size_of(tlx.dtype_of(source)))
    tlx.async_descriptor_load(source, tile, [at], bar)
    tlx.barrier_wait(bar, 0)
    value = tlx.local_load(tile)
    tlx.local_store(tile, value + value)
    tlx.fence("async_shared")
    tlx.async_descriptor_store(target, tile, [at])
    tlx.async_descriptor_store_wait(0)


def unary_case(launch, reference, shape, dtype):
    """The case of a launch from x to y of the same shape."""
    return Case(
        launch,
        lambda x, y: reference(x),
        lambda seed: [random("x", shape, dtype, seed), poison(shape, dtype)],
    )


def copy_case(m, n, tile, dtype):
    def launch(x, y):
        grid = triton.cdiv(m, tile[0]), triton.cdiv(n, tile[1])
        copy_made[grid](x, y, m, n, *tile)
        return y

    return unary_case(launch, lambda x: x, (m, n), dtype)


def padded_case(m, n, tile, dtype, padding):
    def launch(x, y):
        padded[(1,)](x, y, m, n, *tile, padding)
        return y

    def reference(x, y):
        out = np.full_like(y, np.nan if padding == "nan" else 0)
        inside = x[m - tile[0] // 2 :, 8 : 8 + tile[1]]
        out[: inside.shape[0], : inside.shape[1]] = inside
        return out

    return Case(
        launch,
        reference,
        lambda seed: [random("x", (m, n), dtype, seed), poison(tile, dtype)],
    )


def two_launches_case(m, n, tile, dtype, triton_dtype):
    def launch(x, y, space):
        write_descriptor[(1,)](space, 0, x, m, n, *tile)
        write_descriptor[(1,)](space, 1, y, m, n, *tile)
        add_through[(triton.cdiv(m, tile[0]),)](space, 1.0, *tile, triton_dtype)
        return y

    return Case(
        launch,
        lambda x, y, space: (x.astype(np.float32) + 1).astype(x.dtype),
        lambda seed: [
            random("x", (m, n), dtype, seed),
            poison((m, n), dtype),
            np.zeros(256, np.int8),
        ],
        simulated=False,
    )


def batches_case(count, m, n, tile, dtype):
    def launch(x, y):
        batches[(1,)](x, y, m, n, count, *tile)
        return y

    return unary_case(launch, lambda x: x + x, (count, m, n), dtype)


def large_case(m, n, tile, dtype, kind):
    def launch(x, y):
        from triton.tools.tensor_descriptor import TensorDescriptor

        grid = triton.cdiv(m, tile[0]), triton.cdiv(n, tile[1])
        if kind == "host":
            source, target = (
                TensorDescriptor.from_tensor(t, list(tile)) for t in (x, y)
            )
            large_host[grid](source, target, *tile, num_warps=8)
        else:
            large_device[grid](x, y, m, n, *tile, kind == "ours", num_warps=8)
        return y

    return unary_case(launch, lambda x: x + x, (m, n), dtype)


def vector_case(n, tile, dtype):
    def launch(x, y):
        from triton.tools.tensor_descriptor import TensorDescriptor

        source, target = (TensorDescriptor.from_tensor(t, [tile]) for t in (x, y))
        large_vector[(triton.cdiv(n, tile),)](source, target, tile)
        return y

    return unary_case(launch, lambda x: x + x, (n,), dtype)


CASES = {
    "made_fp16": functools.partial(copy_case, 100, 72, (32, 64), "float16"),
    "made_fp32": functools.partial(copy_case, 77, 20, (16, 32), "float32"),
    "made_int8": functools.partial(copy_case, 50, 48, (64, 32), "int8"),
    "made_wide_rows": functools.partial(copy_case, 33, 264, (16, 256), "bfloat16"),
    "padding_nan": functools.partial(padded_case, 40, 56, (32, 64), "float16", "nan"),
    "padding_zero": functools.partial(padded_case, 24, 24, (16, 32), "float32", "zero"),
    "two_launches_fp16": functools.partial(
        two_launches_case, 130, 40, (64, 64), "float16", tl.float16
    ),
    "two_launches_fp32": functools.partial(
        two_launches_case, 50, 28, (16, 32), "float32", tl.float32
    ),
    "batches_fp16": functools.partial(batches_case, 5, 50, 56, (64, 64), "float16"),
    "batches_fp32": functools.partial(batches_case, 8, 30, 20, (32, 32), "float32"),
    "vector_fp32": functools.partial(vector_case, 3000, 1024, "float32"),
    "vector_fp16": functools.partial(vector_case, 1000, 512, "float16"),
}
for _kind in ("host", "triton", "ours"):
    for _name, _arguments in {
        "rows_fp16": (700, 72, (512, 64), "float16"),
        "rows_fp32": (1000, 20, (512, 16), "float32"),
        "columns_fp16": (7, 1000, (4, 512), "float16"),
        "both_int8": (520, 528, (512, 16), "int8"),
    }.items():
        CASES[f"large_{_kind}_{_name}"] = functools.partial(
            large_case, *_arguments, _kind
        )
