# SPDX-License-Identifier: MIT
"""Deadlocks, and what their report says."""

import numpy as np
import pytest
from running import Boxes, arrive, barriers, buffer, expect, ring, run, tasks, wait

from tlx.simulator.findings.deadlock import Deadlock, StepLimit
from tlx.simulator.findings.memory import RaceError

PARITIES = "%c0: i32, %c1: i32"


def full_and_empty(count=1):
    """Returns two barriers with names as the front end gives them."""
    text = barriers("full", count=count) + barriers("empty")
    lines = text.split("\n")
    named = []
    for line in lines:
        for name in ("full", "empty"):
            if line.startswith(f"%{name} ="):
                line += f' loc("{name}"("k.py":1:1))'
        named.append(line)
    return "\n".join(named)


def deadlock(body, **options):
    with pytest.raises(Deadlock) as caught:
        run(PARITIES, full_and_empty(options.pop("count", 1)) + body, 0, 1, **options)
    assert caught.value.subject == "CTA (0, 0, 0)"
    assert caught.value.line is not None
    assert caught.value.table in str(caught.value)
    return caught.value


def notes(error):
    return "\n".join(message for message, _ in error.notes)


def test_nobody_arrives():
    error = deadlock(wait("%full0", "%c0"))
    assert error.headline == (
        "'CTA (0, 0, 0)' deadlock: 1 task waits, and nothing is on its way"
    )
    assert error.table.splitlines() == [
        "CTA      task              waits for                           missing",
        "0, 0, 0  the default task  'full[0]', parity 0 (phase 0 runs)  1 of 1 arrival",
    ]
    assert "nothing in the kernel arrives on 'full[0]'" in notes(error)


def test_copies_do_not_arrive():
    """Who forgets barrier_expect_bytes is told what it does."""
    shape = "8x16xf32"
    desc = f"!tt.tensordesc<{shape}>"
    copy = (
        f"tlx.async_descriptor_load %d[%c0, %c0], %x0, %full0 : {desc}, "
        f"{buffer(shape)}, !tlx.barrier<count = 1>\n"
    )
    body = full_and_empty() + ring("x", shape) + copy + wait("%full0", "%c0")
    boxes = Boxes(np.ones((8, 16), np.float32), 8, 16)
    with pytest.raises(Deadlock) as caught:
        run(f"%d: {desc}, %c0: i32", body, boxes, 0)
    assert (
        "nothing in the kernel arrives on 'full[0]'; its copies bring bytes, "
        "barrier_expect_bytes arrives"
    ) in notes(caught.value)


def test_fewer_arrivals_than_the_count():
    body = tasks(wait("%full0", "%c0", 3), arrive("%full0", 1, 3))
    error = deadlock(body, count=3)
    assert "2 of 3 arrivals" in error.table
    assert "task 1 (line" in error.table
    assert "is over" in error.table
    text = notes(error)
    assert "arrived once in this phase" in text
    assert "which is over, arrives here" in text


def test_first_wait_for_an_empty_slot_with_the_parity_of_a_full_one():
    producer = wait("%empty0", "%c0") + arrive("%full0")
    consumer = wait("%full0", "%c0") + arrive("%empty0")
    error = deadlock(tasks(producer, consumer))
    text = notes(error)
    assert "no phase of 'empty[0]' and 'full[0]' is over; only a wait for par" in text
    assert "which waits itself, arrives here" in text
    run(
        PARITIES,
        full_and_empty() + tasks(producer.replace("%c0", "%c1"), consumer),
        0,
        1,
    )


LOOP = """
%three = arith.constant 3 : i32
%end = scf.for %i = %c0 to %three step %c1 iter_args(%p = %c0) -> (i32) : i32 {{
  {0}
  %q = arith.xori %p, %c1 : i32
  scf.yield %q : i32
}}
"""
CELL = "32xf32"
ONE = f"%one = arith.constant dense<1.0> : tensor<{CELL}>\n"
PUT = f"tlx.local_store %one, %x0 : tensor<{CELL}> -> {buffer(CELL)}\n"
GET = f"%v = tlx.local_load %x0 : {buffer(CELL)} -> tensor<{CELL}>\n"


def ring_of_one(consumer_parity):
    producer = wait("%empty0", "%not") + PUT + arrive("%full0")
    flip = "%not = arith.xori %p, %c1 : i32\n"
    consumer = wait("%full0", consumer_parity) + GET + arrive("%empty0")
    start = full_and_empty() + ring("x", CELL) + ONE
    loops = LOOP.format(flip + producer), LOOP.format(consumer)
    return start + tasks(
        *(text.replace("%three", f"%n{i}") for i, text in enumerate(loops))
    )


def test_constant_parity_in_a_loop():
    run(PARITIES, ring_of_one("%p"), 0, 1)
    with pytest.raises((Deadlock, RaceError)):
        run(PARITIES, ring_of_one("%c0"), 0, 1)


def test_producer_without_iterations():
    never = "scf.for %i = %c1 to %c0 step %c1 : i32 {\n" + arrive("%full0") + "}\n"
    error = deadlock(tasks(never, wait("%full0", "%c0")))
    assert "the default task, which waits itself, arrives here" in notes(error)
    assert "the end of task 1" in error.table


def test_two_tasks_wait_for_each_other():
    error = deadlock(
        tasks(
            wait("%full0", "%c0") + arrive("%empty0"),
            wait("%empty0", "%c0") + arrive("%full0"),
        )
    )
    assert error.headline.startswith("'CTA (0, 0, 0)' deadlock: 2 tasks wait")
    assert "'full[0]'" in error.table
    assert "'empty[0]'" in error.table
    assert len([place for _, place in error.notes if place]) >= 4


def test_warp_barrier_of_a_larger_task():
    warp = (256, ", warp")
    body = barriers("b", 1, *warp)
    body += tasks(arrive("%b0", 1, *warp), wait("%b0", "%c0", *warp), warps=8)
    with pytest.raises(Deadlock) as caught:
        run(PARITIES, body, 0, 1)
    assert "128 of 256 arrivals" in caught.value.table
    assert "arrived 128 times in this phase" in notes(caught.value)


def test_arrival_under_a_condition():
    body = (
        full_and_empty()
        + "%yes = arith.cmpi eq, %c0, %c1 : i32\n"
        + tasks("scf.if %yes {\n" + arrive("%full0") + "}\n", wait("%full0", "%c0"))
    )
    run(PARITIES, body, 0, 0)
    with pytest.raises(Deadlock) as caught:
        run(PARITIES, body, 0, 1)
    assert "arrives here" in notes(caught.value)


def test_bytes_that_nobody_sends():
    error = deadlock(expect("%full0", 64) + wait("%full0", "%c0"))
    assert error.table.endswith("64 bytes")


def test_phase_and_parity_of_a_later_phase():
    error = deadlock(arrive("%full0") + wait("%full0", "%c0") + wait("%full0", "%c1"))
    assert "'full[0]', parity 1 (phase 1 runs)" in error.table


def test_callee_is_named():
    callee = (
        "tt.func private @signal(%b: !tlx.barrier<count = 1>) "
        "attributes {noinline = true} {\n" + arrive("%b") + "tt.return\n}"
    )
    body = full_and_empty() + wait("%full0", "%c0")
    body += "tt.call @signal(%full0) : (!tlx.barrier<count = 1>) -> ()\n"
    with pytest.raises(Deadlock) as caught:
        run(PARITIES, body, 0, 1, more=callee)
    assert "the default task itself arrives here" in notes(caught.value)


def test_tasks_of_a_second_fork_are_named():
    second = tasks(wait("%full0", "%c0"), arrive("%empty0"))
    error = deadlock(
        tasks("", arrive("%full0", 1, 3))
        + arrive("%full0", 1, 3)
        + second.replace(
            "wait %full0, %c0 : !tlx.barrier<count = 1>",
            "wait %full0, %c0 : !tlx.barrier<count = 3>",
        ),
        count=3,
    )
    text = notes(error)
    assert "1 of 3 arrivals" in error.table
    assert "the default task itself arrives here" in text
    assert text.count("which is over, arrives here") == 1


def test_several_ctas():
    with pytest.raises(Deadlock) as caught:
        run(PARITIES, full_and_empty() + wait("%full0", "%c0"), 0, 1, grid=6)
    assert "6 tasks wait" in caught.value.message
    assert "5 more CTAs wait" in notes(caught.value)
    assert len(caught.value.table.splitlines()) == 5


def test_step_limit():
    body = """
    %yes = arith.constant true
    scf.while : () -> () {{
      scf.condition(%yes)
    }} do {{
      {}
      scf.yield
    }}
    """
    for inside in ("", "%x = tt.load %p : !tt.ptr<i32>"):
        with pytest.raises(StepLimit, match="has not ended after 50 steps") as caught:
            run(
                "%p: !tt.ptr<i32>",
                body.format(inside),
                np.zeros(1, np.int32),
                max_steps=50,
            )
        assert caught.value.notes[0][0] == "the default task runs"
