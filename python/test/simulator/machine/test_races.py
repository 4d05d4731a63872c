# SPDX-License-Identifier: MIT
"""Races: accesses to the same bytes without an order, and the same with one."""

import numpy as np
import pytest
from running import Boxes, arrive, barriers, buffer, expect, ring, run, tasks, wait

from tlx.simulator.findings.memory import RaceError, UninitialisedRead

SHAPE = "8x16xf32"
TYPE = buffer(SHAPE)
ONE = f"%one = arith.constant dense<1.0> : tensor<{SHAPE}>\n"
TWO = f"%two = arith.constant dense<2.0> : tensor<{SHAPE}>\n"
STORE = f"tlx.local_store %one, %x0 : tensor<{SHAPE}> -> {TYPE}\n"
LOAD = f"%v = tlx.local_load %x0 : {TYPE} -> tensor<{SHAPE}>\n"
DESC = f"!tt.tensordesc<{SHAPE}>"
TMA_LOAD = (
    expect("%b0", 512)
    + f"tlx.async_descriptor_load %d[%c0, %c0], %x0, %b0 : {DESC}, {TYPE}, "
    "!tlx.barrier<count = 1>\n"
)
TMA_STORE = f"tlx.async_descriptor_store %d[%c0, %c0], %x0 : {DESC}, {TYPE}\n"
FENCE = "tlx.fence async_shared\n"
STORE_WAIT = "tlx.async_descriptor_store_wait 0\n"
PARAMS = f"%d: {DESC}, %c0: i32, %c1: i32"


def simulate(body, array=None):
    """Runs a kernel with a barrier, a buffer and a descriptor."""
    if array is None:
        array = np.ones((8, 16), np.float32)
    start = barriers("b", 2) + ring("x", SHAPE) + ONE
    return run(PARAMS, start + body, Boxes(array, 8, 16), 0, 1)


def race(body):
    with pytest.raises(RaceError) as caught:
        simulate(body)
    assert len(caught.value.notes) == 2
    assert caught.value.line is not None
    assert caught.value.notes[0][1] is not None
    return caught.value


def test_write_and_read_by_two_tasks():
    error = race(STORE + tasks(STORE, LOAD))
    assert "race on 'buffer" in error.message
    assert "the default task" in error.message
    assert "task 1" in error.message
    assert "first common byte" in error.notes[1][0]


def test_write_and_read_with_an_arrival_between():
    simulate(tasks(STORE + arrive("%b0"), wait("%b0", "%c0") + LOAD))


def test_arrival_before_the_write_does_not_help():
    error = race(tasks(arrive("%b0") + STORE, wait("%b0", "%c0") + LOAD))
    assert "no arrive, barrier, join or atomic between them" in error.notes[1][0]


def test_wait_for_the_wrong_parity_does_not_help():
    race(tasks(STORE + arrive("%b0"), wait("%b0", "%c1") + LOAD))


def test_two_writes():
    race(TWO + tasks(STORE, STORE.replace("%one", "%two")))


def test_two_reads_are_no_race():
    simulate(STORE + tasks(LOAD, LOAD))


def test_read_before_a_write():
    race(STORE + tasks(LOAD, STORE))
    simulate(STORE + tasks(LOAD + arrive("%b0"), wait("%b0", "%c0") + STORE))


def test_order_is_transitive():
    middle = wait("%b0", "%c0") + arrive("%b1")
    simulate(tasks(STORE + arrive("%b0"), middle, wait("%b1", "%c0") + LOAD))


def test_join_orders():
    simulate(tasks("", STORE) + LOAD)


def test_tma_write_read_without_a_wait():
    error = race(TMA_LOAD + LOAD)
    assert "asynchronous write" in error.message
    assert "nobody has waited for its completion on 'barrier" in error.notes[1][0]
    assert "[0]' (phase 1 runs; missing: 1 of 1 arrival)" in error.notes[1][0]


def test_fewer_bytes_expected_than_come():
    second = TMA_LOAD.replace(expect("%b0", 512), "").replace("%x0", "%x1")
    reads = LOAD + LOAD.replace("%x0", "%x1").replace("%v", "%w")
    body = TMA_LOAD + second + wait("%b0", "%c0") + reads
    start = barriers("b", 1) + ring("x", SHAPE, 2)
    boxes = Boxes(np.ones((8, 16), np.float32), 8, 16)
    with pytest.raises(RaceError) as caught:
        run(PARAMS, start + body, boxes, 0, 1, schedule="lazy_engines")
    note = caught.value.notes[1][0]
    assert note.startswith("phase 0 of 'barrier of line 3[0]' ended before its bytes")
    assert "fewer bytes were expected than the copies bring" in note


def test_tma_write_read_after_the_wait():
    simulate(TMA_LOAD + wait("%b0", "%c0") + LOAD)


def test_waiting_task_may_tell_another_one():
    reader = wait("%b1", "%c0") + LOAD
    simulate(tasks(TMA_LOAD + wait("%b0", "%c0") + arrive("%b1"), reader))


def test_issuing_task_may_not_tell_another_one():
    error = race(tasks(TMA_LOAD + arrive("%b1"), wait("%b1", "%c0") + LOAD))
    assert "nobody has waited" in error.notes[1][0]


def test_tma_write_over_what_another_task_reads():
    race(STORE + FENCE + tasks(LOAD, TMA_LOAD + wait("%b0", "%c0")))
    simulate(
        STORE
        + FENCE
        + tasks(
            LOAD + arrive("%b1"),
            wait("%b1", "%c0") + TMA_LOAD + wait("%b0", "%c0"),
        )
    )


def test_source_of_a_store_overwritten_before_it_was_read():
    error = race(STORE + FENCE + TMA_STORE + STORE + STORE_WAIT)
    assert "asynchronous read" in error.message
    simulate(STORE + FENCE + TMA_STORE + STORE_WAIT + STORE)


def test_stored_tile_read_back_is_a_race_even_after_the_wait():
    race(STORE + TMA_STORE + STORE_WAIT + TMA_LOAD + wait("%b0", "%c0"))


def test_loaded_tile_stored_back_is_none():
    array = np.arange(128, dtype=np.float32).reshape(8, 16)
    double = (
        f"%w = arith.addf %v, %v : tensor<{SHAPE}>\n"
        f"tlx.local_store %w, %x0 : tensor<{SHAPE}> -> {TYPE}\n"
    )
    body = TMA_LOAD + wait("%b0", "%c0") + LOAD + double + TMA_STORE + STORE_WAIT
    simulate(body, array)
    np.testing.assert_array_equal(array, 2 * np.arange(128.0).reshape(8, 16))


def test_uninitialised_read():
    with pytest.raises(UninitialisedRead, match="from byte 0 on, which nobody has"):
        simulate(LOAD)
    with pytest.raises(UninitialisedRead):
        simulate(TMA_STORE + STORE_WAIT)


def test_disjoint_parts_are_no_race():
    half = "!tlx.buffer<4x16xf32, smem>"
    cut = "%{0} = tlx.local_slice %x0 {{offsets = array<i32: {1}, 0>}} : {2} -> {3}\n"
    views = cut.format("top", 0, TYPE, half) + cut.format("low", 4, TYPE, half)
    views += "%h = arith.constant dense<2.0> : tensor<4x16xf32>\n"
    put = "tlx.local_store %h, %{} : tensor<4x16xf32> -> {}\n"
    top, low = put.format("top", half), put.format("low", half)
    simulate(views + tasks(top, low))
    error = race(views + tasks(top, STORE))
    assert "first common byte" in error.notes[1][0]


def test_other_views_of_the_same_bytes():
    words = "!tlx.buffer<16x16xi16, smem>"
    alias = f"%h = tlx.local_reinterpret %x0 : {TYPE} -> {words}\n"
    alias += "%w = arith.constant dense<1> : tensor<16x16xi16>\n"
    put = f"tlx.local_store %w, %h : tensor<16x16xi16> -> {words}\n"
    race(alias + STORE + tasks(put, LOAD))
    handed = put + arrive("%b0")
    simulate(alias + STORE + tasks(handed, wait("%b0", "%c0") + LOAD))


def test_first_common_byte():
    half = "!tlx.buffer<4x16xf32, smem>"
    body = (
        f"%low = tlx.local_slice %x0 {{offsets = array<i32: 4, 0>}} : {TYPE}"
        f" -> {half}\n"
        "%h = arith.constant dense<2.0> : tensor<4x16xf32>\n"
    )
    low = f"tlx.local_store %h, %low : tensor<4x16xf32> -> {half}\n"
    error = race(body + tasks(low, STORE))
    assert error.notes[1][0].endswith(": 256")


def test_races_can_be_ignored():
    body = barriers("b") + ring("x", SHAPE) + ONE + tasks(STORE, LOAD)
    run("", body, races=False)


def test_all_races_can_be_collected():
    body = ring("x", SHAPE) + ring("y", SHAPE) + ONE
    body += STORE + STORE.replace("x0", "y0")
    body += tasks(STORE + STORE.replace("x0", "y0"), LOAD, LOAD.replace("x0", "y0"))
    report = run("", body, on_finding="collect")
    assert {type(f) for f in report.findings} == {RaceError}
    assert len(report.findings) == 2
