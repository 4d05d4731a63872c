# SPDX-License-Identifier: MIT
"""Named barriers: threads, numbers, what they make known."""

import numpy as np
import pytest
from running import buffer, ring, run, run_everywhere, tasks

from tlx.simulator.findings.barriers import NamedBarrierMismatch
from tlx.simulator.findings.deadlock import Deadlock
from tlx.simulator.findings.memory import RaceError

NUMBERS = """
%id = arith.constant 9 : i32
%n128 = arith.constant 128 : i32
%n256 = arith.constant 256 : i32
%n384 = arith.constant 384 : i32
%one = arith.constant dense<1.0> : tensor<32xf32>
"""
SYNC = "tlx.named_barrier_wait %id, %n{} : i32, i32\n"
ARRIVE = "tlx.named_barrier_arrive %id, %n{} : i32, i32\n"
SHAPE = "32xf32"
STORE = f"tlx.local_store %one, %x0 : tensor<{SHAPE}> -> {buffer(SHAPE)}\n"
LOAD = f"%v = tlx.local_load %x0 : {buffer(SHAPE)} -> tensor<{SHAPE}>\n"


def run_tasks(default, *others, warps=4):
    body = NUMBERS + ring("x", SHAPE) + tasks(default, *others, warps=warps)
    return run("", body)


def test_a_task_alone_passes_its_own_barrier():
    run("", NUMBERS + SYNC.format(128) + SYNC.format(128))


def test_sync_orders_both_sides():
    run_tasks(STORE + SYNC.format(256), SYNC.format(256) + LOAD)
    run_tasks(SYNC.format(256) + LOAD, STORE + SYNC.format(256))


def test_arrive_hands_over_without_waiting():
    run_tasks(STORE + ARRIVE.format(256), SYNC.format(256) + LOAD)


def test_arrive_learns_nothing():
    with pytest.raises(RaceError):
        run_tasks(ARRIVE.format(256) + LOAD, STORE + SYNC.format(256))


def test_barrier_starts_over():
    run_tasks(SYNC.format(256) * 3, SYNC.format(256) * 3)


def test_too_few_threads_deadlock():
    with pytest.raises(Deadlock) as caught:
        run_tasks("", SYNC.format(256))
    assert "named barrier 9" in caught.value.table
    assert "128 of 256 threads" in caught.value.table


def test_smaller_task_counts_fewer_threads():
    with pytest.raises(Deadlock) as caught:
        run_tasks(ARRIVE.format(256), SYNC.format(256), warps=2)
    assert "64 of 256 threads" in caught.value.table
    assert "the default task arrived once" in str(caught.value)
    assert "the default task, which waits itself, comes to it here" in str(caught.value)


def test_tasks_must_agree_on_the_threads():
    with pytest.raises(NamedBarrierMismatch) as caught:
        run_tasks(ARRIVE.format(256), SYNC.format(384))
    assert "named barrier 9" in caught.value.message
    assert caught.value.notes


def test_threads_in_excess():
    with pytest.raises(
        NamedBarrierMismatch, match="256 threads have come, and it completes with 160"
    ):
        run(
            "",
            NUMBERS
            + "%n160 = arith.constant 160 : i32\n"
            + tasks(
                "tlx.named_barrier_arrive %id, %n160 : i32, i32",
                "tlx.named_barrier_arrive %id, %n160 : i32, i32",
            ),
        )


@pytest.mark.parametrize("number", [-1, 16, 99])
def test_numbers_have_a_range(number):
    body = "tlx.named_barrier_arrive %id, %n : i32, i32"
    with pytest.raises(NamedBarrierMismatch, match=rf"\[0, 15\], but got {number}"):
        run("%id: i32, %n: i32", body, number, 128)


@pytest.mark.parametrize("threads", [0, 100, 1056, -32])
def test_threads_are_whole_warps(threads):
    body = "tlx.named_barrier_arrive %id, %n : i32, i32"
    with pytest.raises(NamedBarrierMismatch, match="multiple of 32"):
        run("%id: i32, %n: i32", body, 3, threads)


def test_ping_pong_under_every_schedule():
    rounds = """
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    scf.for %i = %c0 to %c5 step %c1 : i32 {{
      tlx.named_barrier_wait %{0}, %n256 : i32, i32
      %old = tlx.local_load %x0 : !tlx.buffer<32xf32, smem> -> tensor<32xf32>
      %new = arith.addf %old, %one : tensor<32xf32>
      tlx.local_store %new, %x0 : tensor<32xf32> -> !tlx.buffer<32xf32, smem>
      tlx.named_barrier_arrive %{1}, %n256 : i32, i32
    }}
    """
    body = (
        NUMBERS
        + "%ping = arith.constant 3 : i32\n%pong = arith.constant 4 : i32\n"
        + ring("x", SHAPE)
        + STORE
        + tasks(
            "tlx.named_barrier_arrive %ping, %n256 : i32, i32",
            rounds.format("ping", "pong"),
            rounds.format("pong", "ping")
            + "tlx.named_barrier_wait %ping, %n256 : i32, i32",
        )
        + LOAD
        + "%p = tt.splat %out : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>\n"
        + "%at = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n"
        + "%q = tt.addptr %p, %at : tensor<32x!tt.ptr<f32>>, tensor<32xi32>\n"
        + "tt.store %q, %v : tensor<32x!tt.ptr<f32>>\n"
    )

    def check(out):
        np.testing.assert_array_equal(out, np.full(32, 11, np.float32))

    run_everywhere(
        "%out: !tt.ptr<f32>", body, lambda: [np.zeros(32, np.float32)], check
    )
