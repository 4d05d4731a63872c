# SPDX-License-Identifier: MIT
"""Arrivals and waits that can meet another phase of an mbarrier than is meant."""

import numpy as np
import pytest
from running import Boxes, arrive, barriers, buffer, expect, ring, run, tasks, wait

from tlx.simulator.findings.barriers import BarrierOverrun
from tlx.simulator.findings.deadlock import Deadlock
from tlx.simulator.findings.memory import RaceError
from tlx.simulator.findings.phases import WrongPhase
from tlx.simulator.schedules import SCHEDULES

SHAPE = "8x16xf32"
DESC = f"!tt.tensordesc<{SHAPE}>"
PARAMS = f"%d: {DESC}, %c0: i32, %c1: i32"
every_schedule = pytest.mark.parametrize("schedule", SCHEDULES)


COPY = (
    f"tlx.async_descriptor_load %d[%c0, %c0], %x0, %b0 : {DESC}, {buffer(SHAPE)}, "
    "!tlx.barrier<count = 1>\n"
)
FILL = expect("%b0", 512) + COPY


def simulate(*bodies, count=1, **options):
    """Runs tasks with three barriers, a buffer and a descriptor."""
    start = barriers("b", 3, count) + ring("x", SHAPE)
    array = Boxes(np.ones((8, 16), np.float32), 8, 16)
    return run(PARAMS, start + tasks(*bodies), array, 0, 1, **options)


def wrong_phase(*bodies, **options):
    with pytest.raises(WrongPhase) as caught:
        simulate(*bodies, **options)
    assert caught.value.subject == "CTA (0, 0, 0)"
    assert caught.value.line is not None
    assert all(place for _, place in caught.value.notes)
    return caught.value


@every_schedule
def test_two_arrivals_of_one_task_for_those_of_two(schedule):
    twice = arrive("%b0", 1, 2) * 2
    error = wrong_phase("", twice, twice, count=2, schedule=schedule)
    assert error.message.startswith("the arrival by task ")
    assert error.message.endswith(
        "for phase 1 of 'barrier of line 3[0]' can count for phase 0: nothing orders "
        "it after the end of that phase"
    )
    ((note, _),) = error.notes
    assert note.startswith("the arrival by task ")
    assert note.endswith("for phase 0 of 'barrier of line 3[0]'")


@every_schedule
def test_two_arrivals_with_a_wait_between(schedule):
    once = arrive("%b0", 1, 2)
    both = once + wait("%b0", "%c0", 2) + once
    simulate("", both, both, count=2, schedule=schedule)


@every_schedule
def test_arrival_while_bytes_are_on_their_way(schedule):
    with pytest.raises((WrongPhase, BarrierOverrun)):
        simulate(FILL + FILL + wait("%b0", "%c0"), "", schedule=schedule)


def test_message_of_an_arrival_before_the_bytes():
    error = wrong_phase(FILL + FILL, "", schedule="eager_engines")
    assert error.notes[0][0] == (
        "the copy by the default task for phase 0 of 'barrier of line 3[0]'"
    )


@every_schedule
def test_bytes_that_can_come_a_phase_too_early(schedule):
    """Nothing tells the sender that the first phase is over."""
    waiter = arrive("%b0") + wait("%b0", "%c0") + expect("%b0", 512)
    with pytest.raises((WrongPhase, BarrierOverrun, Deadlock)):
        simulate(waiter + wait("%b0", "%c1"), COPY, schedule=schedule)


def test_message_of_bytes():
    waiter = arrive("%b0") + wait("%b0", "%c0") + expect("%b0", 512)
    error = wrong_phase(waiter + wait("%b0", "%c1"), COPY, schedule="lazy_engines")
    assert error.message.startswith("the copy by task 1")


@every_schedule
def test_refill_after_the_reader_says_so(schedule):
    producer = FILL + wait("%b1", "%c0") + FILL
    consumer = wait("%b0", "%c0") + arrive("%b1") + wait("%b0", "%c1")
    simulate(producer, consumer, schedule=schedule)


@every_schedule
def test_a_copy_tells_how_far_its_task_has_come(schedule):
    """Who sees the copy complete comes after what its task did before the copy."""
    sender = wait("%b2", "%c0") + arrive("%b1") + COPY
    reader = expect("%b0", 512) + arrive("%b2") + wait("%b0", "%c0") + arrive("%b1")
    simulate(sender, reader, schedule=schedule)
    unseen = reader.replace(wait("%b0", "%c0"), "") + wait("%b0", "%c0")
    with pytest.raises(WrongPhase):
        simulate(sender, unseen, schedule=schedule)


@every_schedule
def test_a_copy_tells_nothing_about_memory(schedule):
    one = f"%one = arith.constant dense<1.0> : tensor<{SHAPE}>\n"
    put = f"tlx.local_store %one, %y0 : tensor<{SHAPE}> -> {buffer(SHAPE)}\n"
    get = f"%v = tlx.local_load %y0 : {buffer(SHAPE)} -> tensor<{SHAPE}>\n"
    sender = one + put + wait("%b2", "%c0") + COPY
    reader = expect("%b0", 512) + arrive("%b2") + wait("%b0", "%c0") + get
    array = Boxes(np.ones((8, 16), np.float32), 8, 16)
    body = barriers("b", 3) + ring("x", SHAPE) + ring("y", SHAPE)
    with pytest.raises(RaceError):
        run(PARAMS, body + tasks(sender, reader), array, 0, 1, schedule=schedule)


@every_schedule
def test_wait_that_can_miss_its_phase(schedule):
    with pytest.raises((WrongPhase, Deadlock)):
        simulate(wait("%b0", "%c0"), arrive("%b0") * 2, schedule=schedule)


def test_message_of_a_late_wait():
    error = wrong_phase(wait("%b0", "%c0"), arrive("%b0") * 2)
    assert error.message == (
        "the wait by the default task for phase 0 of 'barrier of line 3[0]' can come "
        "too late: nothing orders it before the end of phase 1, which has the other "
        "parity"
    )
    ((note, _),) = error.notes
    assert note.startswith("the arrival by task 1")
    assert note.endswith("for phase 1")


@every_schedule
def test_wait_that_the_next_phase_waits_for(schedule):
    waiter = wait("%b0", "%c0") + arrive("%b1")
    simulate(
        waiter, arrive("%b0") + wait("%b1", "%c0") + arrive("%b0"), schedule=schedule
    )


@every_schedule
def test_wait_for_a_new_barrier_that_can_come_too_late(schedule):
    with pytest.raises((WrongPhase, Deadlock)):
        simulate(wait("%b0", "%c1"), arrive("%b0"), schedule=schedule)


def test_message_of_a_late_wait_for_a_new_barrier():
    error = wrong_phase(wait("%b0", "%c1"), arrive("%b0"), schedule="reverse")
    assert "for the new 'barrier of line 3[0]' can come too late" in error.message
    assert "before the end of phase 0" in error.message


@every_schedule
def test_wait_that_can_pass_a_phase_too_early(schedule):
    """Parity 1 is that of the new barrier, too."""
    waiter = wait("%b0", "%c1") + arrive("%b1")
    worker = arrive("%b0") + wait("%b0", "%c0") + arrive("%b0") + wait("%b1", "%c0")
    with pytest.raises(WrongPhase):
        simulate(waiter, worker, schedule=schedule)


def test_message_of_an_early_wait():
    error = wrong_phase(
        wait("%b0", "%c1"),
        arrive("%b0") + wait("%b0", "%c0") + arrive("%b0"),
        schedule="delay_task",
    )
    assert error.message == (
        "the wait by the default task for phase 1 of 'barrier of line 3[0]' can pass "
        "before that phase: nothing orders it after the end of phase 0, which has the "
        "other parity"
    )
    assert len(error.notes) == 1


@every_schedule
def test_wait_that_another_barrier_keeps_from_passing_early(schedule):
    waiter = wait("%b1", "%c0") + wait("%b0", "%c1")
    worker = arrive("%b0") + wait("%b0", "%c0") + arrive("%b1") + arrive("%b0")
    simulate(waiter, worker, schedule=schedule)


def test_order_of_phases_can_be_ignored():
    simulate(wait("%b0", "%c0"), arrive("%b0") * 2, races=False)


def test_one_finding_for_a_line():
    body = """
    %three = arith.constant 3 : i32
    scf.for %i = %c0 to %three step %c1 : i32 {
      tlx.barrier_arrive %b0, 1 : !tlx.barrier<count = 1>
    }
    """
    report = simulate(body, body.replace("three", "four"), on_finding="collect")
    assert {type(f) for f in report.findings} == {WrongPhase}
    assert len(report.findings) == len({f.location for f in report.findings}) == 2
