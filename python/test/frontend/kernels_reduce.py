# SPDX-License-Identifier: MIT
"""Reductions, scans, sorting, and functions of the user on elements."""

import triton
import triton.language as tl
from case import collector

CASES, case = collector()


@case("x=*fp32 o=*fp32", constants={"M": 32, "N": 64})
@triton.jit
def row_sums(x, o, M: tl.constexpr, N: tl.constexpr):
    r = tl.arange(0, M)
    v = tl.load(x + r[:, None] * N + tl.arange(0, N)[None, :])
    tl.store(o + r, tl.sum(v, 1) + tl.max(v, 1) - tl.min(v, axis=1))
    tl.store(o, tl.sum(v))


@case("x=*fp32 o=*fp32 n=i32", constants={"N": 128})
@triton.jit
def softmax(x, o, n, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + tl.program_id(0) * n + i, mask=i < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(o + tl.program_id(0) * n + i, e / tl.sum(e, axis=0), mask=i < n)


@case("x=*fp32 o=*i32 v=*fp32", constants={"N": 128})
@triton.jit
def argmax_argmin(x, o, v, N: tl.constexpr):
    a = tl.load(x + tl.arange(0, N))
    tl.store(o, tl.argmax(a, 0))
    tl.store(o + 1, tl.argmin(a, 0, tie_break_left=False))
    m, i = tl.max(a, 0, return_indices=True)
    tl.store(v, m)
    tl.store(o + 2, i)


@triton.jit
def _welford(m0, s0, n0, m1, s1, n1):
    d = m1 - m0
    n = n0 + n1
    return m0 + d * n1 / n, s0 + s1 + d * d * n0 * n1 / n, n


@case("x=*fp32 o=*fp32", constants={"M": 16, "N": 64})
@triton.jit
def welford_variance(x, o, M: tl.constexpr, N: tl.constexpr):
    r = tl.arange(0, M)
    v = tl.load(x + r[:, None] * N + tl.arange(0, N)[None, :])
    z = tl.zeros((M, N), tl.float32)
    m, s, n = tl.reduce((v, z, z + 1), 1, _welford)
    tl.store(o + r, m + s / n)


@triton.jit
def _xor(a, b):
    return a ^ b


@case("x=*i32 o=*i32", constants={"N": 64})
@triton.jit
def integer_reductions(x, o, N: tl.constexpr):
    a = tl.load(x + tl.arange(0, N))
    tl.store(o, tl.reduce(a, 0, _xor) + tl.xor_sum(a, 0) + tl.sum(a, 0))
    k = tl.sum(a[None, :], 1, keep_dims=True)
    tl.store(o + tl.arange(0, 1)[:, None], k)


@case("x=*fp32 o=*fp32", constants={"N": 64})
@triton.jit
def scans(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    tl.store(o + i, tl.cumsum(a, 0) + tl.cumprod(a, 0) + tl.cumsum(a, 0, reverse=True))


@triton.jit
def _linear(a0, b0, a1, b1):
    return a0 * a1, b0 * a1 + b1


@case("x=*fp32 o=*fp32", constants={"M": 4, "N": 64})
@triton.jit
def linear_recurrence(x, o, M: tl.constexpr, N: tl.constexpr):
    p = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + p)
    c, d = tl.associative_scan((a, a + 1), 1, _linear)
    tl.store(o + p, c + d)


@case("x=*fp32 o=*fp32", constants={"M": 2, "N": 16})
@triton.jit
def sort_rows(x, o, M: tl.constexpr, N: tl.constexpr):
    p = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(o + p, tl.sort(tl.load(x + p), descending=True))


@case("x=*i32 o=*i32", constants={"N": 16})
@triton.jit
def flip_vector(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.flip(tl.load(x + i), 0))


@triton.jit
def _compare(a, b):
    if a < b:
        return -1
    if a == b:
        return 0
    return 1


@triton.jit
def _sum_and_difference(a, b):
    return a + b, a - b


@case("x=*fp32 y=*fp32 o=*i32 p=*fp32", constants={"N": 64})
@triton.jit
def map_elements(x, y, o, p, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(o + i, tl.map_elementwise(_compare, a, b))
    c, d = tl.map_elementwise(_sum_and_difference, a, b)
    tl.store(p + i, c * d)
