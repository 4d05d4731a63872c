# SPDX-License-Identifier: MIT
"""Types of buffers and barriers: spelling, equality, mangling."""

import itertools
import re

import pytest
import triton.language as tl

import tlx
from tlx.language.types import mlir_element


def buffer(dtype=tl.float16, shape=(64, 32), num=3, layout=None):
    return tlx.buffered_tensor_type(dtype, shape, num, tlx.storage_kind.smem, layout)


def test_spelling_of_buffers():
    assert buffer().mlir == "!tlx.buffer<[3] 64x32xf16, smem>"
    assert buffer(num=0).mlir == "!tlx.buffer<64x32xf16, smem>"
    assert buffer().slot() == buffer(num=0)
    pin = tlx.swizzled_shared_layout_encoding.make_default(2)
    assert buffer(layout=pin).mlir == (
        "!tlx.buffer<[3] 64x32xf16, smem, #ttg.swizzled_shared<"
        "{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>>"
    )


def test_spelling_of_barriers():
    assert tlx.mbarrier_type(3, arrive_count=2).mlir == "!tlx.barrier<[3], count = 2>"
    assert tlx.mbarrier_type(0).mlir == "!tlx.barrier<count = 1>"
    warp = tlx.mbarrier_type(1, is_warp_barrier=True, arrive_count=128)
    assert warp.mlir == "!tlx.barrier<[1], count = 128, warp>"
    assert warp.slot().mlir == "!tlx.barrier<count = 128, warp>"
    assert tlx.async_token_type().mlir == "!tlx.token"


DIFFERENT = [
    buffer(),
    buffer(num=0),
    buffer(num=2),
    buffer(shape=(32, 64)),
    buffer(shape=(6432,)),
    buffer(dtype=tl.bfloat16),
    buffer(dtype=tl.int8),
    buffer(dtype=tl.uint8),
    buffer(layout=tlx.swizzled_layout(0, 0, 0)),
    buffer(layout=tlx.swizzled_layout(3, 3, 3)),
    tlx.mbarrier_type(3),
    tlx.mbarrier_type(2),
    tlx.mbarrier_type(3, arrive_count=2),
    tlx.mbarrier_type(3, is_warp_barrier=True),
    tlx.async_token_type(),
]


@pytest.mark.parametrize(
    ("one", "other"), list(itertools.combinations(range(len(DIFFERENT)), 2))
)
def test_types_that_differ_mangle_differently(one, other):
    a, b = DIFFERENT[one], DIFFERENT[other]
    assert a != b
    assert a.mangle() != b.mangle()


@pytest.mark.parametrize("number", range(len(DIFFERENT)))
def test_mangled_names_are_symbols(number):
    assert re.fullmatch(r"\w+", DIFFERENT[number].mangle())


def test_equal_types_are_equal():
    assert buffer() == buffer(shape=[tl.constexpr(64), 32])
    assert hash(buffer()) == hash(buffer())
    assert buffer().nbytes == 64 * 32 * 2


@pytest.mark.parametrize("name", [*tl.dtype.SINT_TYPES, *tl.dtype.UINT_TYPES])
def test_integers_are_signless(name):
    bits = re.sub(r"\D", "", name)
    assert mlir_element(tl.dtype(name)) == f"i{bits}"


@pytest.mark.parametrize("name", tl.dtype.FP_TYPES)
def test_every_float_has_a_spelling(name):
    assert re.fullmatch(r"b?f\d+(E\dM\d\w*)?", mlir_element(tl.dtype(name)))
