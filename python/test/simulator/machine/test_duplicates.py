# SPDX-License-Identifier: MIT
"""Writes of the same value to the same bytes that nothing orders."""

import numpy as np
import pytest
from running import Boxes, arrive, barriers, buffer, expect, ring, run, tasks, wait

from tlx.simulator.findings.memory import DuplicateWrite, RaceError
from tlx.simulator.schedules import SCHEDULES

SHAPE = "8x16xf32"
TYPE = buffer(SHAPE)
CONSTANTS = f"""
%one = arith.constant dense<1.0> : tensor<{SHAPE}>
%two = arith.constant dense<2.0> : tensor<{SHAPE}>
%nan = arith.constant dense<0x7FC00000> : tensor<{SHAPE}>
%zero = arith.constant dense<0.0> : tensor<{SHAPE}>
%minus = arith.constant dense<-0.0> : tensor<{SHAPE}>
"""
DESC = f"!tt.tensordesc<{SHAPE}>"
PUT = f"tlx.local_store %{{}}, %x0 : tensor<{SHAPE}> -> {TYPE}\n"
GET = f"%v = tlx.local_load %x0 : {TYPE} -> tensor<{SHAPE}>\n"
COPY = (
    expect("%b2", 512)
    + f"tlx.async_descriptor_load %d[%c0, %c0], %x0, %b2 : {DESC}, {TYPE}, "
    "!tlx.barrier<count = 1>\n" + wait("%b2", "%c0")
)
PAIR = tasks("", PUT.format("one"), PUT.format("one"))
every_schedule = pytest.mark.parametrize("schedule", SCHEDULES)


def simulate(body, **options):
    start = barriers("b", 3) + ring("x", SHAPE) + CONSTANTS
    array = Boxes(np.ones((8, 16), np.float32), 8, 16)
    return run(f"%d: {DESC}, %c0: i32", start + body, array, 0, **options)


def race(body, **options):
    with pytest.raises(RaceError) as caught:
        simulate(body, **options)
    assert not isinstance(caught.value, DuplicateWrite)
    assert caught.value.severity == "error"


@every_schedule
@pytest.mark.parametrize("value", ["one", "nan"])
def test_the_same_value_is_a_warning(value, schedule):
    report = simulate(PAIR.replace("%one", f"%{value}"), schedule=schedule)
    assert report.findings == []
    (warning,) = report.warnings
    assert type(warning) is DuplicateWrite
    assert "writes to 'buffer of line" in warning.message
    assert warning.message.endswith("and nothing orders the two")
    assert ": warning: task " in str(warning)
    assert warning.notes[0][1] is not None


@every_schedule
@pytest.mark.parametrize(("a", "b"), [("one", "two"), ("zero", "minus")])
def test_other_values_are_a_race(a, b, schedule):
    race(tasks("", PUT.format(a), PUT.format(b)), schedule=schedule)


def test_handling():
    race(PAIR, same_value_writes="error")
    assert simulate(PAIR, same_value_writes="ignore").warnings == []
    assert simulate(PAIR, races=False).warnings == []
    collected = simulate(PAIR, on_finding="collect")
    assert (len(collected.findings), len(collected.warnings)) == (0, 1)


def test_writes_in_order_need_no_warning():
    put = PUT.format("one")
    body = tasks(put + arrive("%b0"), wait("%b0", "%c0") + put)
    assert simulate(body).warnings == []


@every_schedule
def test_reads_race_with_all_of_them(schedule):
    first, second = PUT.format("one") + arrive("%b0"), PUT.format("one") + arrive("%b1")
    both = wait("%b0", "%c0") + wait("%b1", "%c0") + GET
    assert simulate(tasks(both, first, second), schedule=schedule).warnings
    for barrier in ("%b0", "%b1"):
        one = both.replace(wait(barrier, "%c0"), "")
        race(tasks(one, first, second), schedule=schedule)


@every_schedule
def test_writes_of_others_race_with_all_of_them(schedule):
    first, second = PUT.format("one") + arrive("%b0"), PUT.format("one") + arrive("%b1")
    for barrier in ("%b0", "%b1"):
        later = wait(barrier, "%c0") + PUT.format("two")
        race(tasks(later, first, second), schedule=schedule)


@every_schedule
def test_read_beside_the_common_bytes(schedule):
    """The lower half has one writer only, and the reader has waited for it."""
    half = "!tlx.buffer<4x16xf32, smem>"
    cut = "%{0} = tlx.local_slice %x0 {{offsets = array<i32: {1}, 0>}} : {2} -> {3}\n"
    views = cut.format("top", 0, TYPE, half) + cut.format("low", 4, TYPE, half)
    views += "%h = arith.constant dense<1.0> : tensor<4x16xf32>\n"
    put = f"tlx.local_store %h, %top : tensor<4x16xf32> -> {half}\n"
    get = f"%v = tlx.local_load %{{}} : {half} -> tensor<4x16xf32>\n"
    whole = PUT.format("one") + arrive("%b0")
    reader = wait("%b0", "%c0") + get
    good = views + tasks(reader.format("low"), put, whole)
    assert simulate(good, schedule=schedule).warnings
    race(views + tasks(reader.format("top"), put, whole), schedule=schedule)


@every_schedule
def test_a_read_races_with_a_write_of_what_is_there(schedule):
    race(PUT.format("one") + tasks(GET, PUT.format("one")), schedule=schedule)


@every_schedule
def test_copies_of_the_same_value_are_a_race(schedule):
    race(tasks(COPY, PUT.format("one")), schedule=schedule)
    race(tasks(COPY, COPY.replace("%b2", "%b1")), schedule=schedule)


POINTERS = """
%at = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
%p = tt.splat %out : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
%q = tt.addptr %p, %at : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
%pid = tt.get_program_id x : i32
%seven = arith.constant dense<7> : tensor<4xi32>
"""


@every_schedule
def test_programs(schedule):
    """One warning for a line, however many programs write."""
    out = np.zeros(4, np.int32)
    body = POINTERS + "tt.store %q, %seven : tensor<4x!tt.ptr<i32>>\n"
    report = run("%out: !tt.ptr<i32>", body, out, grid=6, schedule=schedule)
    assert (out == 7).all()
    assert report.findings == []
    (warning,) = report.warnings
    assert warning.message.startswith("the default task of CTA (")
    assert "writes to 'out' what the default task of CTA (" in warning.message


def test_bytes_of_other_widths():
    """An element of 32 bits, and one of 16 in it."""
    body = """
    %pid = tt.get_program_id x : i32
    %zero = arith.constant 0 : i32
    %low = arith.constant 3 : i16
    %word = arith.constant {} : i32
    %half = tt.bitcast %out : !tt.ptr<i32> -> !tt.ptr<i16>
    %first = arith.cmpi eq, %pid, %zero : i32
    scf.if %first {{ tt.store %out, %word : !tt.ptr<i32> }}
    else {{ tt.store %half, %low : !tt.ptr<i16> }}
    """
    out = np.zeros(1, np.int32)
    params, same, other = "%out: !tt.ptr<i32>", body.format(0x50003), 0x50004
    for schedule in SCHEDULES:
        assert run(params, same, out, grid=2, schedule=schedule).warnings
        with pytest.raises(RaceError):
            run(params, body.format(other), out, grid=2, schedule=schedule)
