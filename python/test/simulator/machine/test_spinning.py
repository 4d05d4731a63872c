# SPDX-License-Identifier: MIT
"""CTAs that wait for each other through global memory."""

import numpy as np
import pytest
from running import run

from tlx.simulator.findings.deadlock import Deadlock
from tlx.simulator.findings.memory import RaceError
from tlx.simulator.schedules import SCHEDULES

SPIN = """
scf.while : () -> () {{
  %seen = {}
  %more = arith.cmpi {}, %seen, %goal : i32
  scf.condition(%more)
}} do {{
  scf.yield
}}
"""
ADD = (
    "%old = tt.atomic_rmw add, {0}, {1}, %flag, %one, %true"
    " : (!tt.ptr<i32>, i32, i1) -> i32\n"
)
POLL = (
    "tt.atomic_rmw add, {0}, {1}, %flag, %zero, %true : (!tt.ptr<i32>, i32, i1) -> i32"
)
START = """
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%true = arith.constant true
%pid = tt.get_program_id x : i32
%mine = tt.addptr %data, %pid : !tt.ptr<i32>, i32
"""
PARAMS = "%flag: !tt.ptr<i32>, %data: !tt.ptr<i32>, %out: !tt.ptr<i32>, %goal: i32"
SHIFT = """
tt.store %mine, %pid : !tt.ptr<i32>
{}
%last = arith.subi %goal, %one : i32
%other = arith.subi %last, %pid : i32
%p = tt.addptr %data, %other : !tt.ptr<i32>, i32
%x = tt.load %p : !tt.ptr<i32>
%q = tt.addptr %out, %pid : !tt.ptr<i32>, i32
tt.store %q, %x : !tt.ptr<i32>
"""


def grid_barrier(arrival, poll, num=8, **options):
    """Each CTA stores, meets all others, and reads what another one stored."""
    flag, data = np.zeros(1, np.int32), np.full(num, -1, np.int32)
    out = np.full(num, -1, np.int32)
    body = START + SHIFT.format(arrival + SPIN.format(poll, "ne"))
    run(PARAMS, body, flag, data, out, num, grid=num, **options)
    assert out.tolist() == list(range(num))[::-1]


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_grid_barrier(schedule):
    for resident in (1, 3, 8):
        grid_barrier(
            ADD.format("release", "gpu"),
            POLL.format("acquire", "gpu"),
            schedule=schedule,
            resident=resident,
        )


def test_polls_may_be_atomic_loads():
    load = "tt.atomic_load acquire, gpu, %flag : (!tt.ptr<i32>) -> i32"
    grid_barrier(ADD.format("acq_rel", "gpu"), load)


def test_relaxed_atomics_order_nothing():
    for arrival, poll in (("relaxed", "acquire"), ("release", "relaxed")):
        with pytest.raises(RaceError):
            grid_barrier(ADD.format(arrival, "gpu"), POLL.format(poll, "gpu"))


def test_fences_around_relaxed_atomics_order():
    fence = "tlx.fence gpu\n"
    poll = POLL.format("relaxed", "gpu")
    flag, data = np.zeros(1, np.int32), np.full(4, -1, np.int32)
    out = np.full(4, -1, np.int32)
    meet = fence + ADD.format("relaxed", "gpu") + SPIN.format(poll, "ne")
    run(PARAMS, START + SHIFT.format(meet + fence), flag, data, out, 4, grid=4)
    assert out.tolist() == [3, 2, 1, 0]
    with pytest.raises(RaceError):
        run(PARAMS, START + SHIFT.format(meet), 0 * flag, data, out, 4, grid=4)


def test_atomics_of_the_scope_of_a_cta_race_with_other_ctas():
    with pytest.raises(RaceError, match="atomic write") as caught:
        grid_barrier(ADD.format("release", "cta"), POLL.format("acquire", "gpu"))
    assert "scope of its CTA orders nothing in other CTAs" in caught.value.notes[1][0]


def test_volatile_loads_poll():
    load = "tt.load %flag {isVolatile = true} : !tt.ptr<i32>"
    fence = "tlx.fence gpu\n"
    flag, data = np.zeros(1, np.int32), np.full(4, -1, np.int32)
    out = np.full(4, -1, np.int32)
    meet = ADD.format("release", "gpu") + SPIN.format(load, "ne") + fence
    run(PARAMS, START + SHIFT.format(meet), flag, data, out, 4, grid=4)
    assert out.tolist() == [3, 2, 1, 0]
    plain = meet.replace(" {isVolatile = true}", "")
    with pytest.raises(RaceError):
        run(PARAMS, START + SHIFT.format(plain), 0 * flag, data, out, 4, grid=4)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_lock(schedule):
    lock = SPIN.format(
        "tt.atomic_cas acquire, gpu, %flag, %zero, %one"
        " : (!tt.ptr<i32>, i32, i32) -> i32",
        "ne",
    ).replace("%goal", "%zero")
    unlock = "%o = tt.atomic_rmw exch, release, gpu, %flag, %zero, %true"
    unlock += " : (!tt.ptr<i32>, i32, i1) -> i32\n"
    add = (
        "%x = tt.load %data : !tt.ptr<i32>\n%y = arith.addi %x, %one : i32\n"
        "tt.store %data, %y : !tt.ptr<i32>\n"
    )
    flag, data = np.zeros(1, np.int32), np.zeros(8, np.int32)
    body = START + lock + add + unlock
    run(PARAMS, body, flag, data, data, 8, grid=8, schedule=schedule)
    assert data[0] == 8


def test_value_that_never_comes_is_a_deadlock():
    flag, data = np.zeros(1, np.int32), np.zeros(2, np.int32)
    body = START + SPIN.format(POLL.format("acquire", "gpu"), "ne")
    with pytest.raises(Deadlock) as caught:
        run(PARAMS, body, flag, data, data, 2, grid=2, max_steps=1_000_000)
    assert "spins" in caught.value.table
    assert "the default task asks in vain for a value" in caught.value.notes[0][0]


def test_poll_operation_blocks():
    poll = (
        "%done = tt.atomic_poll acquire, gpu, %flag, %goal : !tt.ptr<i32>, i32 -> i1\n"
    )
    flag, data = np.zeros(1, np.int32), np.full(6, -1, np.int32)
    out = np.full(6, -1, np.int32)
    body = START + SHIFT.format(ADD.format("release", "gpu") + poll)
    run(PARAMS, body, flag, data, out, 6, grid=6)
    assert out.tolist() == [5, 4, 3, 2, 1, 0]
    with pytest.raises(Deadlock) as caught:
        run(PARAMS, START + poll, flag, data, out, 1)
    assert "a value in global memory" in caught.value.table
