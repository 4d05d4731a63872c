# SPDX-License-Identifier: MIT
"""Matrix products."""

import triton
import triton.language as tl
from case import collector

CASES, case = collector()

_TILES = {"BM": 64, "BN": 64, "BK": 32}


@triton.jit
def _tile(p, rows, cols, stride):
    return tl.load(p + rows[:, None] * stride + cols[None, :])


@case("a=*fp16 b=*fp16 c=*fp16 K=i32", constants=_TILES, aligned=("a", "b", "K"))
@triton.jit
def gemm_fp16(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        kk = k + tl.arange(0, BK)
        acc = tl.dot(_tile(a, m, kk, K), _tile(b, kk, n, K), acc)
    tl.store(c + m[:, None] * K + n[None, :], acc.to(tl.float16))


@case("a=*bf16 b=*bf16 c=*fp32", constants=_TILES)
@triton.jit
def dot_bf16(a, b, c, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.arange(0, BM)
    n = tl.arange(0, BN)
    k = tl.arange(0, BK)
    d = tl.dot(_tile(a, m, k, BK), _tile(b, k, n, BN))
    tl.store(c + m[:, None] * BN + n[None, :], d)


@case("a=*fp32 b=*fp32 c=*fp32", constants=_TILES)
@triton.jit
def dot_precisions(a, b, c, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.arange(0, BM)
    n = tl.arange(0, BN)
    k = tl.arange(0, BK)
    x = _tile(a, m, k, BK)
    y = _tile(b, k, n, BN)
    d = tl.dot(x, y, input_precision="tf32")
    d += tl.dot(x, y, input_precision="tf32x3")
    d = tl.dot(x, y, d, input_precision="ieee")
    tl.store(c + m[:, None] * BN + n[None, :], d)


@case("a=*fp8e4nv b=*fp8e4nv c=*fp32", constants=_TILES)
@triton.jit
def dot_fp8(a, b, c, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.arange(0, BM)
    n = tl.arange(0, BN)
    k = tl.arange(0, BK)
    d = tl.dot(_tile(a, m, k, BK), _tile(b, k, n, BN), max_num_imprecise_acc=16)
    tl.store(c + m[:, None] * BN + n[None, :], d)


@case("a=*i8 b=*i8 c=*i32", constants=_TILES)
@triton.jit
def dot_int8(a, b, c, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.arange(0, BM)
    n = tl.arange(0, BN)
    k = tl.arange(0, BK)
    d = tl.dot(_tile(a, m, k, BK), _tile(b, k, n, BN), out_dtype=tl.int32)
    tl.store(c + m[:, None] * BN + n[None, :], d)


@case("a=*fp16 b=*fp16 c=*fp16", constants=_TILES)
@triton.jit
def batched_dot(a, b, c, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    z = tl.arange(0, 2)[:, None, None]
    m = tl.arange(0, BM)[None, :, None]
    n = tl.arange(0, BN)[None, None, :]
    x = tl.load(a + z * BM * BK + m * BK + tl.arange(0, BK)[None, None, :])
    y = tl.load(b + z * BK * BN + tl.arange(0, BK)[None, :, None] * BN + n)
    d = tl.dot(x, y, out_dtype=tl.float16)
    tl.store(c + z * BM * BN + m * BN + n, d)


@case("a=*u8 s=*u8 b=*bf16 c=*fp32", constants={"M": 64, "N": 64, "K": 64})
@triton.jit
def scaled_dot_fp4(a, s, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    x = _tile(a, m, tl.arange(0, K // 2), K // 2)
    y = _tile(b, tl.arange(0, K), n, N)
    f = _tile(s, m, tl.arange(0, K // 32), K // 32)
    d = tl.dot_scaled(x, f, "e2m1", y, None, "bf16")
    tl.store(c + m[:, None] * N + n[None, :], d)


@case(
    "a=*fp8e4nv s=*u8 b=*fp8e5 t=*u8 c=*fp32",
    constants={"M": 128, "N": 128, "K": 128},
    capability=100,
)
@triton.jit
def scaled_dot_fp8(a, s, b, t, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    k = tl.arange(0, K)
    f = _tile(s, m, tl.arange(0, K // 32), K // 32)
    g = _tile(t, n, tl.arange(0, K // 32), K // 32)
    acc = tl.zeros((M, N), tl.float32)
    acc = tl.dot_scaled(_tile(a, m, k, K), f, "e4m3", _tile(b, k, n, N), g, "e5m2", acc)
    tl.store(c + m[:, None] * N + n[None, :], acc)
