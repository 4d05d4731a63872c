# SPDX-License-Identifier: MIT
"""Assembly, device libraries, printing, assertions, barriers."""

import triton
import triton.language as tl
from case import collector
from triton.language.extra import libdevice
from triton.language.extra.cuda import gdc_launch_dependents, gdc_wait

CASES, case = collector()


@case("x=*i32 o=*i32 f=*fp32", constants={"B": 64})
@triton.jit
def inline_assembly(x, o, f, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.inline_asm_elementwise(
        "shl.b32 $0, $1, 3;", "=r,r", [tl.load(x + i)], tl.int32, is_pure=True, pack=1
    )
    a, b = tl.inline_asm_elementwise(
        "mov.b32 $0, $2; mov.b32 $1, $3;",
        "=r,=f,r,f",
        [v, tl.load(f + i)],
        (tl.int32, tl.float32),
        is_pure=False,
        pack=1,
    )
    tl.store(o + i, a)
    tl.store(f + i, b)


@case("x=*fp32 d=*fp64 o=*fp32", constants={"B": 64})
@triton.jit
def device_library(x, d, o, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    r = libdevice.tanh(v) + libdevice.pow(v, v) + libdevice.fast_expf(v)
    r += libdevice.rsqrt(tl.load(d + i)).to(tl.float32)
    tl.store(o + i, r)


@case("x=*i32 f=*fp32", constants={"B": 64})
@triton.jit
def printing(x, f, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.device_print("index and value", i, tl.load(f + i))
    tl.device_print("hex", tl.load(x), hex=True)
    print("plain", tl.program_id(2))


@case("x=*i32 n=i32", constants={"B": 64}, options={"debug": True})
@triton.jit
def assertions(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    tl.device_assert(v < n, "too large")
    tl.device_assert(n > 0)
    tl.store(x + i, v + n)


@case("x=*i32")
@triton.jit
def barriers(x):
    tl.store(x, 1)
    tl.debug_barrier()
    tl.store(x, tl.load(x + 1))
    tl.inline_asm_elementwise(
        "membar.gl; mov.b32 $0, 0;", "=r", [], tl.int32, is_pure=False, pack=1
    )


@case("x=*fp32 y=*fp32 o=*fp32", constants={"B": 64})
@triton.jit
def custom_float(x, y, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.div_rn(tl.load(x + i), tl.load(y + i)) + tl.exp2(tl.load(x + i)))


@case("x=*fp32 o=*fp32", constants={"B": 64})
@triton.jit
def dependent_launch(x, o, B: tl.constexpr):
    gdc_wait()
    i = tl.arange(0, B)
    v = tl.load(x + i)
    gdc_launch_dependents()
    tl.store(o + i, v)


@case("x=*fp32 y=*fp32 o=*fp32", constants={"B": 64}, since=(3, 9))
@triton.jit
def approximate_division(x, y, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.fdiv(tl.load(x + i), tl.load(y + i), approx=True))
