# SPDX-License-Identifier: MIT
"""Loads and stores with policies, tensor descriptors, atomics."""

import triton
import triton.language as tl
from case import collector

CASES, case = collector()


@case("x=*fp32 o=*fp32 n=i32", constants={"B": 128})
@triton.jit
def cache_policies(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i, eviction_policy="evict_last")
    a += tl.load(x + i, cache_modifier=".cg")
    a += tl.load(x + i, mask=i < n, cache_modifier=".ca")
    a += tl.load(x + i, mask=i < n, other=0, eviction_policy="evict_first")
    a += tl.load(x + i, volatile=True) + tl.load(x, cache_modifier=".cv")
    tl.store(o + i, a, cache_modifier=".wb")
    tl.store(o + i, a, mask=i < n, eviction_policy="evict_first")
    tl.store(o + i, a, mask=i < n, cache_modifier=".cs")


@case("x=*fp32 o=*i1 n=i32", constants={"B": 128})
@triton.jit
def boolean_memory(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    b = tl.load(o + i, mask=i < n, other=False)
    tl.store(o + i, b & (tl.load(x + i) > 0))


@case("x=*fp32 h=*fp16 k=*i32 u=*u32", constants={"B": 64})
@triton.jit
def atomic_arithmetic(x, h, k, u, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < 50
    a = tl.atomic_add(x + i, 1.5, mask=m, sem="relaxed")
    tl.atomic_add(h + i, a.to(tl.float16), sem="release", scope="cta")
    b = tl.atomic_add(k + i, 3, scope="sys")
    b = tl.atomic_max(k + i, b) + tl.atomic_min(k + i, b)
    b = tl.atomic_and(k + i, b) + tl.atomic_or(k + i, b, sem="acquire")
    b = tl.atomic_xor(k + i, b) + tl.atomic_xchg(k + i, b)
    tl.atomic_max(u + i, b.to(tl.uint32))
    tl.atomic_min(u + i, b.to(tl.uint32), mask=m)


@case("x=*fp32 k=*i32 w=*i64 n=i32", constants={})
@triton.jit
def atomic_scalars(x, k, w, n):
    tl.atomic_max(x, 2.0)
    tl.atomic_min(x + 1, n.to(tl.float32))
    old = tl.atomic_cas(k, 0, n)
    while tl.atomic_cas(k, old, 1, sem="acquire", scope="gpu") != 1:
        pass
    tl.atomic_xchg(w, old.to(tl.int64), sem="release")


@case(
    "a=tensordesc<fp16[64,32]> b=tensordesc<fp16[32,64]> "
    "c=tensordesc<fp16[64,64]> K=i32"
)
@triton.jit
def host_descriptors(a, b, c, K):
    m = tl.program_id(0) * 64
    n = tl.program_id(1) * 64
    acc = tl.zeros((64, 64), tl.float32)
    for k in range(0, K, 32):
        acc = tl.dot(a.load([m, k]), b.load([k, n]), acc)
    c.store([m, n], acc.to(tl.float16))


@case("x=*fp32 o=*i8 u=*u8 M=i32 N=i32", constants={"B": 32})
@triton.jit
def device_descriptors(x, o, u, M, N, B: tl.constexpr):
    d = tl.make_tensor_descriptor(x, [M, N], [N, 1], [B, B], padding_option="nan")
    e = tl.make_tensor_descriptor(o, [M, N], [N, 1], [B, B])
    f = tl.make_tensor_descriptor(u, [M, N], [N, 1], [B, B])
    v = d.load([tl.program_id(0) * B, 0]) + e.load([0, B]).to(tl.float32)
    e.store([B, 0], v.to(tl.int8) + f.load([0, 0]).to(tl.int8))


@case("x=*fp32 k=*i32 M=i32 N=i32", constants={"B": 32})
@triton.jit
def descriptor_reductions(x, k, M, N, B: tl.constexpr):
    d = tl.make_tensor_descriptor(x, [M, N], [N, 1], [B, B])
    d.atomic_add([0, 0], d.load([B, B]))
    e = tl.make_tensor_descriptor(k, [M, N], [N, 1], [B, B])
    v = e.load([0, 0])
    e.atomic_add([0, 0], v)
    e.atomic_and([0, 0], v)
    e.atomic_or([0, 0], v)
    e.atomic_xor([0, 0], v)
    e.atomic_min([0, 0], v)
    e.atomic_max([0, 0], v)


@case("x=*fp16 k=*i32 M=i32 N=i32", constants={"B": 32}, capability=100)
@triton.jit
def descriptor_gather_scatter(x, k, M, N, B: tl.constexpr):
    d = tl.make_tensor_descriptor(x, [M, N], [N, 1], [1, B])
    rows = tl.load(k + tl.arange(0, 32))
    v = d.gather(rows, 0)
    d.scatter(v, rows, B)


@case("x=*fp32 o=*fp32", constants={"S": (16, 32)})
@triton.jit
def constexpr_shape(x, o, S: tl.constexpr):
    p = tl.arange(0, S[0])[:, None] * S[1] + tl.arange(0, S[1])[None, :]
    tl.store(o + p, tl.load(x + p) + tl.full(S, 1.0, tl.float32))


@case("x=*i32 o=*i32", constants={"B": 32}, since=(3, 9))
@triton.jit
def atomic_loads(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.atomic_load(x + i, mask=i < 5, sem="acquire")
    tl.atomic_store(o + i, v, sem="release", scope="sys")
    tl.atomic_poll(x, 3)
