# SPDX-License-Identifier: MIT
"""Which thread holds which elements."""

import numpy as np
import pytest

from tlx.simulator.ir.layouts import elements_of_threads
from tlx.simulator.ir.types import Tensor, parse


def blocked(size, lanes, warps, order):
    return (
        f"#ttg.blocked<{{sizePerThread = {size}, threadsPerWarp = {lanes}, "
        f"warpsPerCTA = {warps}, order = {order}}}>"
    )


def linear(registers, lanes, warps, block="[]"):
    return (
        f"#ttg.linear<{{register = {registers}, lane = {lanes}, warp = {warps}, "
        f"block = {block}}}>"
    )


LINE = blocked([2], [32], [4], [0])


def test_neighbours_of_a_line():
    found = elements_of_threads(LINE, (256,))
    assert found.tolist() == [[2 * t, 2 * t + 1] for t in range(128)]


def test_a_long_line_is_held_in_rounds():
    found = elements_of_threads(LINE, (512,))
    assert found[3].tolist() == [6, 7, 262, 263]


def test_a_short_line_is_held_more_than_once():
    found = elements_of_threads(LINE, (64,))
    assert found[33].tolist() == [2, 3]
    assert found[1].tolist() == [2, 3]
    short = elements_of_threads(LINE, (1,))
    assert set(short.ravel().tolist()) == {0}


@pytest.mark.parametrize(("order", "row", "column"), [([1, 0], 1, 5), ([0, 1], 1, 3)])
def test_the_order_of_a_tile(order, row, column):
    """Of the 32 threads of a warp, 4 share a row of 8, or 4 rows."""
    lanes = [8, 4] if order == [1, 0] else [4, 8]
    found = elements_of_threads(blocked([1, 2], lanes, [2, 2], order), (16, 32))
    lane = 6
    along = lanes[order[0]]
    at = {order[0]: lane % along, order[1]: lane // along}
    first = at[0] * 32 + 2 * at[1]
    assert found[lane][:2].tolist() == [first, first + 1]
    # The second warp lies beside the first along the order's first dimension.
    step = 32 * lanes[0] if order[0] == 0 else 2 * lanes[1]
    assert (found[32] - found[0])[:2].tolist() == [step, step]


def test_every_element_is_held():
    for shape in ((16, 32), (64, 64), (8, 128)):
        layout = blocked([2, 4], [4, 8], [2, 2], [1, 0])
        found = elements_of_threads(layout, shape)
        assert set(found.ravel().tolist()) == set(range(shape[0] * shape[1]))
        assert np.unique(found).size == shape[0] * shape[1]


def test_slices():
    parent = blocked([1, 2], [8, 4], [4, 1], [1, 0])
    rows = elements_of_threads(f"#ttg.slice<{{dim = 1, parent = {parent}}}>", (32,))
    assert [set(thread.tolist()) for thread in rows[:9]] == [{t // 4} for t in range(9)]
    columns = elements_of_threads(f"#ttg.slice<{{dim = 0, parent = {parent}}}>", (8,))
    assert columns[5].tolist() == [2, 3]
    assert columns[37].tolist() == [2, 3]


def test_linear():
    layout = linear("[[1]]", "[[2], [4], [8], [16], [32]]", "[[64], [128]]")
    same = elements_of_threads(LINE, (256,))
    assert elements_of_threads(layout, (256,)).tolist() == same.tolist()
    square = linear("[]", "[[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]]", "[[8, 0]]")
    found = elements_of_threads(square, (16, 4))
    assert found[6].tolist() == [1 * 4 + 2]
    assert found[33].tolist() == [8 * 4 + 1]


@pytest.mark.parametrize(
    "layout",
    [
        "",
        "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], "
        "instrShape = [16, 64, 16]}>",
        linear("[]", "[[1], [2], [4], [8], [16]]", "[]", "[[32]]"),
        blocked([1, 1], [8, 4], [4, 1], [1, 0]),
    ],
)
def test_layouts_that_are_not_known(layout):
    assert elements_of_threads(layout, (128,)) is None


def test_types_keep_layouts_and_are_equal_without():
    type = parse(f"tensor<256xi32, {LINE}>")
    assert type.layout == LINE
    assert type == Tensor((256,), parse("i32"))
