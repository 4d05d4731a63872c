# SPDX-License-Identifier: MIT
"""Plain kernels with their arguments, run by Triton's interpreter and by ours."""

import numpy as np
import triton
import triton.language as tl

N = 64
CASES = {}


def case(*arguments):
    """Registers a kernel of one program with arguments made from a generator.

    The last argument is the array that the kernel stores to.
    """

    def add(kernel):
        CASES[kernel.fn.__name__] = (kernel, arguments)
        return kernel

    return add


def integers(shape=N, low=-(2**31), high=2**31, dtype=np.int32):
    return lambda random: random.integers(low, high, shape).astype(dtype)


def floats(shape=N, low=-8.0, high=8.0, dtype=np.float32):
    return lambda random: random.uniform(low, high, shape).astype(dtype)


def result(shape=N, dtype=np.int32):
    return lambda random: np.zeros(shape, dtype)


@case(integers(), integers(low=1, high=1000), result((8, N)))
@triton.jit
def integer_arithmetic(x, y, out):
    i = tl.arange(0, 64)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(out + i, a + b)
    tl.store(out + 64 + i, a * b - a)
    tl.store(out + 128 + i, a // b)
    tl.store(out + 192 + i, a % b)
    tl.store(out + 256 + i, tl.minimum(a, b) ^ tl.maximum(a, b))
    tl.store(out + 320 + i, (a << (b & 31)) | (a >> (b & 31)))
    tl.store(out + 384 + i, tl.abs(a) & ~b)
    tl.store(out + 448 + i, tl.where(a < b, a, -b))


@case(integers(), integers(), result((4, N)))
@triton.jit
def unsigned_arithmetic(x, y, out):
    i = tl.arange(0, 64)
    a = tl.load(x + i).to(tl.uint32, bitcast=True)
    b = tl.load(y + i).to(tl.uint32, bitcast=True) | 1
    tl.store(out + i, (a // b).to(tl.int32, bitcast=True))
    tl.store(out + 64 + i, (a % b).to(tl.int32, bitcast=True))
    tl.store(out + 128 + i, tl.umulhi(a, b).to(tl.int32, bitcast=True))
    tl.store(out + 192 + i, (a >> 3).to(tl.int32, bitcast=True) + (a < b))


@case(integers(), floats(low=-1000, high=1000), result((8, N)))
@triton.jit
def casts(x, y, out):
    i = tl.arange(0, 64)
    a, f = tl.load(x + i), tl.load(y + i)
    tl.store(out + i, a.to(tl.int8))
    tl.store(out + 64 + i, a.to(tl.uint8))
    tl.store(out + 128 + i, f.to(tl.int32))
    tl.store(out + 192 + i, a.to(tl.float32).to(tl.int32, bitcast=True))
    tl.store(out + 256 + i, f.to(tl.float16).to(tl.int16, bitcast=True))
    # Not to bf16: the interpreter truncates, hardware rounds to nearest.
    tl.store(out + 320 + i, (a.to(tl.uint32, bitcast=True) >> 1).to(tl.int16))
    tl.store(out + 384 + i, (a > 0).to(tl.int32))
    tl.store(out + 448 + i, a.to(tl.int64).to(tl.float32).to(tl.int32, bitcast=True))


@case(floats(), floats(), result((6, N), np.float32))
@triton.jit
def float_arithmetic(x, y, out):
    i = tl.arange(0, 64)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(out + i, a + b)
    tl.store(out + 64 + i, a * b - a)
    tl.store(out + 128 + i, a / b)
    tl.store(out + 192 + i, tl.maximum(a, b) - tl.minimum(a, 0.0))
    tl.store(out + 256 + i, tl.clamp(a, -1.0, 1.0))
    tl.store(out + 320 + i, tl.floor(a) + tl.ceil(b))


@case(floats(low=0.1), result((8, N), np.float32))
@triton.jit
def math_functions(x, out):
    i = tl.arange(0, 64)
    a = tl.load(x + i)
    tl.store(out + i, tl.exp(a))
    tl.store(out + 64 + i, tl.exp2(a))
    tl.store(out + 128 + i, tl.log(a))
    tl.store(out + 192 + i, tl.log2(a))
    tl.store(out + 256 + i, tl.sqrt(a))
    tl.store(out + 320 + i, tl.rsqrt(a))
    tl.store(out + 384 + i, tl.sin(a) * tl.cos(a))
    tl.store(out + 448 + i, tl.sigmoid(a))


@case(integers((8, 16), -50, 50), result((4, 16)))
@triton.jit
def reductions(x, out):
    i, j = tl.arange(0, 8), tl.arange(0, 16)
    a = tl.load(x + i[:, None] * 16 + j[None, :])
    tl.store(out + j, tl.sum(a, axis=0))
    tl.store(out + 16 + j, tl.max(a, axis=0))
    tl.store(out + 32 + j, tl.argmin(a, axis=0))
    tl.store(out + 48 + i, tl.argmax(a, axis=1))
    tl.store(out + 56 + i, tl.xor_sum(a, axis=1))


@case(integers((8, 16), -50, 50), result((2, 8, 16)))
@triton.jit
def scans(x, out):
    i, j = tl.arange(0, 8), tl.arange(0, 16)
    at = i[:, None] * 16 + j[None, :]
    a = tl.load(x + at)
    tl.store(out + at, tl.cumsum(a, axis=1))
    tl.store(out + 128 + at, tl.cumsum(a, axis=0, reverse=True))


@case(integers((8, 16)), result((8, 16)))
@triton.jit
def shapes(x, out):
    i, j = tl.arange(0, 8), tl.arange(0, 16)
    a = tl.load(x + i[:, None] * 16 + j[None, :])
    b = tl.reshape(tl.trans(a), (8, 16))
    left, right = tl.split(tl.reshape(b, (8, 8, 2)))
    c = tl.reshape(tl.join(right, left), (8, 16))
    tl.store(out + i[:, None] * 16 + j[None, :], c)


@case(integers(N, 0, 16), integers(N, 0, N), result((2, N)))
@triton.jit
def places(x, y, out):
    i = tl.arange(0, 64)
    a = tl.load(x + i)
    tl.store(out + i, tl.gather(a, tl.load(y + i), axis=0))
    tl.store(out + 64 + tl.arange(0, 16), tl.histogram(a, 16))


@case(integers(N, -1000, 1000), result((2, N)))
@triton.jit
def sorted_numbers(x, out):
    i = tl.arange(0, 64)
    a = tl.load(x + i)
    tl.store(out + i, tl.sort(a))
    tl.store(out + 64 + i, tl.flip(a))


@case(
    integers((16, 32), -8, 8, np.float16),
    integers((32, 16), -8, 8, np.float16),
    result((16, 16), np.float32),
)
@triton.jit
def product(x, y, out):
    i, k = tl.arange(0, 16), tl.arange(0, 32)
    a = tl.load(x + i[:, None] * 32 + k[None, :])
    b = tl.load(y + k[:, None] * 16 + i[None, :])
    tl.store(out + i[:, None] * 16 + i[None, :], tl.dot(a, b))


def arguments(name):
    """Makes the arguments of a case, the same ones at each call."""
    random = np.random.default_rng(len(name))
    return [make(random) for make in CASES[name][1]]
