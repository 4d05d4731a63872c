# SPDX-License-Identifier: MIT
"""Results that differ, and the store that is to blame."""

import numpy as np
import pytest
import triton
import triton.language as tl

from tlx.errors import TLXWarning
from tlx.simulator.findings.mismatch import ResultMismatch
from tlx.testing import check_kernel


@triton.jit
def scale(x_ptr, y_ptr, TILE: tl.constexpr):
    at = tl.program_id(0) * TILE + tl.arange(0, TILE)
    x = tl.load(x_ptr + at)
    tl.store(y_ptr + at, tl.where(at == 70, 0.0, 2.0 * x))


def launch(x):
    y = np.zeros_like(x)
    scale[(4,)](x, y, TILE=32)
    return y


def expect(x):
    return 2 * x


X = np.arange(1, 129, dtype=np.float32)


def test_names_the_tile_and_its_store():
    with pytest.raises(ResultMismatch) as caught:
        check_kernel(launch, expect, [X])
    error = caught.value
    assert "the first is [70]: 0.0, expected is 142.0" in error.message
    assert "tl.store" in error.location.text
    (note,) = [text for text, _ in error.notes]
    assert note == (
        "the first wrong tile is [64:96], stored by the default task of CTA (2, 0, 0); "
        "1 of its 32 elements are wrong"
    )


def test_a_tile_of_two_dimensions():
    def launch_rows(x):
        return launch(x.reshape(-1)).reshape(x.shape)

    with pytest.raises(ResultMismatch, match=r"first is \[4, 6\]") as caught:
        check_kernel(launch_rows, expect, [X.reshape(8, 16)])
    assert "[4:6, 0:16]" in caught.value.notes[0][0]


def test_nobody_has_stored_it():
    with pytest.raises(ResultMismatch) as caught:
        check_kernel(lambda x: np.zeros_like(x), expect, [X])
    assert [text for text, _ in caught.value.notes] == [
        "no launch has stored the first wrong element"
    ]


def test_the_right_result_is_none():
    check_kernel(launch, lambda x: np.where(X == 71, 0.0, 2 * x), [X])


@triton.jit
def fill(y_ptr, TILE: tl.constexpr):
    """The second program stores half of its tile over the first one's."""
    at = tl.program_id(0) * (TILE // 2) + tl.arange(0, TILE)
    tl.store(y_ptr + at, at)


def test_a_tile_that_others_have_stored_too():
    """All of what the last store has written is its tile."""

    def launch_fill(x):
        y = np.zeros(48, np.int32)
        fill[(2,)](y, TILE=32)
        return y

    wanted = np.arange(48, dtype=np.int32)
    wanted[40] = 0
    with (
        pytest.warns(TLXWarning, match="nothing orders the two"),
        pytest.raises(ResultMismatch) as caught,
    ):
        check_kernel(launch_fill, lambda x: wanted, [X])
    assert "the first wrong tile is [16:48], stored by" in caught.value.notes[0][0]
