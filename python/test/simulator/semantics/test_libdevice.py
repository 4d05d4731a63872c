# SPDX-License-Identifier: MIT
"""Functions of libdevice and inline assembly."""

import math

import numpy as np
import pytest
from evaluation import evaluate

from tlx.errors import UnsupportedError


def library(symbol, args, result, *values):
    """Evaluates a library function on scalars and on arrays; both must agree."""
    results = []
    for shape in ("{}", "tensor<1x{}>"):
        types = [shape.format(t) for t in args]
        names = [f"%a{i}" for i in range(len(types))]
        params = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))
        text = f""""tt.extern_elementwise"({", ".join(names)}) <{{libname = "",
          libpath = "", pure = true, symbol = "{symbol}"}}>
          : ({", ".join(types)}) -> {shape.format(result)}"""
        results.append(evaluate(params, text, *values))
    scalar, array = results
    np.testing.assert_equal(array.reshape(()).item(), scalar)
    return scalar


@pytest.mark.parametrize(
    ("symbol", "x", "expected"),
    [
        ("__nv_tanhf", 0.5, math.tanh(0.5)),
        ("__nv_expf", 1.0, math.e),
        ("__nv_fast_expf", 1.0, math.e),
        ("__nv_exp10f", 2.0, 100.0),
        ("__nv_fabsf", -1.0, 1.0),
        ("__nv_rsqrtf", 4.0, 0.5),
        ("__nv_erff", 0.5, math.erf(0.5)),
        ("__nv_erfcf", 0.5, math.erfc(0.5)),
        ("__nv_normcdff", 0.0, 0.5),
        ("__nv_sinpif", 0.5, 1.0),
        ("__nv_cospif", 1.0, -1.0),
        ("__nv_rintf", 2.5, 2.0),
        ("__nv_nearbyintf", 3.5, 4.0),
        ("__nv_roundf", 2.5, 3.0),
        ("__nv_rcbrtf", 8.0, 0.5),
        ("__nv_lgammaf", 4.0, math.log(6)),
        ("__nv_lgammaf", 0.0, math.inf),
        ("__nv_tgammaf", 4.0, 6.0),
        ("__nv_tgammaf", -1.0, math.nan),
        ("__nv_logbf", 10.0, 3.0),
        ("__nv_logbf", 0.0, -math.inf),
        ("__nv_saturatef", 1.5, 1.0),
        ("__nv_saturatef", math.nan, 0.0),
        ("__nv_frcp_rn", 3.0, 1 / 3),
        ("__nv_fsqrt_rn", 2.0, math.sqrt(2)),
    ],
)
def test_functions_of_f32(symbol, x, expected):
    result = library(symbol, ["f32"], "f32", x)
    np.testing.assert_equal(result, np.float32(expected))


@pytest.mark.parametrize(
    ("symbol", "values", "expected"),
    [
        ("__nv_powf", (2.0, 10.0), 1024.0),
        ("__nv_fmodf", (5.5, -2.0), 1.5),
        ("__nv_hypotf", (3.0, 4.0), 5.0),
        ("__nv_rhypotf", (3.0, 4.0), 0.2),
        ("__nv_fdimf", (3.0, 5.0), 0.0),
        ("__nv_fdimf", (5.0, 3.0), 2.0),
        ("__nv_fmaxf", (math.nan, 3.0), 3.0),
        ("__nv_fminf", (-0.0, 0.0), -0.0),
        ("__nv_copysignf", (3.0, -0.0), -3.0),
        ("__nv_nextafterf", (1.0, 2.0), 1 + 2.0**-23),
        ("__nv_atan2f", (1.0, 1.0), math.pi / 4),
        ("__nv_fast_fdividef", (1.0, 3.0), 1 / 3),
        ("__nv_fadd_rn", (1.0, 2.0**-24), 1.0),
        ("__nv_fmaf", (2.0, 3.0, 1.0), 7.0),
        ("__nv_remainderf", (5.0, 3.0), -1.0),
    ],
)
def test_functions_of_more_operands(symbol, values, expected):
    result = library(symbol, ["f32"] * len(values), "f32", *values)
    assert result == np.float32(expected)


def test_functions_with_an_integer():
    assert library("__nv_ldexpf", ["f32", "i32"], "f32", 0.75, 4) == 12.0
    assert library("__nv_scalbnf", ["f32", "i32"], "f32", 0.75, -2) == 0.1875


def test_functions_of_f64_have_no_suffix():
    assert library("__nv_rsqrt", ["f64"], "f64", 4.0) == 0.5
    assert library("__nv_dmul_rn", ["f64"] * 2, "f64", 3.0, 0.1) == 3.0 * 0.1
    # `erf` ends in the letter of the suffix.
    assert library("__nv_erf", ["f64"], "f64", 0.5) == math.erf(0.5)


@pytest.mark.parametrize(
    ("symbol", "source", "result", "x", "expected"),
    [
        ("__nv_isnanf", "f32", "i32", math.nan, 1),
        ("__nv_isinff", "f32", "i32", math.nan, 0),
        ("__nv_finitef", "f32", "i32", 1.0, 1),
        ("__nv_signbitf", "f32", "i32", -0.0, 1),
        ("__nv_clz", "i32", "i32", 1, 31),
        ("__nv_clzll", "i64", "i32", 1, 63),
        ("__nv_ffs", "i32", "i32", 8, 4),
        ("__nv_ffs", "i32", "i32", 0, 0),
        ("__nv_ffsll", "i64", "i32", 1 << 40, 41),
        ("__nv_popc", "i32", "i32", -1, 32),
        ("__nv_popcll", "i64", "i32", -1, 64),
        ("__nv_abs", "i32", "i32", -5, 5),
        ("__nv_llabs", "i64", "i64", -5, 5),
        ("__nv_float_as_int", "f32", "i32", 1.0, 0x3F800000),
        ("__nv_longlong_as_double", "i64", "f64", 0, 0.0),
        ("__nv_llrintf", "f32", "i64", 2.5, 2),
        ("__nv_llround", "f64", "i64", 2.5, 3),
        ("__nv_float2int_rn", "f32", "i32", 2.5, 2),
        ("__nv_float2int_rz", "f32", "i32", -2.5, -2),
        ("__nv_float2int_rd", "f32", "i32", -2.5, -3),
        ("__nv_float2int_ru", "f32", "i32", 2.1, 3),
        ("__nv_float2int_rn", "f32", "i32", math.nan, 0),
        ("__nv_float2uint_rn", "f32", "i32", 3e9, 3_000_000_000 - 2**32),
        ("__nv_double2ll_rn", "f64", "i64", math.nan, -(2**63)),
        ("__nv_int2float_rn", "i32", "f32", -1, -1.0),
        ("__nv_uint2float_rn", "i32", "f32", -1, 2.0**32),
        ("__nv_ll2double_rn", "i64", "f64", 2**53 + 1, 2.0**53),
    ],
)
def test_integers(symbol, source, result, x, expected):
    assert library(symbol, [source], result, x) == expected


@pytest.mark.parametrize("symbol", ["__nv_j0f", "__nv_fadd_rz", "__nv_exp", "f"])
def test_unknown_function(symbol):
    with pytest.raises(UnsupportedError, match=f"no library function '{symbol}'"):
        library(symbol, ["f32"], "f32", 1.0)


def assembly(asm, constraints, types, results, values, pack=1):
    names = [f"%a{i}" for i in range(len(types))]
    params = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))
    text = f"""tt.elementwise_inline_asm "{asm}" {{constraints = "{constraints}",
      packed_element = {pack} : i32, pure = true}} {", ".join(names)} :
      {", ".join(types)} -> {", ".join(results)}"""
    return evaluate(params, text, *values)


@pytest.mark.parametrize(
    ("asm", "x", "y", "expected"),
    [
        ("add.s32 $0, $1, $2;", 2**31 - 1, 1, -(2**31)),
        ("sub.u32 $0, $1, 5;", 3, 0, -2),
        ("mul.lo.s32 $0, $1, $2;", 65536, 65536, 0),
        ("mad.lo.s32 $0, $1, $2, $1;", 3, 4, 15),
        ("min.u32 $0, $1, $2;", -1, 1, 1),
        ("max.s32 $0, $1, $2;", -1, 1, 1),
        ("shl.b32 $0, $1, 3;", 5, 0, 40),
        ("shl.b32 $0, $1, $2;", 5, 32, 0),
        ("shr.s32 $0, $1, $2;", -8, 40, -1),
        ("shr.u32 $0, $1, 31;", -8, 0, 1),
        ("and.b32 $0, $1, 0xF;", 0x123, 0, 3),
        ("not.b32 $0, $1;", 0, 0, -1),
        ("neg.s32 $0, $1;", 5, 0, -5),
        ("xor.b32 $0, $1, $2; or.b32 $0, $0, 8;", 3, 1, 10),
        ("{ mov.b32 $0, $2; }", 3, 1, 1),
    ],
)
def test_assembly_of_integers(asm, x, y, expected):
    types = ["i32", "i32"]
    assert assembly(asm, "=r,r,r", types, ["i32"], (x, y)) == expected
    types = ["tensor<2xi32>"] * 2
    result = assembly(asm, "=r,r,r", types, types[:1], ([x, x], [y, y]))
    assert result.tolist() == [expected] * 2


@pytest.mark.parametrize(
    ("asm", "x", "expected"),
    [
        ("ex2.approx.ftz.f32 $0, $1;", 3.0, 8.0),
        ("rcp.approx.f32 $0, $1;", 3.0, 1 / 3),
        ("tanh.approx.f32 $0, $1;", 0.5, math.tanh(0.5)),
        ("fma.rn.f32 $0, $1, $1, 0f3F800000;", 3.0, 10.0),
        ("max.f32 $0, $1, 0f3F800000;", math.nan, 1.0),
        ("max.NaN.f32 $0, $1, 0f3F800000;", math.nan, math.nan),
        ("cvt.rna.tf32.f32 $0, $1;", 1 + 2**-11, 1 + 2**-10),
        ("cvt.rna.tf32.f32 $0, $1;", -1 - 2**-12, -1.0),
        ("cvt.rna.tf32.f32 $0, $1;", math.inf, math.inf),
        ("cvt.rna.tf32.f32 $0, $1;", math.nan, math.nan),
    ],
)
def test_assembly_of_floats(asm, x, expected):
    result = assembly(asm, "=f,f", ["f32"], ["f32"], (x,))
    np.testing.assert_equal(result, np.float32(expected))


def test_assembly_with_two_results_and_packs():
    types = ["tensor<4xi32>"] * 2
    asm = "mov.b32 $0, $5; mov.b32 $1, $4; mov.b32 $2, 7; add.s32 $3, $4, $5;"
    first, second = assembly(
        asm, "=r,=r,=r,=r,r,r", types[:1], types, ([1, 2, 3, 4],), pack=2
    )
    assert first.tolist() == [2, 1, 4, 3]
    assert second.tolist() == [7, 3, 7, 7]


@pytest.mark.parametrize(
    "asm",
    [
        "membar.gl;",
        "@p mov.b32 $0, $1;",
        "add.rz.f32 $0, $1, $1;",
        "mov.u32 $0, %warpid;",
        "ld.global.b32 $0, [$1];",
    ],
)
def test_other_assembly_is_named(asm):
    with pytest.raises(UnsupportedError) as caught:
        assembly(asm, "=r,r", ["i32"], ["i32"], (1,))
    assert f"cannot run the assembly '{asm}'" in str(caught.value)


def test_assembly_on_packed_bytes():
    with pytest.raises(UnsupportedError, match="cannot run the assembly"):
        assembly("mov.b32 $0, $1;", "=r,r", ["i8"], ["i8"], (1,))
