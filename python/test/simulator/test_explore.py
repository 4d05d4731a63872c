# SPDX-License-Identifier: MIT
"""Exploration of all schedules that can differ."""

import itertools

import numpy as np
import pytest
from running import Boxes, program, run

from tlx.simulator.explore import explore
from tlx.simulator.findings.deadlock import Deadlock
from tlx.simulator.findings.memory import RaceError
from tlx.simulator.machine.global_memory import GlobalMemory
from tlx.simulator.options import Options

COUNTER = "%counter: !tt.ptr<i32>"

TICKETS = """
%one = arith.constant 1 : i32
%pid = tt.get_program_id x : i32
%old = tt.atomic_rmw add, relaxed, gpu, %counter, %one
    : (!tt.ptr<i32>, i32) -> i32
%place = tt.addptr %out, %pid : !tt.ptr<i32>, i32
tt.store %place, %old : !tt.ptr<i32>
"""
"""Each program takes a ticket."""

TICKET = """
    %place = tt.atomic_rmw add, relaxed, gpu, %counter, %one
        : (!tt.ptr<i32>, i32) -> i32
    %first = arith.cmpi eq, %place, %zero : i32
"""
WAIT = "tlx.barrier_wait %bar, %zero : !tlx.barrier<count = 1>"
ARRIVE = "tlx.barrier_arrive %bar, 1 pred %first : !tlx.barrier<count = 1>"
TWO_TASKS = """
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%bars = tlx.alloc_barriers : !tlx.barrier<[1], count = 1>
%bar = tlx.barrier_view %bars[%zero]
    : !tlx.barrier<[1], count = 1> -> !tlx.barrier<count = 1>
tlx.async_tasks {{
  tlx.async_task default {{
    {ticket}{default}
  }}
  tlx.async_task num_warps = 1 {{
    {ticket}{worker}
  }}
}}
"""
FIRST_COMES = TWO_TASKS.format(ticket=TICKET, default=WAIT, worker=ARRIVE)
"""A worker that arrives only if it has the first ticket."""

LAST_COMES = TWO_TASKS.format(ticket=TICKET, default=ARRIVE, worker=WAIT)
"""A default task that does."""

ARRIVALS = """
%zero = arith.constant 0 : i32
%bars = tlx.alloc_barriers : !tlx.barrier<[1], count = 3>
%bar = tlx.barrier_view %bars[%zero]
    : !tlx.barrier<[1], count = 3> -> !tlx.barrier<count = 3>
tlx.async_tasks {
  tlx.async_task default {
    tlx.barrier_arrive %bar, 1 : !tlx.barrier<count = 3>
  }
  tlx.async_task num_warps = 1 {
    tlx.barrier_arrive %bar, 1 : !tlx.barrier<count = 3>
    tlx.barrier_arrive %bar, 1 : !tlx.barrier<count = 3>
  }
}
"""


def outcomes(count):
    """Returns the exploration of `count` programs, and what came out."""
    kernel = program("%counter: !tt.ptr<i32>, %out: !tt.ptr<i32>", TICKETS)
    seen = []
    arrays = {}

    def inputs():
        memory = GlobalMemory()
        arrays["counter"] = np.zeros(1, np.int32)
        arrays["out"] = np.full(count, -1, np.int32)
        return [memory.map(n, a) for n, a in arrays.items()], memory

    def check():
        seen.append(tuple(arrays["out"]))

    return explore(kernel, (count, 1, 1), inputs, Options(), check=check), seen


@pytest.mark.parametrize("count", [1, 2, 3])
def test_all_outcomes_once(count):
    exploration, seen = outcomes(count)
    assert exploration.is_complete
    assert sorted(seen) == sorted(itertools.permutations(range(count)))
    assert exploration.runs >= len(seen)


def test_deadlock_of_one_order():
    run(COUNTER, LAST_COMES, np.zeros(1, np.int32), schedule="reverse")
    with pytest.raises(Deadlock) as caught:
        run(COUNTER, LAST_COMES, np.zeros(1, np.int32), schedule="explore")
    exploration = caught.value.report.exploration
    assert exploration.runs > 1
    assert [note for note, _ in caught.value.notes][-1] == (
        f"found on schedule {exploration.runs} of an exploration, after "
        f"{len(exploration.schedule)} steps; those before it do not show it"
    )


def test_finding_of_the_first_schedule_names_none():
    with pytest.raises(Deadlock) as caught:
        run(COUNTER, FIRST_COMES, np.zeros(1, np.int32), schedule="explore")
    assert caught.value.report.exploration.runs == 1
    assert not [note for note, _ in caught.value.notes if "exploration" in note]


def test_collected():
    options = {"schedule": "explore", "on_finding": "collect"}
    report = run(COUNTER, FIRST_COMES, np.zeros(1, np.int32), **options)
    assert [type(f) for f in report.findings] == [Deadlock]


def test_no_order_is_left_out_without_reason():
    # Three arrivals commute; only the end of the worker and the join do not.
    report = run("", ARRIVALS, schedule="explore")
    assert report.exploration.is_complete
    assert report.exploration.runs == 2


def test_gives_up():
    kernel = program("%counter: !tt.ptr<i32>, %out: !tt.ptr<i32>", TICKETS)

    def inputs():
        memory = GlobalMemory()
        arrays = {"counter": np.zeros(1, np.int32), "out": np.zeros(4, np.int32)}
        return [memory.map(n, a) for n, a in arrays.items()], memory

    exploration = explore(kernel, (4, 1, 1), inputs, Options(max_runs=3))
    assert not exploration.is_complete
    assert exploration.runs == 3


COPY = """
%zero = arith.constant 0 : i32
%ring = tlx.local_alloc : !tlx.buffer<[1] 8x8xf32, smem>
%buf = tlx.local_view %ring[%zero]
    : !tlx.buffer<[1] 8x8xf32, smem> -> !tlx.buffer<8x8xf32, smem>
%bars = tlx.alloc_barriers : !tlx.barrier<[1], count = 1>
%bar = tlx.barrier_view %bars[%zero]
    : !tlx.barrier<[1], count = 1> -> !tlx.barrier<count = 1>
tlx.barrier_expect_bytes %bar, 256 : !tlx.barrier<count = 1>
tlx.async_descriptor_load %a[%zero, %zero], %buf, %bar
    : !tt.tensordesc<8x8xf32>, !tlx.buffer<8x8xf32, smem>, !tlx.barrier<count = 1>
tlx.barrier_wait %bar, %zero : !tlx.barrier<count = 1>
tlx.fence async_shared
tlx.async_descriptor_store %b[%zero, %zero], %buf
    : !tt.tensordesc<8x8xf32>, !tlx.buffer<8x8xf32, smem>
tlx.async_descriptor_store_wait 0
"""


def test_memory_is_as_after_one_run():
    a = np.arange(64, dtype=np.float32).reshape(8, 8)
    b = np.zeros_like(a)
    report = run(
        "%a: !tt.tensordesc<8x8xf32>, %b: !tt.tensordesc<8x8xf32>",
        COPY,
        Boxes(a, 8, 8),
        Boxes(b, 8, 8),
        schedule="explore",
    )
    assert report.exploration.is_complete
    np.testing.assert_array_equal(a, b)


FLAG = """
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%true = arith.constant true
%pid = tt.get_program_id x : i32
%first = arith.cmpi eq, %pid, %zero : i32
scf.if %first {
  tt.store %data, %one : !tt.ptr<i32>
  %old = tt.atomic_rmw add, SEM, gpu, %flag, %one, %true
      : (!tt.ptr<i32>, i32, i1) -> i32
} else {
  scf.while : () -> () {
    %seen = tt.atomic_rmw add, acquire, gpu, %flag, %zero, %true
        : (!tt.ptr<i32>, i32, i1) -> i32
    %more = arith.cmpi eq, %seen, %zero : i32
    scf.condition(%more)
  } do {
    scf.yield
  }
  %x = tt.load %data : !tt.ptr<i32>
  %y = tt.addptr %data, %one : !tt.ptr<i32>, i32
  tt.store %y, %x : !tt.ptr<i32>
}
"""
"""One program waits in a loop for what another one has stored."""


def spin(semantics):
    flag, data = np.zeros(1, np.int32), np.zeros(2, np.int32)
    report = run(
        "%flag: !tt.ptr<i32>, %data: !tt.ptr<i32>",
        FLAG.replace("SEM", semantics),
        flag,
        data,
        grid=2,
        schedule="explore",
    )
    return report, data


def test_programs_that_poll():
    report, data = spin("release")
    assert report.exploration.is_complete
    assert report.exploration.runs > 1
    assert data.tolist() == [1, 1]


def test_a_race_behind_a_poll():
    with pytest.raises(RaceError):
        spin("relaxed")
