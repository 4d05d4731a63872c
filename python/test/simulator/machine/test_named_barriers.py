# SPDX-License-Identifier: MIT
"""Named barriers: threads, numbers, what they make known."""

import numpy as np
import pytest
from running import barriers, buffer, ring, run, run_everywhere, tasks

from tlx.simulator.findings.barriers import NamedBarrierMismatch
from tlx.simulator.findings.deadlock import Deadlock
from tlx.simulator.findings.divergence import DivergentOperation
from tlx.simulator.findings.memory import RaceError, UninitialisedRead
from tlx.simulator.findings.phases import WrongPhase
from tlx.simulator.schedules import SCHEDULES

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
            rounds.format("ping", "pong")
            + "tlx.named_barrier_wait %ping, %n256 : i32, i32",
            rounds.format("pong", "ping"),
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


def wrong_phase(*bodies, schedule="round_robin"):
    """Runs tasks with barriers 9 and 3."""
    start = NUMBERS + ring("x", SHAPE) + "%other = arith.constant 3 : i32\n"
    with pytest.raises(WrongPhase) as caught:
        run("", start + tasks(*bodies), schedule=schedule)
    assert caught.value.subject == "CTA (0, 0, 0)"
    assert caught.value.line is not None
    assert caught.value.notes[0][1] is not None
    return caught.value


BACK = "tlx.named_barrier_{} %other, %n256 : i32, i32\n"


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_second_arrival_before_the_first_use_ends(schedule):
    error = wrong_phase(ARRIVE.format(256) * 2, SYNC.format(256) * 2, schedule=schedule)
    assert error.message == (
        "named barrier 9: the default task can arrive twice in one phase: nothing "
        "orders this arrival after the end of the phase of its last one"
    )
    assert [note for note, _ in error.notes] == ["its last arrival"]


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_second_arrival_after_the_first_use_ends(schedule):
    start = NUMBERS + "%other = arith.constant 3 : i32\n"
    giver = ARRIVE.format(256) + BACK.format("wait") + ARRIVE.format(256)
    taker = SYNC.format(256) + BACK.format("arrive") + SYNC.format(256)
    run("", start + tasks(giver, taker), schedule=schedule)


def test_arrival_and_wait_of_one_task():
    wrong_phase(ARRIVE.format(256) + SYNC.format(256), "")


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_uses_by_different_tasks_can_mix(schedule):
    """Task 1 is the partner of both others, and nothing says whose it is first."""
    error = wrong_phase(
        SYNC.format(256), SYNC.format(256) * 2, SYNC.format(256), schedule=schedule
    )
    assert "named barrier 9: two of its uses can mix: nothing orders" in error.message
    assert "which the phase before needs" in error.message


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_uses_by_different_tasks_in_order(schedule):
    start = NUMBERS + "%other = arith.constant 3 : i32\n"
    last = BACK.format("wait") + SYNC.format(256)
    middle = SYNC.format(256) + BACK.format("arrive") + SYNC.format(256)
    run("", start + tasks(SYNC.format(256), middle, last), schedule=schedule)


def test_barrier_within_each_of_two_tasks():
    wrong_phase(SYNC.format(128), SYNC.format(128))


def test_uses_are_in_order_after_a_join():
    body = tasks(SYNC.format(128), "") + tasks("", SYNC.format(128))
    run("", NUMBERS + body)


def test_waiter_learns_its_own_use_only():
    """The third task stores after the first use, which its reader has waited for."""
    start = NUMBERS + ring("x", SHAPE) + "%other = arith.constant 3 : i32\n"
    reader = SYNC.format(256) + LOAD
    middle = SYNC.format(256) + BACK.format("arrive") + SYNC.format(256)
    writer = BACK.format("wait") + STORE + SYNC.format(256)
    for schedule in SCHEDULES:
        with pytest.raises((RaceError, UninitialisedRead)):
            run("", start + tasks(reader, middle, writer), schedule=schedule)


def test_order_of_arrivals_can_be_ignored():
    body = NUMBERS + tasks(SYNC.format(128), SYNC.format(128))
    run("", body, races=False)


THREADS = """
%t = tlx.thread_id x : i32
%n32 = arith.constant 32 : i32
%n64 = arith.constant 64 : i32
%warp = arith.divsi %t, %n32 : i32
"""
SPLIT = """
%first = arith.cmpi slt, %t, %n{} : i32
scf.if %first {{
  {}
}} else {{
  {}
}}
"""
HERE = SYNC.format("{}").strip()


def run_warps(body, num_warps=2, **options):
    return run("", NUMBERS + THREADS + body, num_warps=num_warps, **options)


@pytest.mark.parametrize("schedule", ["round_robin", "random", "explore"])
def test_warps_of_a_task_meet_from_both_sides_of_a_branch(schedule):
    """Each side waits for the other."""
    here = HERE.format(64)
    body = SPLIT.format(32, here, here) + SPLIT.replace("%first", "%again").format(
        32, here, here
    )
    run_warps(body, schedule=schedule)


def test_some_warps_of_a_task_arrive_and_others_wait():
    arrive = ARRIVE.format(64).strip()
    run_warps(SPLIT.format(32, arrive, HERE.format(64)))
    run_warps(SPLIT.format(32, HERE.format(64), arrive))


def test_warps_that_come_are_those_that_count():
    run_warps(SPLIT.format(32, HERE.format(32), ""))
    with pytest.raises(Deadlock) as caught:
        run_warps(SPLIT.format(32, HERE.format(64), ""))
    assert "32 of 64 threads" in caught.value.table


def test_a_warp_of_one_task_meets_another_task():
    """The threads of the second task are 64 to 127."""
    head = NUMBERS + "%n96 = arith.constant 96 : i32\n"

    def launch(limit):
        half = THREADS + SPLIT.format(limit, HERE.format(96), "")
        run("", head + tasks(HERE.format(96), half, warps=2), num_warps=2)

    launch(96)
    with pytest.raises(Deadlock) as caught:
        launch(32)
    assert "32 of 96 threads" in caught.value.table


@pytest.mark.parametrize(("n", "count"), [(40, 8), (16, 16), (63, 31)])
def test_part_of_a_warp_does_not_come_alone(n, count):
    limit = f"%n{n} = arith.constant {n} : i32\n"
    with pytest.raises(DivergentOperation) as caught:
        run_warps(limit + SPLIT.format(n, HERE.format(64), ""))
    warp = n // 32
    assert caught.value.message == (
        "'tlx.named_barrier_wait' expects all threads of a warp to reach it together, "
        f"but {count} of 32 do in warp {warp} of the default task"
    )


def test_each_warp_has_a_barrier_of_its_own():
    body = "tlx.named_barrier_wait %own, %n32 : i32, i32\n"
    run_warps("%own = arith.addi %warp, %id : i32\n" + body * 2, num_warps=4)
    with pytest.raises(DivergentOperation, match="but 1 of 32 do in warp 0"):
        run_warps(body.replace("%own", "%t"))


def test_pairs_of_warps_meet():
    body = """
    %n2 = arith.constant 2 : i32
    %pair = arith.remsi %warp, %n2 : i32
    %own = arith.addi %pair, %id : i32
    tlx.named_barrier_wait %own, %n64 : i32, i32
    """
    run_warps(body, num_warps=4)
    with pytest.raises(Deadlock, match="32 of 64 threads"):
        run_warps(body, num_warps=2)


PASS_ON = """
%n0 = arith.constant 0 : i32
%zero = arith.cmpi eq, %warp, %n0 : i32
%other = arith.cmpi ne, %warp, %n0 : i32
scf.if %other {{
  {0}
}}
{1}
scf.if %zero {{
  {0}
}}
"""
BAR = barriers("b")
ALONE = "tlx.barrier_arrive %b0, 1 : !tlx.barrier<count = 1>\n"


def test_warps_do_not_wait_for_one_another_after_a_branch():
    """One comes to the barrier later than the others, from a place behind theirs."""
    run_warps(BAR + PASS_ON.format(HERE.format(64), "") + ALONE)


def test_a_warp_goes_on_as_a_whole():
    """Some of its threads wait where the branch ends, others within it."""
    second = "%id2 = arith.constant 10 : i32\n%n96 = arith.constant 96 : i32\n"
    wait_96 = "tlx.named_barrier_wait %id2, %n96 : i32, i32"
    body = f"""
    %n0 = arith.constant 0 : i32
    %n16 = arith.constant 16 : i32
    %few = arith.cmpi slt, %t, %n16 : i32
    %two = arith.cmpi slt, %t, %n64 : i32
    %after = arith.cmpi sge, %t, %n32 : i32
    scf.if %few {{
    }} else {{
      scf.if %two {{
        scf.if %after {{
          {HERE.format(64)}
        }}
      }} else {{
        {wait_96}
      }}
    }}
    %zero = arith.cmpi eq, %warp, %n0 : i32
    scf.if %zero {{
      {HERE.format(64)}
      {wait_96}
    }}
    """
    run_warps(BAR + second + body + ALONE, num_warps=4)


def test_warps_wait_for_one_another_where_the_task_is_one():
    with pytest.raises(Deadlock) as caught:
        run_warps(BAR + PASS_ON.format(HERE.format(64), ALONE))
    assert "32 of 64 threads" in caught.value.table


def test_warps_that_come_to_different_operations_of_the_task():
    first = "%c = arith.cmpi eq, %warp, %n0 : i32\nscf.if %c {\n" + ALONE + "}\n"
    with pytest.raises(DivergentOperation) as caught:
        run_warps(BAR + PASS_ON.format(HERE.format(64), "") + first + ALONE)
    assert caught.value.message == (
        "'tlx.barrier_arrive' expects all threads of the default task to reach it "
        "together, but 32 of 64 do"
    )


HANDS_ON = """
tt.func private @f(%warp: i32) -> i32 attributes {{noinline = true}} {{
  %id = arith.constant 9 : i32
  %n64 = arith.constant 64 : i32
  {}
  tt.return %warp : i32
}}
"""


def test_warps_leave_a_function_one_after_the_other():
    more = HANDS_ON.format(PASS_ON.format(HERE.format(64), ""))
    body = "%w = tt.call @f(%warp) : (i32) -> i32\n%n1 = arith.constant 1 : i32\n"
    show = 'tt.print " " {hex = false, isSigned = array<i32: 1>} : %w : i32\n'
    run_warps(BAR + body + show + ALONE, more=more)
    wait = "scf.if %one {\n" + HERE.format(64) + "\n}\n"
    more = HANDS_ON.format(
        "%n0 = arith.constant 0 : i32\n%one = arith.cmpi ne, %warp, %n0 : i32\n" + wait
    )
    late = "%n0 = arith.constant 0 : i32\n%zero = arith.cmpi eq, %w, %n0 : i32\n"
    late += "scf.if %zero {\n" + HERE.format(64) + "\n}\n"
    run_warps(BAR + body + late + ALONE, more=more)
