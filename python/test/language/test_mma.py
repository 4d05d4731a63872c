# SPDX-License-Identifier: MIT
"""wgmma: operand forms, element types, limits, and what needs Blackwell."""

import pytest
import triton
import triton.language as tl

import tlx
from tlx.errors import (
    ArgumentError,
    DTypeError,
    ShapeError,
    TargetError,
    UnsupportedError,
)


def test_operands_in_shared_memory_and_registers(tlxir):
    @triton.jit
    def kernel(p):
        a = tlx.local_alloc((64, 64), tl.float16, 2)
        b = tlx.local_alloc((64, 128), tl.float16, 2)
        acc = tl.zeros((64, 128), tl.float32)
        acc = tlx.async_dot(a[0], b[0], acc)
        acc = tlx.async_dot(tlx.local_load(a[1]), b[1], acc, use_acc=p > 0)
        acc = tlx.async_dot_wait(1, acc)
        tlx.async_dot_wait(0, acc)

    text = tlxir(kernel, {"p": "i32"})
    b = "!tlx.buffer<64x128xf16, smem> -> tensor<64x128xf32>"
    assert f": !tlx.buffer<64x64xf16, smem>, {b}" in text
    assert f": tensor<64x64xf16>, {b}" in text
    assert text.count(" use_acc %") == 1
    assert "tlx.async_dot_wait 1, %" in text
    assert text.count(": tensor<64x128xf32>") >= 2


def test_no_accumulator_is_zero(tlxir):
    @triton.jit
    def kernel():
        a = tlx.local_alloc((64, 64), tl.float16, 1)
        acc = tlx.async_dot(a, tlx.local_trans(a[0]))
        acc = tlx.async_dot(a, a, acc, use_acc=False)
        tlx.async_dot_wait(0, acc)

    text = tlxir(kernel)
    assert "dense<0.000000e+00> : tensor<64x64xf32>" in text
    assert "arith.constant false" in text
    assert text.count(" use_acc %") == 1


def test_several_results_wait_together(tlxir):
    @triton.jit
    def kernel():
        a = tlx.local_alloc((64, 64), tl.float16, 1)
        x, y = tlx.async_dot_wait(0, (tlx.async_dot(a, a), tlx.async_dot(a, a)))
        tlx.local_store(a, (x + y).to(tl.float16))

    assert ": tensor<64x64xf32>, tensor<64x64xf32>" in tlxir(kernel)


# Element type of A, of B, K, out_dtype argument, element of D.
COMBINATIONS = [
    ("tl.float16", "tl.float16", 16, None, "f32"),
    ("tl.float16", "tl.float16", 16, "tl.float16", "f16"),
    ("tl.bfloat16", "tl.bfloat16", 16, None, "f32"),
    ("tl.float32", "tl.float32", 8, None, "f32"),
    ("tl.float8e4nv", "tl.float8e5", 32, None, "f32"),
    ("tl.float8e5", "tl.float8e5", 32, "tl.float16", "f16"),
    ("tl.int8", "tl.int8", 32, None, "i32"),
    ("tl.int8", "tl.int8", 32, "tl.int32", "i32"),
]


@pytest.mark.parametrize(("a", "b", "k", "out", "element"), COMBINATIONS)
def test_element_types(a, b, k, out, element, one_line, tlxir):
    extra = "" if out is None else f", out_dtype={out}"
    text = tlxir(
        one_line(
            f"a = tlx.local_alloc((64, {k}), {a}, 1)",
            f"b = tlx.local_alloc(({k}, 8), {b}, 1)",
            f"tlx.async_dot_wait(0, tlx.async_dot(a, b{extra}))",
        )
    )
    assert f"-> tensor<64x8x{element}>" in text


def test_the_accumulator_decides_the_result(one_line, tlxir):
    text = tlxir(
        one_line(
            "a = tlx.local_alloc((64, 64), tl.float16, 1)",
            "d = tlx.async_dot(a, a, tl.zeros((64, 64), tl.float16))",
            "tlx.async_dot_wait(0, d)",
        )
    )
    assert "-> tensor<64x64xf16>" in text


def test_fp8_limits_the_length_of_inexact_sums(one_line, tlxir):
    text = tlxir(
        one_line(
            "a = tlx.local_alloc((64, 64), tl.float8e5, 1)",
            "tlx.async_dot_wait(0, tlx.async_dot(a, a))",
        )
    )
    assert "max_num_imprecise_acc = 1073741824 : i32" in text


SETUP = (
    "a = tlx.local_alloc((64, 64), tl.float16, 1)[0]",
    "b = tlx.local_alloc((64, 128), tl.float16, 1)[0]",
    "x = tlx.local_alloc((64, 64), tl.bfloat16, 1)[0]",
    "wide = tlx.local_alloc((64, 512), tl.float16, 1)[0]",
    "low = tlx.local_alloc((32, 64), tl.float16, 1)[0]",
    "thin = tlx.local_alloc((64, 8), tl.float16, 1)[0]",
    "i16 = tlx.local_alloc((64, 64), tl.int16, 1)[0]",
    "u8 = tlx.local_alloc((64, 64), tl.uint8, 1)[0]",
)
DOT = "tlx.async_dot"
REJECTED = [
    ("a, tl.zeros((64, 64), tl.float16)", ArgumentError, "expects 'B' to be a buffer"),
    ("3, b", ArgumentError, "expects 'A' to be a buffer or a tensor, but got 3"),
    (
        "a, x",
        DTypeError,
        "expects 'B' to be of A's dtype fp16, but got bf16",
    ),
    (
        "i16, i16",
        DTypeError,
        "expects 'A' to be of dtype fp16, bf16, fp32, fp8e4nv, fp8e5, int8, but "
        "got int16",
    ),
    # Triton's product of 8-bit integers is that of signed ones.
    (
        "u8, u8",
        DTypeError,
        "expects 'A' to be of dtype fp16, bf16, fp32, fp8e4nv, fp8e5, int8, but got "
        "uint8",
    ),
    (
        "a, low",
        ShapeError,
        "expects 'B' to be of shape (64, N) for A of (64, 64), but got (32, 64)",
    ),
    ("low, a", ShapeError, "expects 'M' to be a multiple of 64, but got 32"),
    ("a, wide", ShapeError, "expects 'N' to be a multiple of 8 up to 256, but got 512"),
    (
        "thin, tlx.local_trans(thin)",
        ShapeError,
        "expects 'K' to be a multiple of 16 for fp16, but got 8",
    ),
    (
        "a, b, tl.zeros((64, 64), tl.float32)",
        ShapeError,
        "expects 'acc' to be of shape (64, 128), but got (64, 64)",
    ),
    (
        "a, b, tl.zeros((64, 128), tl.bfloat16)",
        DTypeError,
        "expects 'acc' to be of dtype fp32 or fp16 for fp16 operands, but got bf16",
    ),
    (
        "a, b, out_dtype=tl.bfloat16",
        DTypeError,
        "expects 'out_dtype' to be of dtype fp32 or fp16 for fp16 operands, but got "
        "bf16",
    ),
    (
        "a, b, a",
        TargetError,
        "takes an accumulator buffer on Blackwell (sm_100) only",
    ),
    (
        "a, b, mBarriers=[tlx.alloc_barriers(1)]",
        TargetError,
        "takes 'mBarriers' on Blackwell (sm_100) only",
    ),
    (
        "a, b, two_ctas=True",
        TargetError,
        "takes 'two_ctas' on Blackwell (sm_100) only",
    ),
    (
        "a, b, use_acc=1",
        DTypeError,
        "expects 'use_acc' to be a boolean scalar (int1), but got 1",
    ),
    (
        "a, b, input_precision='ieee'",
        ArgumentError,
        "expects 'input_precision' to be 'tf32' or None, but got 'ieee'",
    ),
]


@pytest.mark.parametrize(("arguments", "error", "text"), REJECTED)
def test_rejected(arguments, error, text, one_line, rejects):
    line = f"{DOT}({arguments})"
    if text.endswith("a buffer"):
        text += ", but got a run-time value of type fp16[64, 64]"
    rejects(one_line(*SETUP, line), error, f"'{DOT}' {text}", line)


def test_waits(one_line, rejects):
    line = "tlx.async_dot_wait(-1, tlx.async_dot(a, b))"
    text = "'tlx.async_dot_wait' expects 'pendings' to be at least 0, but got -1"
    rejects(one_line(*SETUP, line), ArgumentError, text, line)
    line = "tlx.async_dot_wait(0, a)"
    text = (
        "'tlx.async_dot_wait' expects 'inp' to be the tensor of an async_dot, but got "
        "a buffer of fp16[64, 64]"
    )
    rejects(one_line(*SETUP, line), ArgumentError, text, line)


@pytest.mark.parametrize(
    ("arch", "error", "text"),
    [
        (80, TargetError, "needs sm_90 (wgmma), but the target is sm_80"),
        (120, TargetError, "needs sm_90 (wgmma), but the target is sm_120"),
        (
            100,
            UnsupportedError,
            "has no Blackwell form (accumulator in tensor memory) in this version",
        ),
    ],
)
def test_other_targets(arch, error, text, one_line, rejects):
    line = f"{DOT}(a, b)"
    rejects(one_line(*SETUP, line), error, f"'{DOT}' {text}", line, arch=arch)
