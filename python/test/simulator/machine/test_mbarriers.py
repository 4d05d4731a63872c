# SPDX-License-Identifier: MIT
"""mbarriers: phases, parity, counts, bytes."""

import numpy as np
import pytest
from running import Boxes, arrive, barriers, expect, ring, run, wait

from tlx.simulator.findings.barriers import BadParity, BarrierOverrun
from tlx.simulator.findings.deadlock import Deadlock

PARITIES = "%c0: i32, %c1: i32"

LOAD = """
{before}
tlx.async_descriptor_load %d[%c0, %c0], %x0, %b0
  : !tt.tensordesc<8x16xf32>, !tlx.buffer<8x16xf32, smem>, !tlx.barrier<count = 1>
{after}
"""


def steps(*events, count=1):
    """Runs one task that waits for parities (w0, w1) and arrives (a1, a2, ...)."""
    body = barriers("b", count=count)
    for event in events:
        if event[0] == "w":
            body += wait("%b0", f"%c{event[1]}", count)
        else:
            body += arrive("%b0", event[1:], count)
    return run(PARITIES, body, 0, 1)


def load(before="", after="", **options):
    """Runs one copy of 512 bytes."""
    array = np.arange(128, dtype=np.float32).reshape(8, 16)
    body = barriers("b") + ring("x", "8x16xf32")
    body += LOAD.format(before=before, after=after) + wait("%b0", "%c0")
    run(
        "%d: !tt.tensordesc<8x16xf32>, %c0: i32",
        body,
        Boxes(array, 8, 16),
        0,
        **options,
    )


def test_new_barrier_has_passed_parity_one():
    steps("w1")


def test_new_barrier_has_not_passed_parity_zero():
    with pytest.raises(Deadlock, match="1 task waits"):
        steps("w0")


def test_parity_alternates_with_phases():
    steps("a1", "w0", "a1", "w1", "a1", "w0")


def test_parity_of_the_phase_before_the_last_blocks():
    with pytest.raises(Deadlock):
        steps("a1", "a1", "w0")


def test_phase_needs_all_arrivals():
    steps("a1", "a2", "w0", count=3)
    with pytest.raises(Deadlock) as caught:
        steps("a1", "a1", "w0", count=3)
    assert "1 of 3 arrivals" in caught.value.table


def test_more_arrivals_than_pending_are_an_overrun():
    with pytest.raises(BarrierOverrun) as caught:
        steps("a2", "a2", count=3)
    assert "arrives 2 times, and phase 0 waits for 1 of 3" in caught.value.message
    assert caught.value.line is not None
    assert "arrived 2 times in this phase" in caught.value.notes[0][0]


def test_arrivals_do_not_carry_over():
    with pytest.raises(Deadlock):
        steps("a3", "a1", "w0", "w1", count=3)


@pytest.mark.parametrize("parity", [-1, 2, 3])
def test_other_parities_are_findings(parity):
    with pytest.raises(BadParity, match=f"parity of 0 or 1, but got {parity}"):
        run("%p: i32", barriers("b") + wait("%b0", "%p"), parity)


def test_false_predicates_do_nothing():
    body = """
    tlx.barrier_arrive %b0, 1 pred %no : !tlx.barrier<count = 1>
    tlx.barrier_expect_bytes %b0, 64 pred %no : !tlx.barrier<count = 1>
    tlx.barrier_wait %b0, %c0 pred %no : !tlx.barrier<count = 1>
    tlx.barrier_arrive %b0, 1 : !tlx.barrier<count = 1>
    tlx.barrier_wait %b0, %c0 : !tlx.barrier<count = 1>
    """
    run("%no: i1, %c0: i32", barriers("b") + body, 0, 0)


def test_bytes_complete_the_phase():
    load(before=expect("%b0", 512))


@pytest.mark.parametrize("schedule", ["eager_engines", "lazy_engines", "random"])
def test_bytes_may_come_before_they_are_expected(schedule):
    load(after=expect("%b0", 512), schedule=schedule)


def test_twice_the_bytes_expected_deadlocks():
    with pytest.raises(Deadlock) as caught:
        load(before=expect("%b0", 1024))
    assert "512 bytes" in caught.value.table


def test_too_few_bytes_expected_deadlock():
    with pytest.raises(Deadlock) as caught:
        load(before=expect("%b0", 256))
    assert "256 bytes more came than were expected" in caught.value.table


def test_no_bytes_expected_deadlock():
    with pytest.raises(Deadlock) as caught:
        load()
    assert "1 of 1 arrival" in caught.value.table
    assert "512 bytes more came than were expected" in caught.value.table


def test_more_bytes_than_a_phase_counts_are_an_overrun():
    body = barriers("b", count=2)
    body += expect("%b0", 1048560, 2) + expect("%b0", 16, 2)
    with pytest.raises(BarrierOverrun, match="1048576 bytes, and it can count 1048575"):
        run("", body)


def test_each_slot_is_a_barrier_of_its_own():
    body = barriers("b", num=2) + arrive("%b1")
    run("%c0: i32", body + wait("%b1", "%c0"), 0)
    with pytest.raises(Deadlock) as caught:
        run("%c0: i32", body + wait("%b0", "%c0"), 0)
    assert "[0]" in caught.value.table


@pytest.mark.parametrize("warps", [1, 4, 8])
def test_threads_of_a_task_arrive_on_a_warp_barrier(warps):
    def body(count):
        warp = (count, ", warp")
        make = barriers("b", 1, *warp)
        return make + arrive("%b0", 1, *warp) + wait("%b0", "%c0", *warp)

    run("%c0: i32", body(32 * warps), 0, num_warps=warps)
    with pytest.raises(Deadlock) as caught:
        run("%c0: i32", body(32 * warps + 32), 0, num_warps=warps)
    assert f"32 of {32 * warps + 32} arrivals" in caught.value.table
