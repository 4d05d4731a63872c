# SPDX-License-Identifier: MIT
"""Votes of a warp."""

import numpy as np
import pytest
from running import run

from tlx.errors import UnsupportedError

SCALAR = """
%b = tlx.vote_ballot_sync %mask, %p : i1 -> i32
tt.store %out, %b : !tt.ptr<i32>
"""
TENSOR = """
%at = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
%n = tt.splat %num : i32 -> tensor<4xi32>
%m = arith.cmpi slt, %at, %n : tensor<4xi32>
%b = tlx.vote_ballot_sync %mask, %m : tensor<4xi1> -> tensor<4xi32>
%o = tt.splat %out : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
%q = tt.addptr %o, %at : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
tt.store %q, %b : tensor<4x!tt.ptr<i32>>
"""


@pytest.mark.parametrize(("pred", "expected"), [(1, 0xFF), (0, 0)])
def test_scalars(pred, expected):
    out = np.full(1, -1, np.int32)
    run("%out: !tt.ptr<i32>, %mask: i32, %p: i1", SCALAR, out, 0xFF, pred)
    assert out.tolist() == [expected]


@pytest.mark.parametrize(("num", "expected"), [(4, -1), (0, 0)])
def test_tensors(num, expected):
    out = np.full(4, 7, np.int32)
    run("%out: !tt.ptr<i32>, %mask: i32, %num: i32", TENSOR, out, -1, num)
    assert out.tolist() == [expected] * 4


def test_result_that_depends_on_the_layout():
    out = np.zeros(4, np.int32)
    with pytest.raises(UnsupportedError, match="depends on the layout"):
        run("%out: !tt.ptr<i32>, %mask: i32, %num: i32", TENSOR, out, -1, 2)
