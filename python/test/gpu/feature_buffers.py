# SPDX-License-Identifier: MIT
"""Entries of one buffer, gathers and scatters."""

import functools

import numpy as np
import triton
import triton.language as tl
from feature_cases import Case, poison, random

import tlx

__all__ = ["CASES"]


@triton.jit
def entries(x, y, z, i, E: tl.constexpr, R: tl.constexpr, C: tl.constexpr):
    """Y = x[i] + x[E - 1]; z = x with entry i negated."""
    tiles = tlx.local_alloc((E, R, C), tlx.dtype_of(x), 1)[0]
    rows = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    offs = tl.arange(0, E)[:, None, None] * R * C + rows[None, :, :]
    tlx.local_store(tiles, tl.load(x + offs))
    some = tlx.local_load(tiles[i])
    tl.store(y + rows, some + tlx.local_load(tiles[E - 1]))
    tlx.local_store(tiles[i], -some)
    tl.store(z + offs, tlx.local_load(tiles))


@triton.jit
def rows_of_a_tile(x, y, i, R: tl.constexpr, C: tl.constexpr):
    """Y = row i, then row 1."""
    tile = tlx.local_alloc((R, C), tlx.dtype_of(x), 1)[0]
    cols = tl.arange(0, C)
    offs = tl.arange(0, R)[:, None] * C + cols[None, :]
    tlx.local_store(tile, tl.load(x + offs))
    tl.store(y + cols, tlx.local_load(tile[i]))
    tl.store(y + C + cols, tlx.local_load(tile[1]))


@triton.jit
def product_of_entries(
    a_desc, b_desc, c, m, n, k, M: tl.constexpr, K: tl.constexpr, SLOTS: tl.constexpr
):
    """C = A B with operands that a task loads into entries of two buffers."""
    a = tlx.local_alloc((SLOTS, M, K), tlx.dtype_of(a_desc), 1)[0]
    b = tlx.local_alloc((SLOTS, K, 64), tlx.dtype_of(b_desc), 1)[0]
    full, empty = tlx.alloc_barriers(SLOTS), tlx.alloc_barriers(SLOTS)
    row, col = tl.program_id(0) * M, tl.program_id(1) * 64
    with tlx.async_tasks():
        with tlx.async_task("default"):
            acc = tl.zeros((M, 64), tl.float32)
            for i in range(tl.cdiv(k, K)):
                slot, phase = tlx.warp_spec.get_bufidx_phase(i, SLOTS)
                tlx.barrier_wait(full[slot], phase)
                acc = tlx.async_dot_wait(0, tlx.async_dot(a[slot], b[slot], acc))
                tlx.barrier_arrive(empty[slot])
            rows = row + tl.arange(0, M)[:, None]
            cols = col + tl.arange(0, 64)[None, :]
            tl.store(c + rows * n + cols, acc, mask=(rows < m) & (cols < n))
        with tlx.async_task(num_warps=1):
            for i in range(tl.cdiv(k, K)):
                slot, phase = tlx.warp_spec.get_bufidx_phase(i, SLOTS)
                tlx.barrier_wait(empty[slot], phase ^ 1)
                tlx.barrier_expect_bytes(full[slot], (M + 64) * K * 2)
                tlx.async_descriptor_load(a_desc, a[slot], [row, i * K], full[slot])
                tlx.async_descriptor_load(b_desc, b[slot], [i * K, col], full[slot])


@triton.jit
def gather_scatter(
    x,
    places,
    out,
    rest,
    R: tl.constexpr,
    C: tl.constexpr,
    N: tl.constexpr,
    AXIS: tl.constexpr,
):
    """Out = what the places select; rest = x with the selected elements negated."""
    tile = tlx.local_alloc((R, C), tlx.dtype_of(x), 1)[0]
    offs = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    tlx.local_store(tile, tl.load(x + offs))
    if AXIS == 0:
        at = tl.arange(0, N)[:, None] * C + tl.arange(0, C)[None, :]
    else:
        at = tl.arange(0, R)[:, None] * N + tl.arange(0, N)[None, :]
    indices = tl.load(places + at)
    some = tlx.local_gather(tile, indices, AXIS)
    tl.store(out + at, some)
    tlx.local_scatter(tile, -some, indices, AXIS)
    tl.store(rest + offs, tlx.local_load(tile))


@triton.jit
def gather_of_a_swizzled_tile(
    desc, places, out, R: tl.constexpr, C: tl.constexpr, N: tl.constexpr
):
    """Out = the rows that the places select of a tile that the TMA has loaded."""
    tile = tlx.local_alloc((R, C), tlx.dtype_of(desc), 1)[0]
    bar = tlx.alloc_barriers(1)
    tlx.barrier_expect_bytes(bar, R * C * tlx.size_of(tlx.dtype_of(desc)))
    tlx.async_descriptor_load(desc, tile, [0, 0], bar)
    tlx.barrier_wait(bar, 0)
    at = tl.arange(0, N)[:, None] * C + tl.arange(0, C)[None, :]
    tl.store(out + at, tlx.local_gather(tile, tl.load(places + at), 0))


def entries_case(index, e, r, c, dtype):
    def launch(x, y, z):
        entries[(1,)](x, y, z, index, e, r, c)
        return y, z

    def reference(x, y, z):
        negated = x.copy()
        negated[index] = -x[index]
        return x[index] + x[e - 1], negated

    return Case(
        launch,
        reference,
        lambda seed: [
            random("x", (e, r, c), dtype, seed),
            poison((r, c), dtype),
            poison((e, r, c), dtype),
        ],
    )


def rows_case(r, c, dtype):
    def launch(x, y):
        rows_of_a_tile[(1,)](x, y, r - 2, r, c)
        return y

    return Case(
        launch,
        lambda x, y: x[[r - 2, 1]],
        lambda seed: [random("x", (r, c), dtype, seed), poison((2, c), dtype)],
    )


def product_case(m, n, k, dtype, tile_k=64, slots=4):
    def launch(a, b, c):
        from triton.tools.tensor_descriptor import TensorDescriptor

        a_desc = TensorDescriptor.from_tensor(a, [64, tile_k])
        b_desc = TensorDescriptor.from_tensor(b, [tile_k, 64])
        grid = triton.cdiv(m, 64), triton.cdiv(n, 64)
        product_of_entries[grid](a_desc, b_desc, c, m, n, k, 64, tile_k, slots)
        return c

    return Case(
        launch,
        lambda a, b, c: a.astype(np.float64) @ b.astype(np.float64),
        lambda seed: [
            random("a", (m, k), dtype, seed),
            random("b", (k, n), dtype, seed),
            poison((m, n), "float32"),
        ],
        atol=1e-3,
    )


def gather_case(r, c, n, axis, dtype):
    def launch(x, places, out, rest):
        gather_scatter[(1,)](x, places, out, rest, r, c, n, axis)
        return out, rest

    def reference(x, places, out, rest):
        some = np.take_along_axis(x, places, axis)
        negated = x.copy()
        np.put_along_axis(negated, places, -some, axis)
        return some, negated

    def inputs(seed):
        shape = (n, c) if axis == 0 else (r, n)
        places = random("places", shape, "uint32", seed) % (r, c)[axis]
        return [
            random("x", (r, c), dtype, seed),
            places.astype(np.int32),
            poison(shape, dtype),
            poison((r, c), dtype),
        ]

    return Case(launch, reference, inputs)


def swizzled_gather_case(r, c, n, dtype):
    def launch(x, places, out):
        from triton.tools.tensor_descriptor import TensorDescriptor

        desc = TensorDescriptor.from_tensor(x, [r, c])
        gather_of_a_swizzled_tile[(1,)](desc, places, out, r, c, n)
        return out

    def inputs(seed):
        places = random("places", (n, c), "uint32", seed) % r
        return [
            random("x", (r, c), dtype, seed),
            places.astype(np.int32),
            poison((n, c), dtype),
        ]

    return Case(launch, lambda x, p, out: np.take_along_axis(x, p, 0), inputs)


CASES = {
    "entries_fp16": functools.partial(entries_case, 2, 4, 16, 32, "float16"),
    "entries_fp32": functools.partial(entries_case, 5, 8, 32, 64, "float32"),
    "entries_int8": functools.partial(entries_case, 0, 2, 64, 16, "int8"),
    # A number 1 is a constant for the compiler.
    "entries_constant": functools.partial(entries_case, 1, 4, 8, 64, "bfloat16"),
    "rows_fp16": functools.partial(rows_case, 16, 64, "float16"),
    "rows_fp32": functools.partial(rows_case, 4, 256, "float32"),
    "product_fp16": functools.partial(product_case, 100, 136, 520, "float16"),
    "product_bf16": functools.partial(product_case, 64, 64, 1000, "bfloat16"),
    "product_narrow": functools.partial(product_case, 130, 72, 136, "float16", 32, 2),
    "gather_rows_fp32": functools.partial(gather_case, 32, 64, 16, 0, "float32"),
    "gather_rows_fp16": functools.partial(gather_case, 16, 32, 64, 0, "float16"),
    "gather_columns_fp16": functools.partial(gather_case, 64, 128, 32, 1, "float16"),
    "gather_columns_int8": functools.partial(gather_case, 8, 16, 256, 1, "int8"),
    "gather_tma_fp16": functools.partial(swizzled_gather_case, 64, 64, 32, "float16"),
    "gather_tma_fp32": functools.partial(swizzled_gather_case, 16, 32, 128, "float32"),
}
