# SPDX-License-Identifier: MIT
"""Votes of a warp."""

import numpy as np
import pytest
from running import run, tasks

from tlx.errors import UnsupportedError
from tlx.simulator.findings.divergence import DivergentOperation

ALL = 0xFFFFFFFF
VOTES = {
    "tlx": "%b = tlx.vote_ballot_sync %mask, %p : i1 -> i32\n",
    "nvvm": (
        '%b = llvm.call_intrinsic "llvm.nvvm.vote.ballot.sync"(%mask, %p) : '
        "(i32, i1) -> i32\n"
    ),
}
KEEP = "tt.store %out, %b : !tt.ptr<i32>\n"
SHOW = 'tt.print " " {hex = true, isSigned = array<i32: 1>} : %b : i32\n'
TENSOR = """
%at = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
%n = tt.splat %num : i32 -> tensor<4xi32>
%m = arith.cmpi slt, %at, %n : tensor<4xi32>
%b = tlx.vote_ballot_sync %mask, %m : tensor<4xi1> -> tensor<4xi32>
%o = tt.splat %out : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
%q = tt.addptr %o, %at : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
tt.store %q, %b : tensor<4x!tt.ptr<i32>>
"""


def below(n, thread="%t"):
    """Returns the predicate of the threads below a number."""
    return (
        f"{thread} = tlx.thread_id x : i32\n%n = arith.constant {n} : i32\n"
        f"%p = arith.cmpi slt, {thread}, %n : i32\n"
    )


def constant(mask):
    return f"%mask = arith.constant {mask - ((mask >> 31) << 32)} : i32\n"


@pytest.fixture
def shown(capsys):
    """Returns what each thread prints, in hexadecimal; once if all print the same."""

    def values(body, **options):
        run("", body, **options)
        lines = capsys.readouterr().out.splitlines()
        return [int(line.split()[-1], 16) for line in lines]

    return values


@pytest.mark.parametrize("dialect", VOTES)
@pytest.mark.parametrize(("pred", "expected"), [(1, -1), (0, 0)])
def test_a_predicate_of_all_threads(dialect, pred, expected):
    out = np.full(1, 7, np.int32)
    body = constant(ALL) + VOTES[dialect] + KEEP
    run("%out: !tt.ptr<i32>, %p: i1", body, out, pred)
    assert out.tolist() == [expected]


@pytest.mark.parametrize("dialect", VOTES)
@pytest.mark.parametrize("num_warps", [1, 4])
def test_half_of_each_warp(shown, dialect, num_warps):
    body = """
    %t = tlx.thread_id x : i32
    %c32 = arith.constant 32 : i32
    %c16 = arith.constant 16 : i32
    %lane = arith.remsi %t, %c32 : i32
    %p = arith.cmpi slt, %lane, %c16 : i32
    """
    found = shown(constant(ALL) + body + VOTES[dialect] + SHOW, num_warps=num_warps)
    assert found == [0xFFFF]


@pytest.mark.parametrize("dialect", VOTES)
def test_each_warp_has_its_own_ballot(shown, dialect):
    body = constant(ALL) + below(37) + VOTES[dialect] + SHOW
    assert shown(body, num_warps=4) == [ALL] * 32 + [0x1F] * 32 + [0] * 64


def test_the_lanes_of_a_ballot(shown):
    body = """
    %t = tlx.thread_id x : i32
    %c3 = arith.constant 3 : i32
    %c0 = arith.constant 0 : i32
    %third = arith.remsi %t, %c3 : i32
    %p = arith.cmpi eq, %third, %c0 : i32
    """
    expected = [
        sum(1 << lane for lane in range(32) if (32 * warp + lane) % 3 == 0)
        for warp in range(4)
        for _ in range(32)
    ]
    assert shown(constant(ALL) + body + VOTES["tlx"] + SHOW) == expected


def test_threads_of_a_task(shown):
    """Those of the second one are 128 to 191."""
    inside = constant(ALL) + below(170) + VOTES["tlx"] + SHOW
    assert shown(tasks("", inside, warps=2)) == [ALL] * 32 + [0x3FF] * 32


def inside(body, low, high):
    """Returns operations for the threads of a range."""
    return (
        f"%u = tlx.thread_id x : i32\n%low = arith.constant {low} : i32\n"
        f"%high = arith.constant {high} : i32\n"
        "%p1 = arith.cmpi sge, %u, %low : i32\n%p2 = arith.cmpi slt, %u, %high : i32\n"
        f"%p3 = arith.andi %p1, %p2 : i1\nscf.if %p3 {{\n{body}\n}}\n"
    )


@pytest.mark.parametrize("dialect", VOTES)
def test_the_threads_of_a_branch(shown, dialect):
    vote = constant(0xFFF0) + below(10) + VOTES[dialect] + SHOW
    assert shown(inside(vote, 4, 16)) == [0x3F0]
    vote = constant(0xFFF0) + "%p = arith.constant true\n" + VOTES[dialect] + SHOW
    assert shown(inside(vote, 4, 16)) == [0xFFF0]
    # Of two warps, the first votes as its threads do.
    vote = constant(ALL) + below(10) + VOTES[dialect] + SHOW
    assert shown(inside(vote, 32, 96)) == [0]


@pytest.mark.parametrize(
    ("low", "high", "mask", "warp", "reached"),
    [
        (0, 128, 0xFF, 0, ALL),
        (0, 16, ALL, 0, 0xFFFF),
        (0, 48, ALL, 1, 0xFFFF),
        (64, 65, 2, 2, 1),
    ],
)
def test_a_mask_that_names_others_than_come(low, high, mask, warp, reached):
    body = inside(constant(mask) + below(10) + VOTES["tlx"], low, high)
    with pytest.raises(DivergentOperation) as caught:
        run("", body)
    assert caught.value.message == (
        f"'tlx.vote_ballot_sync' expects 'mask' to be the threads that reach it, "
        f"{reached:#010x} in warp {warp} of the default task, but got {mask:#010x}"
    )


def test_a_mask_that_differs_by_thread():
    body = below(10) + "%mask = arith.extsi %p : i1 to i32\n" + VOTES["nvvm"]
    with pytest.raises(DivergentOperation, match="but got 0x00000000"):
        run("", body)


@pytest.mark.parametrize(("num", "expected"), [(4, -1), (0, 0)])
def test_tensors(num, expected):
    out = np.full(4, 7, np.int32)
    run("%out: !tt.ptr<i32>, %mask: i32, %num: i32", TENSOR, out, -1, num)
    assert out.tolist() == [expected] * 4


def test_result_that_depends_on_the_layout():
    out = np.zeros(4, np.int32)
    with pytest.raises(UnsupportedError, match="depends on the layout"):
        run("%out: !tt.ptr<i32>, %mask: i32, %num: i32", TENSOR, out, -1, 2)


def test_mask_of_a_vote_over_a_tensor():
    out = np.zeros(4, np.int32)
    with pytest.raises(DivergentOperation, match="but got 0x0000000f"):
        run("%out: !tt.ptr<i32>, %mask: i32, %num: i32", TENSOR, out, 15, 4)
