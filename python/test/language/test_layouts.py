# SPDX-License-Identifier: MIT
"""Layout classes: their attribute for a tile, and what they reject."""

import pytest
import triton.language as tl

import tlx
from tlx.errors import (
    ArgumentError,
    CompileError,
    DTypeError,
    LayoutError,
    ShapeError,
)


def nvmma(shape, dtype, **kwargs):
    order = list(reversed(range(len(shape))))
    return tlx.nv_mma_shared_layout_encoding(shape, order, dtype, **kwargs)


@pytest.mark.parametrize(
    ("shape", "dtype", "width"),
    [
        ((64, 64), tl.float16, 128),
        ((64, 32), tl.float16, 64),
        ((64, 16), tl.float16, 32),
        ((8, 4), tl.float16, 0),
        ((64, 32), tl.float32, 128),
        ((64, 16), tl.int8, 0),
        ((64, 32), tl.int8, 32),
    ],
)
def test_the_widest_swizzle_that_fits(shape, dtype, width):
    assert nvmma(shape, dtype).swizzle_bytes == width


def test_nvmma_spelling():
    assert nvmma((64, 64), tl.float16).to_mlir((64, 64)) == (
        "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, "
        "elementBitWidth = 16}>"
    )
    turned = nvmma((64, 32), tl.float16).make_permute((1, 0))
    assert "transposed = true" in turned.to_mlir((32, 64))
    assert "swizzlingByteWidth = 64" in turned.to_mlir((32, 64))
    assert nvmma((64, 64), tl.float16, swizzled=False).swizzle_bytes == 0
    assert nvmma((2, 64, 64), tl.float16).to_mlir((2, 64, 64)).endswith("rank = 3}>")


def test_cute_swizzle():
    assert tlx.swizzled_layout(3, 3, 3).to_mlir((64, 64)) == (
        "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>"
    )
    assert "perPhase = 2" in tlx.swizzled_layout(2, 3, 3).to_mlir((64, 32))
    with pytest.raises(LayoutError, match=r"'2\^\(S \+ M\)' to be a multiple of"):
        tlx.swizzled_layout(3, 3, 3).to_mlir((64, 128))


def test_permuted_swizzle():
    plain = tlx.swizzled_shared_layout_encoding(8, 1, 8, [1, 0])
    assert plain.make_permute((1, 0)).order == [0, 1]


def test_register_layout():
    tile = tlx.layout(shape=((32, 4), (4,)), stride=((4, 128), (1,)))
    assert tile.to_mlir((4, 128)) == (
        "#ttg.linear<{register = [[0, 1], [0, 2]], "
        "lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], "
        "warp = [[1, 0], [2, 0]], block = []}>"
    )


def test_a_broadcast_mode_has_zero_bases():
    tile = tlx.layout(shape=((32, 2), (2,)), stride=((1, 0), (32,)))
    assert "warp = [[0]]" in tile.to_mlir((64,))


def test_a_shared_spec_is_returned():
    shared = tlx.swizzled_layout(3, 3, 3)
    assert tlx.layout(shared) is shared


SWIZZLED = "'tlx.swizzled_shared_layout_encoding'"
MMA = "'tlx.nv_mma_shared_layout_encoding'"


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (
            lambda: tlx.swizzled_shared_layout_encoding(1, 1, 1, 0),
            ArgumentError,
            f"{SWIZZLED} expects 'order' to be a list of integers, but got 0",
        ),
        (
            lambda: tlx.swizzled_shared_layout_encoding(1, 1, 1, [0, "a"]),
            ArgumentError,
            f"{SWIZZLED} expects 'order[1]' to be a constexpr integer, but got 'a'",
        ),
        (
            lambda: tlx.swizzled_shared_layout_encoding(1, 1 << 31, 1, [0]),
            ArgumentError,
            f"{SWIZZLED} expects 'perPhase' to be at most 2147483647, but got "
            "2147483648",
        ),
        (
            lambda: tlx.swizzled_shared_layout_encoding(1, 1, 1, [0], 1),
            ArgumentError,
            f"{SWIZZLED} expects 'numCTAs' to be a list of integers, but got 1",
        ),
        (
            lambda: tlx.swizzled_shared_layout_encoding(1, 1, 1, orders=[0]),
            ArgumentError,
            f"{SWIZZLED} got an unknown argument 'orders', did you mean 'order'? (it "
            "takes vectorSize, perPhase, maxPhase, order, numCTAs, numCTAsPerCGA, "
            "numCTASplit, numCTAOrder)",
        ),
        (
            lambda: tlx.swizzled_layout.make_default(0),
            ArgumentError,
            "expects 'rank' to be at least 1, but got 0",
        ),
        (
            lambda: tlx.swizzled_layout.make_default(6),
            ArgumentError,
            "expects 'rank' to be at most 5, but got 6",
        ),
        (
            lambda: tlx.nv_mma_shared_layout_encoding((64,), [0], 16),
            DTypeError,
            f"{MMA} expects 'elemType' to be a scalar dtype such as tl.float16, but "
            "got 16",
        ),
        (
            lambda: tlx.nv_mma_shared_layout_encoding(64, [0], tl.float16),
            ArgumentError,
            f"{MMA} expects 'shape' to be a list of integers, but got 64",
        ),
        (
            lambda: tlx.nv_mma_shared_layout_encoding.make_default((), tl.float16),
            ShapeError,
            "expects 'shape' to be of rank 1 to 5, but got ()",
        ),
        (
            lambda: tlx.nv_mma_shared_layout_encoding.make_default(
                (64, 64), tl.float16
            ).make_permute((0, 2)),
            ArgumentError,
            "expects 'dims' to be a permutation of (0, 1), but got (0, 2)",
        ),
        (
            lambda: tlx.swizzled_layout(0, 0, 0).make_permute((0,)),
            LayoutError,
            "cannot permute a swizzled_layout by (0,)",
        ),
        (
            lambda: tlx.swizzled_shared_layout_encoding(3, 1, 1, [0]),
            ArgumentError,
            f"{SWIZZLED} expects 'vectorSize' to be a power of two, but got 3",
        ),
        (
            lambda: tlx.swizzled_shared_layout_encoding(1, 1, 1, [0, 2]),
            ArgumentError,
            f"{SWIZZLED} expects 'order' to be a permutation of (0, 1), but got (0, 2)",
        ),
        (
            lambda: tlx.swizzled_shared_layout_encoding(1, 1, 1, [0], [2]),
            ArgumentError,
            f"{SWIZZLED} expects 'numCTAs' to be made of ones, but got (2,)",
        ),
        (
            lambda: tlx.swizzled_layout(-1, 3, 3),
            ArgumentError,
            "'tlx.swizzled_layout' expects 'B' to be an integer in [0, 20], but got -1",
        ),
        (
            lambda: tlx.layout(shape=((32,), (3,)), stride=((1,), (32,))),
            ArgumentError,
            "'tlx.layout' expects 'shape' to be a power of two, but got 3",
        ),
        (
            lambda: tlx.layout(shape=((16,), (4,)), stride=((1,), (16,))).to_mlir(
                (64,)
            ),
            LayoutError,
            "expects 'shape[0]' to be of at least 32 threads, but got 16",
        ),
        (
            lambda: tlx.layout(shape=((32,), (4,)), stride=((1,), (32,))).to_mlir(
                (64,)
            ),
            LayoutError,
            "expects 'offsets' to be inside the tile of 64 elements, but got 64",
        ),
    ],
)
def test_rejected(make, error, text):
    with pytest.raises(error) as caught:
        make()
    assert str(caught.value) == text


def test_a_layout_that_the_compiler_rejects(one_line, rejects):
    pin = "tlx.nv_mma_shared_layout_encoding((64,), [0], tl.float16, fp4Padded=True)"
    line = f"tlx.local_alloc((64,), tl.float16, 2, layout={pin})"
    message = "expects 'elementBitWidth' of padded fp4 to be 8, but got 16"
    rejects(one_line(line), CompileError, message, line)
