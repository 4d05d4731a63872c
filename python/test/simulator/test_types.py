# SPDX-License-Identifier: MIT
"""Types are read as MLIR prints them."""

import pytest

from tlx.errors import UnsupportedError
from tlx.simulator.ir.types import Buffer, Descriptor, Pointer, Scalar, Tensor, parse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tensor<2x4xf16>", Tensor((2, 4), Scalar("f16"))),
        ("tensor<i32>", Tensor((), Scalar("i32"))),
        ("tensor<4x!tt.ptr<f32>>", Tensor((4,), Pointer(Scalar("f32")))),
        ("!tt.tensordesc<64x32xf16>", Descriptor((64, 32), Scalar("f16"))),
        ("!tt.tensordesc<64xsi8>", Descriptor((64,), Scalar("i8"))),
        ("!tt.tensordesc<64xui8>", Descriptor((64,), Scalar("i8"), unsigned=True)),
        ("!tt.tensordesc<tensor<8xi32, #a<{b = 1}>>>", Descriptor((8,), Scalar("i32"))),
        ("!tlx.buffer<[3] 8x8xf16, smem>", Buffer(3, (8, 8), Scalar("f16"), "smem")),
    ],
)
def test_parse(text, expected):
    assert parse(text) == expected


def test_unknown_type():
    with pytest.raises(UnsupportedError, match="no values of type 'i128'"):
        parse("i128")
