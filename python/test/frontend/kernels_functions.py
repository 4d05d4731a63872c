# SPDX-License-Identifier: MIT
"""Calls: inlined and outlined functions, defaults, tuples, constants."""

from typing import NamedTuple

import triton
import triton.language as tl
from case import collector
from triton.language.core import _aggregate

CASES, case = collector()

FACTOR = tl.constexpr(3)


@triton.jit
def _scale(x, factor: tl.constexpr = 2, bias=1.0):
    return x * factor + bias


@triton.jit
def _swap(a, b):
    return b, a


@triton.jit(noinline=True)
def _outlined(p, n):
    if n > 3:
        return n + 1
    tl.store(p, n)
    return n - 1


@triton.jit
def _nothing(p):
    tl.store(p, 1)


@case("x=*fp32 o=*fp32", constants={"B": 32})
@triton.jit
def inlined_calls(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b = _swap(tl.load(x + i), _scale(tl.load(x + i + B)))
    a = _scale(a, factor=FACTOR, bias=b)
    a = _scale(a, bias=3)
    tl.store(o + i, _scale(a, FACTOR) + b)


@case("p=*i32 n=i32")
@triton.jit
def outlined_calls(p, n):
    k = _outlined(p, n)
    k += _outlined(p + 1, k)
    _nothing(p + 2)
    tl.store(p, k)


class Box(NamedTuple):
    """A pointer and a size."""

    pointer: tl.tensor
    size: tl.tensor


@triton.jit
def _store_box(box, value):
    tl.store(box.pointer, value + box.size)
    return Box(box.pointer + 1, box.size * 2)


@case("p=*i32 n=i32")
@triton.jit
def named_tuples(p, n):
    box = _store_box(Box(p, n), 5)
    _store_box(box, n)


@triton.jit
def _apply(function: tl.constexpr, x):
    return function(x)


@triton.jit
def _square(x):
    return x * x


@triton.constexpr_function
def _halve(n):
    return n // 2


@case("x=*fp32 o=*fp32", constants={"B": 32})
@triton.jit
def functions_as_arguments(x, o, B: tl.constexpr):
    i = tl.arange(0, _halve(B))
    tl.store(o + i, _apply(_square, tl.load(x + i)) + tl.cdiv(B, 3))


@case("o=*i32 a=i8 b=u16 c=u64 d=fp64")
@triton.jit
def scalar_types(o, a, b, c, d):
    v = a + b
    w = c + 1
    tl.store(o, v.to(tl.int32) + w.to(tl.int32) + d.to(tl.int32))
    tl.store(o + 1, (a // 3) + (b >> 2) + (c % 5).to(tl.int32))


@_aggregate
class Interval:
    """A lower and an upper bound."""

    low: tl.tensor
    high: tl.tensor

    @triton.constexpr_function
    def __init__(self, low, high):
        self.low = low
        self.high = high

    @triton.jit
    def middle(self):
        return (self.low + self.high) // 2


@triton.jit
def _bisect(p, interval, n):
    for _ in range(n):
        m = interval.middle()
        if tl.load(p + m) > 0:
            interval = Interval(interval.low, m)
        else:
            interval = Interval(m, interval.high)
    return interval.low


@case("p=*fp32 o=*i32 n=i32")
@triton.jit
def aggregates(p, o, n):
    tl.store(o, _bisect(p, Interval(n - n, n), 8))
