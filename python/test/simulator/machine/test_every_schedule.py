# SPDX-License-Identifier: MIT
"""Faults that the order of events shows are found on each schedule, with no luck."""

import numpy as np
import pytest
from running import Boxes, arrive, barriers, buffer, expect, ring, run, tasks, wait

from tlx.simulator.findings.exit import ExitInFlight
from tlx.simulator.findings.memory import MissingFence, RaceError, UninitialisedRead
from tlx.simulator.schedules import SCHEDULES

SHAPE = "8x16xf32"
TYPE = buffer(SHAPE)
DESC = f"!tt.tensordesc<{SHAPE}>"
PARAMS = f"%d: {DESC}, %e: !tt.ptr<f32>, %c0: i32"
START = (
    barriers("b", 3)
    + ring("x", SHAPE)
    + f"%one = arith.constant dense<1.0> : tensor<{SHAPE}>\n"
    + """
%at = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
%s = tt.splat %e : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
%q = tt.addptr %s, %at : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
%p = tt.reshape %q : tensor<128x!tt.ptr<f32>> -> tensor<8x16x!tt.ptr<f32>>
"""
)
PUT = f"tlx.local_store %one, %x0 : tensor<{SHAPE}> -> {TYPE}\n"
GET = f"%v = tlx.local_load %x0 : {TYPE} -> tensor<{SHAPE}>\n"
FENCE = "tlx.fence async_shared\n"
LOAD = (
    expect("%b0", 512)
    + f"tlx.async_descriptor_load %d[%c0, %c0], %x0, %b0 : {DESC}, {TYPE}, "
    "!tlx.barrier<count = 1>\n"
)
LOADED = wait("%b0", "%c0")
SEND = f"tlx.async_descriptor_store %d[%c0, %c0], %x0 : {DESC}, {TYPE}\n"
SENT = "tlx.async_descriptor_store_wait 0\n"
SENT_BUT_ONE = "tlx.async_descriptor_store_wait 1\n"
COPY = f"%t = tlx.async_load %p, %x0 : tensor<8x16x!tt.ptr<f32>> -> {TYPE}\n"
COMMIT = "%g = tlx.async_load_commit_group tokens %t\n"
COPIED = "%w = tlx.async_load_wait_group 0\n"
COPIED_BUT_ONE = "%w = tlx.async_load_wait_group 1\n"
TELL, TOLD = arrive("%b1"), wait("%b1", "%c0")

GOOD = {
    "cp.async": (COPY + COMMIT + COPIED + GET,),
    "cp.async, handed over": (COPY + COMMIT + COPIED + TELL, TOLD + GET),
    "load": (LOAD + LOADED + GET,),
    "load, both wait": (LOAD + LOADED + GET, LOADED + GET),
    "store": (PUT + SEND + SENT + PUT,),
    "store, handed back": (PUT + SEND + SENT + TELL, TOLD + PUT),
    "store of another task": (PUT + FENCE + TELL, TOLD + SEND + SENT),
}
FAULTS = {
    "cp.async without a wait": ((COPY + COMMIT + GET + COPIED,), RaceError),
    "cp.async without a group": ((COPY + COPIED + GET,), RaceError),
    "cp.async left by its wait": ((COPY + COMMIT + COPIED_BUT_ONE + GET,), RaceError),
    "cp.async that another waits for": (
        (COPY + COMMIT + TELL, TOLD + COPIED + GET),
        RaceError,
    ),
    "cp.async handed over before its wait": (
        (COPY + COMMIT + TELL + COPIED, TOLD + GET),
        RaceError,
    ),
    "load without a wait": ((LOAD + GET + LOADED,), RaceError),
    "load that the other waits for": (
        (LOAD + LOADED, GET),
        (RaceError, UninitialisedRead),
    ),
    "load that nobody waits for": ((LOAD,), ExitInFlight),
    "source changed before the wait": ((PUT + SEND + PUT + SENT,), RaceError),
    "source changed as the wait leaves it": (
        (PUT + SEND + SENT_BUT_ONE + PUT + SENT,),
        RaceError,
    ),
    "source handed back before the wait": (
        (PUT + SEND + TELL + SENT, TOLD + PUT),
        RaceError,
    ),
    "store that another waits for": ((PUT + SEND + TELL, TOLD + SENT), ExitInFlight),
    "store that nobody waits for": ((PUT + SEND,), ExitInFlight),
    "store without a fence": ((PUT + TELL, TOLD + SEND + SENT), MissingFence),
    "store fenced too early": ((FENCE + PUT + TELL, TOLD + SEND + SENT), MissingFence),
    "stored and read again": ((PUT + SEND + SENT + LOAD + LOADED,), RaceError),
}
every_schedule = pytest.mark.parametrize("schedule", SCHEDULES)


def simulate(bodies, schedule, seed=0):
    body = START + (tasks(*bodies) if len(bodies) > 1 else bodies[0])
    array = Boxes(np.ones((8, 16), np.float32), 8, 16)
    other = np.ones(128, np.float32)
    run(PARAMS, body, array, other, 0, schedule=schedule, seed=seed)


@every_schedule
@pytest.mark.parametrize("name", GOOD)
def test_good(name, schedule):
    simulate(GOOD[name], schedule)


@every_schedule
@pytest.mark.parametrize("name", FAULTS)
def test_fault(name, schedule):
    bodies, kind = FAULTS[name]
    for seed in range(3):
        with pytest.raises(kind):
            simulate(bodies, schedule, seed)
