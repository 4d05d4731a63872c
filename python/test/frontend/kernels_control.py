# SPDX-License-Identifier: MIT
"""Control flow: loops, branches, early returns, carried values."""

import triton
import triton.language as tl
from case import collector

CASES, case = collector()


@case("x=*fp32 o=*fp32 n=i32", constants={"B": 64})
@triton.jit
def for_loops(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    acc = tl.zeros((B,), tl.float32)
    count = 0
    for k in range(n):
        acc += tl.load(x + k * B + i)
        count += 1
    for k in range(n, 0, -1):
        acc += k
    for k in tl.range(0, n, 2, num_stages=3, loop_unroll_factor=2):
        for j in range(k, n):
            acc += tl.load(x + k + j)
    for k in tl.static_range(3):
        acc += k
    tl.store(o + i, acc + count)


@case("x=*fp32 n=i32")
@triton.jit
def loop_hints(x, n):
    for k in tl.range(0, n, flatten=True, disallow_acc_multi_buffer=True):
        tl.store(x + k, 1.0)
    for k in tl.range(0, n, disable_licm=True):
        tl.store(x + k, 2.0)
    for k in range(n.to(tl.int64)):
        tl.store(x + k, 3.0)


@case("x=*i32 o=*i32 n=i32")
@triton.jit
def while_loops(x, o, n):
    a = n
    b = 1
    while a != b and b > 0:
        if a > b:
            a -= b
        else:
            b -= a
    while a < 10:
        k = 0
        while k < a:
            k += tl.load(x + k)
        a += k
    tl.store(o, a)


@case("x=*fp32 o=*fp32 n=i32", constants={"B": 64, "FLAG": True})
@triton.jit
def branches(x, o, n, B: tl.constexpr, FLAG: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    w = v
    if n > 3:
        v = v * 2
        s = 1
    elif n < 0:
        v = v + n
        s = 2
    else:
        s = 3
    if FLAG:
        v += s
    if n == 5:
        tl.store(o, 1.0)
    u = v if n > 2 else w
    tl.store(o + i, u + (1 if FLAG else 2))


@case("x=*fp32 o=*fp32 n=i32", constants={"B": 64})
@triton.jit
def early_return(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B
    if i >= n:
        return
    v = tl.load(x + i)
    if v > 0:
        tl.store(o + i, v)
        return
    else:
        v = -v
    tl.store(o + i, v * 2)


@case("x=*fp32 o=*fp32 n=i32", constants={"B": 32})
@triton.jit
def carried_tuples(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    state = (tl.zeros((B,), tl.float32), 0)
    for k in range(n):
        state = (state[0] + tl.load(x + i + k), state[1] + k)
    a, b = state
    pair = (a, (b, 2))
    tl.store(o + i, pair[0] + pair[1][0] + pair[1][1])


@case("x=*fp32 o=*fp32 n=i32", constants={"B": 32})
@triton.jit
def logic(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    if (n > 1 and n < 9) or not (n == 4):
        tl.store(o + i, tl.load(x + i), mask=(i < n) & (i != 3))
    tl.static_assert(B == 32)
    c: tl.constexpr = B * 2
    tl.store(o + c, n.to(tl.float32))


@case("x=*fp32 n=i32")
@triton.jit
def while_condition(x, n):
    k = 0
    while tl.condition(k < n, disable_licm=True):
        tl.store(x + k, 1.0)
        k += 1
