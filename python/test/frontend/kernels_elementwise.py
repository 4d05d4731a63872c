# SPDX-License-Identifier: MIT
"""Arithmetic, comparisons, casts and math, one element at a time."""

import triton
import triton.language as tl
from case import collector

CASES, case = collector()


@case("x=*fp32 y=*fp32 o=*fp32 n=i32", constants={"B": 128}, aligned=("x", "n"))
@triton.jit
def vector_add(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(o + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m, other=1.0), mask=m)


@case("x=*i32 y=*i32 o=*i32", constants={"B": 64})
@triton.jit
def integer_arithmetic(x, y, o, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    b = tl.load(y + i)
    c = (a + b) * (a - b) // (b + 1) % 7
    c = (c & a) | (b ^ 3)
    c = (c << 2) + (a >> 1) - (-b) + ~a
    tl.store(o + i, tl.minimum(c, a) + tl.maximum(c, b) + tl.abs(b))


@case("x=*u32 y=*u32 o=*u32", constants={"B": 64})
@triton.jit
def unsigned_arithmetic(x, y, o, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    b = tl.load(y + i)
    c = a // b + a % b + (a >> 3) + tl.umulhi(a, b)
    tl.store(o + i, tl.where(a < b, tl.minimum(c, b), tl.maximum(c, a)))


@case("x=*fp32 y=*fp32 o=*fp32", constants={"B": 64})
@triton.jit
def float_arithmetic(x, y, o, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    b = tl.load(y + i)
    c = a / b - (-a) * 3.0 + a % b
    c = tl.fma(a, b, c) + tl.div_rn(a, b) + tl.sqrt_rn(b)
    tl.store(o + i, tl.fdiv(c, a))


@case("x=*fp32 o=*fp32", constants={"B": 64})
@triton.jit
def math_functions(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    c = tl.exp(a) + tl.exp2(a) + tl.log(a) + tl.log2(a) + tl.sin(a) + tl.cos(a)
    c += tl.sqrt(a) + tl.rsqrt(a) + tl.abs(a) + tl.floor(a) + tl.ceil(a) + tl.erf(a)
    tl.store(o + i, c + tl.sigmoid(a))


@case("x=*fp32 y=*fp32 o=*i1", constants={"B": 64})
@triton.jit
def float_comparisons(x, y, o, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    b = tl.load(y + i)
    c = ((a < b) | (a <= b)) ^ (a > b) & (a >= b)
    tl.store(o + i, c | (a == b) | (a != b))


@case("x=*i32 y=*u32 o=*i1", constants={"B": 64})
@triton.jit
def integer_comparisons(x, y, o, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    b = tl.load(y + i)
    s = (a < 3) | (a <= 4) | (a > 5) | (a >= 6) | (a == 7) | (a != 8)
    u = (b < 3) | (b <= 4) | (b > 5) | (b >= 6) | (b == 7) | (b != 8)
    tl.store(o + i, s & u)


@case("x=*fp32 h=*fp16 b=*bf16 d=*fp64 w=*i64 c=*i8 u=*u8", constants={"B": 64})
@triton.jit
def casts(x, h, b, d, w, c, u, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    tl.store(h + i, a.to(tl.float16))
    tl.store(b + i, a.to(tl.bfloat16))
    tl.store(d + i, tl.load(h + i).to(tl.float64))
    tl.store(w + i, a.to(tl.int32).to(tl.int64))
    tl.store(c + i, tl.load(w + i).to(tl.int8))
    tl.store(u + i, a.to(tl.uint8))
    n = tl.load(u + i).to(tl.float32) + tl.load(c + i).to(tl.float32)
    k = (n != 0).to(tl.int32) + a.to(tl.int1).to(tl.int32)
    tl.store(x + i, n + k.to(tl.float32, bitcast=True))


@case("x=*fp16 e4=*fp8e4nv e5=*fp8e5 o=*fp32", constants={"B": 64})
@triton.jit
def float8_casts(x, e4, e5, o, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    tl.store(e4 + i, a.to(tl.float8e4nv))
    tl.store(e5 + i, a.to(tl.float8e5))
    tl.store(o + i, tl.load(e4 + i).to(tl.float32) + tl.load(e5 + i).to(tl.float32))


@case("x=*fp32 o=*fp16", constants={"B": 64})
@triton.jit
def rounding_and_clamp(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.clamp(tl.load(x + i), -1.0, 1.0)
    a = tl.maximum(a, 0.5, propagate_nan=tl.PropagateNan.ALL)
    a = tl.minimum(a, 0.75, propagate_nan=tl.PropagateNan.ALL)
    tl.store(o + i, a.to(tl.float16, fp_downcast_rounding="rtz"))


@case("x=*fp32 o=*i64", constants={"B": 64})
@triton.jit
def pointer_casts(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    p = x + i
    q = p.to(tl.int64).to(tl.pointer_type(tl.float32))
    r = p.to(tl.pointer_type(tl.int32), bitcast=True)
    tl.store(o + i, tl.load(q).to(tl.int64) + tl.load(r).to(tl.int64))


@case("x=*fp32 o=*fp32 s=fp32 k=i64 b=i1", constants={"B": 64, "C": 2.5})
@triton.jit
def scalars_and_constants(x, o, s, k, b, B: tl.constexpr, C: tl.constexpr):
    i = tl.arange(0, B)
    z = tl.full((B,), 3, tl.int8).to(tl.float32)
    z += tl.full((B,), 1.5, tl.bfloat16) + tl.full((B,), 2.5, tl.float64).to(tl.float32)
    z += tl.full((B,), 7, tl.int16).to(tl.float32)
    z += tl.zeros((B,), tl.float16) + C * s + k + 4294967296 + b
    z = tl.where(b, z, tl.full((B,), 200, tl.uint8).to(tl.float32))
    tl.store(o + i, z + tl.load(x + k))


@case("x=*fp32 o=*fp32 n=i32", constants={"B": 64})
@triton.jit
def hints(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    i = tl.max_contiguous(tl.multiple_of(i, 16), B)
    n = tl.multiple_of(n, 8)
    j = tl.max_constancy(i // 4, 4)
    tl.assume(n > 0)
    tl.store(o + i, tl.load(x + j + n))
