# SPDX-License-Identifier: MIT
"""Shapes: views, permutations, joins, gathers, histograms."""

import triton
import triton.language as tl
from case import collector

CASES, case = collector()


@case("x=*fp32 o=*fp32", constants={"M": 16, "N": 32})
@triton.jit
def views(x, o, M: tl.constexpr, N: tl.constexpr):
    p = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + p)
    a = tl.reshape(v, (N, M))
    b = tl.trans(v) + v.T + tl.permute(v, 1, 0)
    c = tl.ravel(v).reshape(M // 2, 2, N).permute(2, 1, 0).view(N, M)
    tl.store(o + tl.trans(p), a + b + c)


@case("x=*fp32 o=*fp32", constants={"N": 32})
@triton.jit
def broadcasts(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    a = tl.expand_dims(v, 0) + v[:, None]
    b = tl.broadcast_to(v[None, :], (N, N))
    c, d = tl.broadcast(v[:, None], v[None, :])
    tl.store(o + i[:, None] * N + i[None, :], a + b + c * d)


@case("x=*fp32 y=*fp32 o=*fp32", constants={"N": 32})
@triton.jit
def joins(x, y, o, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    b = tl.load(y + i)
    j = tl.join(a, b)
    c, d = tl.split(j)
    k = tl.interleave(a, b)
    e = tl.cat(c, d, can_reorder=True)
    tl.store(o + tl.arange(0, 2 * N), k + e)


@case("x=*fp32 k=*i32 o=*fp32", constants={"M": 8, "N": 32})
@triton.jit
def gathers(x, k, o, M: tl.constexpr, N: tl.constexpr):
    p = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.gather(tl.load(x + p), tl.load(k + p), 1)
    tl.store(o + p, v + tl.gather(v, tl.load(k + p), axis=0))


@case("x=*i32 o=*i32 n=i32", constants={"N": 64, "B": 16})
@triton.jit
def histograms(x, o, n, N: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, N)
    h = tl.histogram(tl.load(x + i), B) + tl.histogram(tl.load(x + i), B, mask=i < n)
    tl.store(o + tl.arange(0, B), h)


@case("x=*fp32 o=*fp32", constants={"M": 16, "N": 16})
@triton.jit
def swizzle(x, o, M: tl.constexpr, N: tl.constexpr):
    i, j = tl.swizzle2d(tl.program_id(0), tl.program_id(1), M, N, 4)
    tl.store(o + i * N + j, tl.load(x + tl.num_programs(0) * i + j))


@case("o=*fp32 seed=i32", constants={"N": 64})
@triton.jit
def random_numbers(o, seed, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b, c, d = tl.randint4x(seed, i)
    r = tl.rand(seed, i) + tl.randn(seed, i) + (a ^ b ^ c ^ d).to(tl.float32)
    tl.store(o + i, r)


@case("x=*fp32 o=*fp32", constants={"N": 64})
@triton.jit
def single_elements(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    s = tl.sum(v[None, :], 1, keep_dims=True)
    tl.store(o, tl.reshape(s, (1,)).item())
    k = tl.topk(tl.squeeze(tl.unsqueeze(v, 0), 0), 4)
    tl.store(o + tl.arange(0, 4), k)
