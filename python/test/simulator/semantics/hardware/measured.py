# SPDX-License-Identifier: MIT
"""Kernels whose results were recorded on hardware."""

import numpy as np
import triton
import triton.language as tl

CASES = {}


def case(*arguments):
    """Registers a kernel of one program; the last argument takes its results."""

    def add(kernel):
        CASES[kernel.fn.__name__] = (kernel, arguments)
        return kernel

    return add


def floats(*shape, dtype=np.float32):
    return lambda random: random.uniform(-8.0, 8.0, shape).astype(dtype)


def integers(low, high):
    return lambda random: random.integers(low, high, 64).astype(np.int32)


def result(*shape, dtype=np.float32):
    return lambda random: np.zeros(shape, dtype)


@triton.jit
def matrix(pointer, rows: tl.constexpr, columns: tl.constexpr):
    i, j = tl.arange(0, rows), tl.arange(0, columns)
    return pointer + i[:, None] * columns + j[None, :]


@case(floats(16, 32), floats(32, 16), result(16, 16))
@triton.jit
def product_tf32(x, y, out):
    a, b = tl.load(matrix(x, 16, 32)), tl.load(matrix(y, 32, 16))
    tl.store(matrix(out, 16, 16), tl.dot(a, b, input_precision="tf32"))


@case(floats(64, 32), floats(32, 64), result(64, 64))
@triton.jit
def product_tf32_wgmma(x, y, out):
    a, b = tl.load(matrix(x, 64, 32)), tl.load(matrix(y, 32, 64))
    tl.store(matrix(out, 64, 64), tl.dot(a, b, input_precision="tf32"))


@case(floats(16, 32), floats(32, 16), result(16, 16))
@triton.jit
def product_tf32x3(x, y, out):
    a, b = tl.load(matrix(x, 16, 32)), tl.load(matrix(y, 32, 16))
    tl.store(matrix(out, 16, 16), tl.dot(a, b, input_precision="tf32x3"))


@case(
    floats(64, 64, dtype=np.float16), floats(64, 64, dtype=np.float16), result(64, 64)
)
@triton.jit
def product_f16(x, y, out):
    a, b = tl.load(matrix(x, 64, 64)), tl.load(matrix(y, 64, 64))
    tl.store(matrix(out, 64, 64), tl.dot(a, b))


@case(floats(64, 64), floats(64, 64), result(64, 64))
@triton.jit
def product_f8(x, y, out):
    a = tl.load(matrix(x, 64, 64)).to(tl.float8e4nv)
    b = tl.load(matrix(y, 64, 64)).to(tl.float8e4nv)
    tl.store(matrix(out, 64, 64), tl.dot(a, b))


@case(floats(64, 64), floats(64, 64), result(64, 64))
@triton.jit
def product_f16_acc(x, y, out):
    a = tl.load(matrix(x, 64, 64)).to(tl.float16)
    b = tl.load(matrix(y, 64, 64)).to(tl.float16)
    tl.store(matrix(out, 64, 64), tl.dot(a, b, out_dtype=tl.float16).to(tl.float32))


def special(random):
    """Numbers at the limits of integer types, f16 and fp8, and some between."""
    x = random.uniform(-600, 600, 64).astype(np.float32)
    x[:6] = [np.nan, np.inf, -np.inf, 0, -0.0, 1e30]
    x[6:12] = [-1e30, 3e9, 449, 65520, 1e-40, 2.0**-25]
    return x


@case(special, result(9, 64, dtype=np.int32))
@triton.jit
def special_casts(x, out):
    i = tl.arange(0, 64)
    f = tl.load(x + i)
    tl.store(out + i, f.to(tl.int32))
    tl.store(out + 64 + i, f.to(tl.uint32).to(tl.int32, bitcast=True))
    tl.store(out + 128 + i, f.to(tl.int64).to(tl.int32))
    tl.store(out + 192 + i, (f.to(tl.int64) >> 32).to(tl.int32))
    tl.store(out + 256 + i, f.to(tl.int16).to(tl.int32))
    tl.store(out + 320 + i, f.to(tl.float8e4nv).to(tl.int8, bitcast=True).to(tl.int32))
    tl.store(out + 384 + i, f.to(tl.float8e5).to(tl.int8, bitcast=True).to(tl.int32))
    tl.store(out + 448 + i, f.to(tl.bfloat16).to(tl.int16, bitcast=True).to(tl.int32))
    h = f.to(tl.float16, fp_downcast_rounding="rtz")
    tl.store(out + 512 + i, h.to(tl.int16, bitcast=True).to(tl.int32))


@case(integers(-100, 100), integers(-3, 4), result(6, 64, dtype=np.int32))
@triton.jit
def open_cases(x, y, out):
    """Divisions by zero and shifts beyond the width among others."""
    i = tl.arange(0, 64)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(out + i, a // b)
    tl.store(out + 64 + i, a % b)
    ua, ub = a.to(tl.uint32, bitcast=True), b.to(tl.uint32, bitcast=True)
    tl.store(out + 128 + i, (ua // ub).to(tl.int32, bitcast=True))
    tl.store(out + 192 + i, (ua % ub).to(tl.int32, bitcast=True))
    tl.store(out + 256 + i, a << (b * 20))
    tl.store(out + 320 + i, a >> (b * 20))


def spread(random):
    """Numbers near 1 and of all sizes."""
    near, far = random.uniform(-20, 20, 128), np.exp(random.uniform(-80, 80, 128))
    return np.concatenate([near, far]).astype(np.float32)


FUNCTIONS = (
    "exp exp2 log log2 sqrt rsqrt sin cos div div_rn sqrt_rn fma erf max mul sigmoid"
).split()


@case(spread, spread, result(16, 256))
@triton.jit
def functions(x, y, out):
    i = tl.arange(0, 256)
    a, b = tl.load(x + i), tl.load(y + i)
    p = tl.abs(a)
    tl.store(out + i, tl.exp(a))
    tl.store(out + 256 + i, tl.exp2(a))
    tl.store(out + 512 + i, tl.log(p))
    tl.store(out + 768 + i, tl.log2(p))
    tl.store(out + 1024 + i, tl.sqrt(p))
    tl.store(out + 1280 + i, tl.rsqrt(p))
    tl.store(out + 1536 + i, tl.sin(a))
    tl.store(out + 1792 + i, tl.cos(a))
    tl.store(out + 2048 + i, a / b)
    tl.store(out + 2304 + i, tl.div_rn(a, b))
    tl.store(out + 2560 + i, tl.sqrt_rn(p))
    tl.store(out + 2816 + i, tl.fma(a, b, a))
    tl.store(out + 3072 + i, tl.erf(a))
    tl.store(out + 3328 + i, tl.maximum(a, b))
    tl.store(out + 3584 + i, a * b)
    tl.store(out + 3840 + i, tl.sigmoid(a))


def arguments(name):
    """Makes the arguments of a case, the same ones at each call."""
    random = np.random.default_rng(len(name))
    return [make(random) for make in CASES[name][1]]
