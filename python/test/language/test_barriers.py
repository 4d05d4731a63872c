# SPDX-License-Identifier: MIT
"""mbarriers, named barriers and fences: IR and errors, both sides of limits."""

import pytest
import triton
import triton.language as tl

import tlx
from tlx.errors import (
    ArgumentError,
    BarrierError,
    DTypeError,
    ResourceError,
    UnsupportedError,
)


def test_mbarrier_ops(tlxir):
    @triton.jit
    def kernel(i, phase, p):
        bars = tlx.alloc_barriers(3, arrive_count=2)
        tlx.barrier_expect_bytes(bars[i], 16384)
        tlx.barrier_expect_bytes(bars[i], 128, pred=p > 0)
        tlx.barrier_wait(bars[i], phase)
        tlx.barrier_wait(bars[0], 1, p > 0)
        tlx.barrier_arrive(bars[1])
        tlx.barrier_arrive(bars[1], 2, pred=p > 0)

    text = tlxir(kernel, {"i": "i32", "phase": "i32", "p": "i32"})
    one = ": !tlx.barrier<count = 2>"
    assert "tlx.alloc_barriers : !tlx.barrier<[3], count = 2>" in text
    assert text.count(f": !tlx.barrier<[3], count = 2> -> {one[2:]}") == 6
    lines = [line.strip() for line in text.splitlines() if " tlx.barrier_" in line]
    lines = [line for line in lines if line.startswith("tlx.") and line.endswith(one)]
    assert [("pred" in line) for line in lines] == [
        False,
        True,
        False,
        True,
        False,
        True,
    ]
    assert ", 16384 " in lines[0]
    assert ", 128 pred " in lines[1]
    assert lines[4].split("%")[1].split(",")[1].strip().startswith("1")


def test_warp_barrier(tlxir):
    @triton.jit
    def kernel():
        bars = tlx.alloc_warp_barrier(2, num_warps=4, num_arrivals=2)
        tlx.barrier_arrive(bars[0])
        tlx.barrier_wait(bars[0], 0)

    text = tlxir(kernel)
    assert "tlx.alloc_barriers : !tlx.barrier<[2], count = 256, warp>" in text
    assert text.count("-> !tlx.barrier<count = 256, warp>") == 2


def test_the_only_barrier_of_an_array_needs_no_index(tlxir):
    @triton.jit
    def kernel():
        bar = tlx.alloc_barriers(1)
        tlx.barrier_wait(bar, 0)

    assert "tlx.barrier_view" in tlxir(kernel)


def test_phases_of_every_integer_type(tlxir):
    @triton.jit
    def kernel(n):
        bar = tlx.alloc_barriers(1)
        tlx.barrier_wait(bar, n > 0)
        tlx.barrier_wait(bar, n.to(tl.int64) & 1)
        tlx.barrier_wait(bar, True)

    text = tlxir(kernel, {"n": "i32"})
    # A boolean true is parity 1: it is not sign-extended to -1.
    assert "arith.extui" in text
    assert "arith.extsi %{{.*}} : i1" not in text
    assert "arith.trunci" in text


def test_named_barriers_and_fences(tlxir):
    @triton.jit
    def kernel(i):
        tlx.named_barrier_wait(9, 256)
        tlx.named_barrier_arrive(i, 128)
        tlx.fence("async_shared")
        tlx.fence("gpu")
        tlx.fence("sys")
        tlx.fence_async_shared()

    text = tlxir(kernel, {"i": "i32"})
    assert "tlx.named_barrier_wait %" in text
    assert "tlx.named_barrier_arrive %" in text
    assert text.count(": i32, i32") == 2
    assert text.count("tlx.fence async_shared") == 2
    assert text.count("tlx.fence gpu") == 1
    assert text.count("tlx.fence sys") == 1


BARS = "bars = tlx.alloc_barriers(2, 4)"
WARP = "warp = tlx.alloc_warp_barrier(1, 4)"
ACCEPTED = [
    "tlx.alloc_barriers(1, 1048575)",
    "tlx.alloc_warp_barrier(1, 32767)",
    "tlx.alloc_barriers(29056)",
    "tlx.barrier_expect_bytes(bars[0], 0)",
    "tlx.barrier_expect_bytes(bars[0], 1048575)",
    "tlx.barrier_arrive(bars[1], 4)",
    "tlx.barrier_arrive(warp)",
    "tlx.named_barrier_wait(0, 32)",
    "tlx.named_barrier_wait(15, 1024)",
]
REJECTED = [
    (
        "tlx.alloc_barriers(29057)",
        ResourceError,
        "'tlx.alloc_barriers' takes 232456 bytes of shared memory, but a CTA of sm_90 "
        "can have 232448",
    ),
    (
        "tlx.alloc_barriers(0)",
        ArgumentError,
        "'tlx.alloc_barriers' expects 'num_barriers' to be at least 1, but got 0",
    ),
    (
        "tlx.alloc_barriers(1, 0)",
        ArgumentError,
        "'tlx.alloc_barriers' expects 'arrive_count' to be at least 1, but got 0",
    ),
    (
        "tlx.alloc_barriers(1, 1048576)",
        ArgumentError,
        "'tlx.alloc_barriers' expects 'arrivals of a phase' to be at most 1048575, but "
        "got 1048576",
    ),
    (
        "tlx.alloc_warp_barrier(1, 32768)",
        ArgumentError,
        "'tlx.alloc_warp_barrier' expects 'arrivals of a phase' to be at most 1048575, "
        "but got 1048576",
    ),
    (
        "tlx.alloc_barriers(1, arrival_count=2)",
        ArgumentError,
        "'tlx.alloc_barriers' got an unknown argument 'arrival_count', did you mean "
        "'arrive_count'? (it takes num_barriers, arrive_count)",
    ),
    (
        "bars[2]",
        ArgumentError,
        "'barrier[index]' expects 'index' to be in [0, 2), but got 2",
    ),
    (
        "bars[0][0]",
        ArgumentError,
        "'barrier[index]' cannot be applied to one barrier: it has no slots",
    ),
    (
        "tlx.barrier_wait(bars, 0)",
        BarrierError,
        "'tlx.barrier_wait' expects 'bar' to be one barrier, such as bars[i], but got "
        "an array of 2 barriers",
    ),
    (
        "tlx.barrier_wait(7, 0)",
        BarrierError,
        "'tlx.barrier_wait' expects 'bar' to be a barrier, but got 7",
    ),
    (
        "tlx.barrier_wait(bars[0], 2)",
        ArgumentError,
        "'tlx.barrier_wait' expects 'phase' to be 0 or 1, but got 2",
    ),
    (
        "tlx.barrier_wait(bars[0], 0.0)",
        DTypeError,
        "'tlx.barrier_wait' expects 'phase' to be an integer scalar, but got 0.0",
    ),
    (
        "tlx.barrier_wait(bars[0], 0, 2)",
        DTypeError,
        "'tlx.barrier_wait' expects 'pred' to be a boolean, but got 2",
    ),
    (
        "tlx.barrier_wait(bars[0], tl.arange(0, 4))",
        DTypeError,
        "'tlx.barrier_wait' expects 'phase' to be an integer scalar, but got a "
        "run-time "
        "value of type int32[4]",
    ),
    (
        "tlx.barrier_expect_bytes(bars[0], -16)",
        ArgumentError,
        "'tlx.barrier_expect_bytes' expects 'size' to be at least 0, but got -16",
    ),
    (
        "tlx.barrier_expect_bytes(bars[0], 1048576)",
        ArgumentError,
        "'tlx.barrier_expect_bytes' expects 'size' to be at most 1048575 bytes, but "
        "got "
        "1048576",
    ),
    (
        "tlx.barrier_arrive(bars[0], 5)",
        BarrierError,
        "'tlx.barrier_arrive' expects 'arrive_count' to be at most the 4 of a phase, "
        "but got 5",
    ),
    (
        "tlx.barrier_arrive(bars[0], 0)",
        ArgumentError,
        "'tlx.barrier_arrive' expects 'arrive_count' to be at least 1, but got 0",
    ),
    (
        "tlx.barrier_arrive(warp, 2)",
        BarrierError,
        "'tlx.barrier_arrive' expects 'arrive_count' to be 1 on a warp barrier, but "
        "got 2",
    ),
    (
        "tlx.barrier_arrive(bars[0], remote_cta_rank=1)",
        UnsupportedError,
        "'tlx.barrier_arrive' cannot take 'remote_cta_rank': it needs clusters",
    ),
    (
        "tlx.named_barrier_wait(16, 128)",
        BarrierError,
        "'tlx.named_barrier_wait' expects 'bar_id' to be in [0, 15], but got 16",
    ),
    (
        "tlx.named_barrier_arrive(-1, 128)",
        BarrierError,
        "'tlx.named_barrier_arrive' expects 'bar_id' to be in [0, 15], but got -1",
    ),
    (
        "tlx.named_barrier_wait(9, 100)",
        BarrierError,
        "'tlx.named_barrier_wait' expects 'num_threads' to be a multiple of 32 in "
        "[32, 1024], but got 100",
    ),
    (
        "tlx.named_barrier_wait(9, 1056)",
        BarrierError,
        "'tlx.named_barrier_wait' expects 'num_threads' to be a multiple of 32 in "
        "[32, 1024], but got 1056",
    ),
    (
        "tlx.fence('async')",
        ArgumentError,
        "'tlx.fence' expects 'scope' to be one of 'async_shared', 'gpu', 'sys', but "
        "got "
        "'async'",
    ),
]


@pytest.mark.parametrize("line", ACCEPTED)
def test_accepted(line, one_line, tlxir):
    tlxir(one_line(BARS, WARP, line))


@pytest.mark.parametrize(("line", "error", "text"), REJECTED)
def test_rejected(line, error, text, one_line, rejects):
    rejects(one_line(BARS, WARP, line), error, text, line)


def test_older_targets(one_line, rejects):
    rejects(
        one_line("tlx.alloc_barriers(1)"),
        tlx.errors.TargetError,
        "'tlx.alloc_barriers' needs sm_90 (mbarriers with transaction counts), but the "
        "target is sm_80",
        arch=80,
    )
