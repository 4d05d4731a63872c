# SPDX-License-Identifier: MIT
"""Plain kernels whose TTGIR Triton's own pipeline makes, with arguments and results."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from tlx.simulator import tensor


@dataclasses.dataclass
class Case:
    """A kernel and a launch of it.

    Attributes:
        kernel: The kernel.
        make: Makes arguments from a generator of random numbers; returns them, the
            output among them, and what the output should be.
        grid: CTAs.
        constants: Constants and options of the compiler.
        tolerance: Largest error that rounding explains.
        marks: Operations that the TTGIR for a target has to hold, by target: what the
            kernel is here for.
    """

    kernel: Any
    make: Callable[[np.random.Generator], tuple[list[Any], np.ndarray, np.ndarray]]
    grid: tuple[int, ...]
    constants: dict[str, Any]
    tolerance: float = 0.0
    marks: dict[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)


def halves(random, *shape):
    return random.standard_normal(shape).astype(np.float16)


def exact(x):
    return x.astype(np.float64)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        x = tl.load(a + m[:, None] * K + k, (m[:, None] < M) & (k < K), 0.0)
        y = tl.load(b + k[:, None] * N + n, (k[:, None] < K) & (n < N), 0.0)
        acc = tl.dot(x, y, acc)
    inside = (m[:, None] < M) & (n < N)
    tl.store(c + m[:, None] * N + n, acc.to(tl.float16), inside)


def matmul_inputs(random, m=72, n=96, k=208):
    a, b, c = halves(random, m, k), halves(random, k, n), np.zeros((m, n), np.float16)
    return [a, b, c, m, n, k], c, exact(a) @ exact(b)


@triton.jit
def matmul_tma(
    a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, WS: tl.constexpr
):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in tl.range(0, K, BK, warp_specialize=WS):
        acc = tl.dot(a.load([m, k]), b.load([k, n]), acc)
    c.store([m, n], acc.to(tl.float16))


def tma_inputs(random, m=72, n=96, k=208):
    a, b, c = halves(random, m, k), halves(random, k, n), np.zeros((m, n), np.float16)
    blocks = ((a, [64, 32]), (b, [32, 64]), (c, [64, 64]))
    made = [TensorDescriptor.from_tensor(tensor(x), block) for x, block in blocks]
    return [*made, k], c, exact(a) @ exact(b)


@triton.jit
def matmul_device_tma(
    a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    a_desc = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    b_desc = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    c_desc = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a_desc.load([m, k]), b_desc.load([k, n]), acc)
    c_desc.store([m, n], acc.to(tl.float16))


@triton.jit
def persistent(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    columns = tl.cdiv(N, BN)
    tiles = tl.cdiv(M, BM) * columns
    for tile in tl.range(tl.program_id(0), tiles, tl.num_programs(0)):
        m, n = tile // columns * BM, tile % columns * BN
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK):
            acc = tl.dot(a.load([m, k]), b.load([k, n]), acc)
        c.store([m, n], acc.to(tl.float16))


def persistent_inputs(random):
    (*made, k), c, wanted = tma_inputs(random, 136, 160, 96)
    return [*made, 136, 160, k], c, wanted


@triton.jit
def product(a, b, c, K, BK: tl.constexpr, OUT: tl.constexpr, PRECISION: tl.constexpr):
    i = tl.arange(0, 64)
    acc = tl.zeros((64, 64), OUT)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        x, y = tl.load(a + i[:, None] * K + k), tl.load(b + k[:, None] * 64 + i)
        acc = tl.dot(x, y, acc, input_precision=PRECISION, out_dtype=OUT)
    tl.store(c + i[:, None] * 64 + i, acc)


def product_inputs(dtype, result=np.float32):
    def make(random, k=128):
        a = (random.standard_normal((64, k)) * 3).astype(dtype)
        b = (random.standard_normal((k, 64)) * 3).astype(dtype)
        c = np.zeros((64, 64), result)
        return [a, b, c, k], c, exact(a) @ exact(b)

    return make


def product_case(dtype, tolerance, result=tl.float32, precision=None):
    numpy = np.int32 if result == tl.int32 else np.float32
    constants = {"BK": 64, "OUT": result, "PRECISION": precision}
    make = product_inputs(dtype, numpy)
    return Case(product, make, (1,), constants, tolerance)


@triton.jit
def softmax(x, y, N, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    a = tl.load(x + row * N + i, i < N, -float("inf"))
    e = tl.exp(a - tl.max(a, 0))
    tl.store(y + row * N + i, e / tl.sum(e, 0), i < N)


def softmax_inputs(random):
    x = random.standard_normal((5, 100)).astype(np.float32)
    y = np.zeros_like(x)
    e = np.exp(exact(x) - exact(x).max(1, keepdims=True))
    return [x, y, 100], y, e / e.sum(1, keepdims=True)


@triton.jit
def layer_norm(x, w, y, N, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    i = tl.arange(0, BLOCK)
    a = tl.load(x + row[:, None] * N + i, i < N, 0.0)
    mean = tl.sum(a, 1) / N
    d = tl.where(i < N, a - mean[:, None], 0.0)
    scale = tl.rsqrt(tl.sum(d * d, 1) / N + 1e-5)
    made = d * scale[:, None] * tl.load(w + i, i < N, 0.0)
    tl.store(y + row[:, None] * N + i, made, i < N)


def layer_norm_inputs(random):
    x = random.standard_normal((16, 100)).astype(np.float32)
    w = random.standard_normal(100).astype(np.float32)
    y = np.zeros_like(x)
    d = exact(x) - exact(x).mean(1, keepdims=True)
    wanted = d / np.sqrt((d * d).mean(1, keepdims=True) + 1e-5) * w
    return [x, w, y, 100], y, wanted


@triton.jit
def attention(q, k, v, o, S, scale, D: tl.constexpr, ROWS: tl.constexpr):
    row, d = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, D)
    x = tl.load(q + row[:, None] * D + d, row[:, None] < S, 0.0)
    top = tl.full((ROWS,), -float("inf"), tl.float32)
    total = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    for start in range(0, S, ROWS):
        key = start + tl.arange(0, ROWS)
        y = tl.load(k + key[:, None] * D + d, key[:, None] < S, 0.0)
        scores = tl.dot(x, tl.trans(y)) * scale
        scores = tl.where(key < S, scores, -float("inf"))
        new = tl.maximum(top, tl.max(scores, 1))
        p = tl.exp2(scores - new[:, None])
        old = tl.exp2(top - new)
        total = total * old + tl.sum(p, 1)
        z = tl.load(v + key[:, None] * D + d, key[:, None] < S, 0.0)
        acc = tl.dot(p.to(tl.float16), z, acc * old[:, None])
        top = new
    made = (acc / total[:, None]).to(tl.float16)
    tl.store(o + row[:, None] * D + d, made, row[:, None] < S)


def attention_inputs(random, s=144, d=64):
    q, k, v = (halves(random, s, d) for _ in range(3))
    o = np.zeros_like(q)
    scores = exact(q) @ exact(k).T * d**-0.5
    p = np.exp(scores - scores.max(1, keepdims=True))
    wanted = p / p.sum(1, keepdims=True) @ exact(v)
    return [q, k, v, o, s, d**-0.5 * 1.4426950408889634], o, wanted


@triton.jit
def histogram(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(y + tl.load(x + i, i < n, 0), 1, i < n, sem="relaxed")


def histogram_inputs(random):
    x = random.integers(0, 7, 300).astype(np.int32)
    y = np.zeros(7, np.int32)
    return [x, y, 300], y, np.bincount(x, minlength=7)


@triton.jit
def last_adds_up(x, part, done, y, BLOCK: tl.constexpr):
    i, count = tl.program_id(0), tl.num_programs(0)
    total = tl.sum(tl.load(x + i * BLOCK + tl.arange(0, BLOCK)))
    tl.store(part + i, total)
    if tl.atomic_add(done, 1, sem="acq_rel") == count - 1:
        sums = 0
        for j in range(count):
            sums += tl.load(part + j)
        tl.store(y, sums)


def last_adds_up_inputs(random):
    x = random.integers(-100, 100, (6, 64)).astype(np.int32)
    part, done = np.zeros(6, np.int32), np.zeros(1, np.int32)
    y = np.zeros(1, np.int32)
    return [x, part, done, y], y, x.sum()


@triton.jit
def in_turns(lock, y):
    while tl.atomic_cas(lock, 0, 1, sem="acquire") == 1:
        pass
    tl.store(y, tl.load(y) + tl.program_id(0) + 1)
    tl.atomic_xchg(lock, 0, sem="release")


def in_turns_inputs(random):
    y = np.zeros(1, np.int32)
    return [np.zeros(1, np.int32), y], y, np.array([21])


@triton.jit
def running_sums(x, y, BLOCK: tl.constexpr):
    at = tl.arange(0, 16)[:, None] * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.cumsum(tl.sort(tl.load(x + at)), axis=1))


def running_sums_inputs(random):
    x = random.integers(-100, 100, (16, 64)).astype(np.int32)
    y = np.zeros_like(x)
    return [x, y], y, np.cumsum(np.sort(x, 1), 1)


@triton.jit
def swizzled(x, index, y, BLOCK: tl.constexpr):
    """Turns a tile, picks elements from it, and joins halves."""
    i, j = tl.arange(0, BLOCK)[:, None], tl.arange(0, BLOCK)
    turned = tl.trans(tl.load(x + i * BLOCK + j))
    picked = tl.gather(turned, tl.load(index + i * BLOCK + j), axis=0)
    left, right = tl.split(tl.reshape(picked, (BLOCK, BLOCK // 2, 2)))
    tl.store(y + i * BLOCK + j, tl.reshape(tl.join(right, left), (BLOCK, BLOCK)))


def swizzled_inputs(random):
    x = random.integers(-100, 100, (32, 32)).astype(np.int32)
    index = random.integers(0, 32, (32, 32)).astype(np.int32)
    y = np.zeros_like(x)
    picked = np.take_along_axis(x.T, index, 0).reshape(32, 16, 2)
    return [x, index, y], y, picked[:, :, ::-1].reshape(32, 32)


_TILES = {"BM": 64, "BN": 64, "BK": 32}
_CP_ASYNC = ("ttg.async_copy_global_to_local", "ttg.async_wait")
_WGMMA = ("ttng.warp_group_dot ", "ttng.warp_group_dot_wait")
_TMA = ("ttng.async_tma_copy_global_to_local", "ttng.wait_barrier", *_WGMMA)
CASES = {
    "matmul": Case(
        matmul,
        matmul_inputs,
        (2, 2),
        _TILES,
        0.07,
        {"sm_80": (*_CP_ASYNC, "tt.dot "), "sm_90a": (*_CP_ASYNC, *_WGMMA)},
    ),
    "matmul of few stages": Case(
        matmul, matmul_inputs, (2, 2), {**_TILES, "num_stages": 2, "num_warps": 8}, 0.07
    ),
    "matmul with TMA": Case(
        matmul_tma,
        tma_inputs,
        (2, 2),
        {**_TILES, "WS": False},
        0.07,
        {"sm_80": ("tt.dot ",), "sm_90a": _TMA},
    ),
    "matmul with device TMA": Case(
        matmul_device_tma,
        matmul_inputs,
        (2, 2),
        _TILES,
        0.07,
        {"sm_90a": (*_TMA, "ttng.tensormap_create")},
    ),
    "persistent": Case(
        persistent, persistent_inputs, (2,), _TILES, 0.07, {"sm_90a": _TMA}
    ),
    "product of bf16": product_case(ml_dtypes.bfloat16, 1e-3),
    "product of fp8": product_case(ml_dtypes.float8_e5m2, 1e-3),
    "product of int8": product_case(np.int8, 0, tl.int32),
    "product of tf32": product_case(np.float32, 0.5, precision="tf32"),
    "product of tf32x3": product_case(np.float32, 1e-3, precision="tf32x3"),
    "softmax": Case(softmax, softmax_inputs, (5,), {"BLOCK": 128}, 1e-6),
    "layer norm": Case(
        layer_norm, layer_norm_inputs, (4,), {"ROWS": 4, "BLOCK": 128}, 1e-5
    ),
    "attention": Case(
        attention,
        attention_inputs,
        (3,),
        {"D": 64, "ROWS": 64},
        2e-3,
        {"sm_80": _CP_ASYNC, "sm_90a": (*_CP_ASYNC, *_WGMMA)},
    ),
    "histogram": Case(histogram, histogram_inputs, (5,), {"BLOCK": 64}),
    "in turns": Case(in_turns, in_turns_inputs, (6,), {}),
    "last adds up": Case(last_adds_up, last_adds_up_inputs, (6,), {"BLOCK": 64}),
    "running sums": Case(running_sums, running_sums_inputs, (1,), {"BLOCK": 64}),
    "swizzled": Case(swizzled, swizzled_inputs, (1,), {"BLOCK": 32}),
}
