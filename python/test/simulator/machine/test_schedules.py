# SPDX-License-Identifier: MIT
"""Schedules: same results on good kernels, same choices from the same seed."""

import numpy as np
import pytest
from running import barriers, buffer, program, ring, tasks

from tlx.errors import ArgumentError
from tlx.simulator.execute import execute
from tlx.simulator.machine.descriptor import TensorDescriptor
from tlx.simulator.machine.global_memory import GlobalMemory
from tlx.simulator.machine.machine import Machine
from tlx.simulator.options import Options
from tlx.simulator.schedules import SCHEDULES, make_schedule

SHAPE = "8x16xf32"
TYPE = buffer(SHAPE)
DESC = f"!tt.tensordesc<{SHAPE}>"
COPY = """
%c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%c2 = arith.constant 2 : i32
%c8 = arith.constant 8 : i32
%pid = tt.get_program_id x : i32
%num = tt.get_num_programs x : i32
"""
LOOP = """
%end:2 = scf.for %i = %pid to %n step %num iter_args(%slot = %c0, %phase = %c{start})
    -> (i32, i32) : i32 {{
  %full = tlx.barrier_view %f[%slot] : !tlx.barrier<[2], count = 1>
    -> !tlx.barrier<count = 1>
  %empty = tlx.barrier_view %e[%slot] : !tlx.barrier<[2], count = 1>
    -> !tlx.barrier<count = 1>
  %tile = tlx.local_view %x[%slot] : !tlx.buffer<[2] 8x16xf32, smem>
    -> !tlx.buffer<8x16xf32, smem>
  %row = arith.muli %i, %c8 : i32
  {body}
  %next = arith.addi %slot, %c1 : i32
  %wrapped = arith.cmpi eq, %next, %c2 : i32
  %new = arith.select %wrapped, %c0, %next : i32
  %flip = arith.extui %wrapped : i1 to i32
  %other = arith.xori %phase, %flip : i32
  scf.yield %new, %other : i32, i32
}}
"""
PRODUCER = f"""
  tlx.barrier_wait %empty, %phase : !tlx.barrier<count = 1>
  tlx.barrier_expect_bytes %full, 512 : !tlx.barrier<count = 1>
  tlx.async_descriptor_load %src[%row, %c0], %tile, %full
    : {DESC}, {TYPE}, !tlx.barrier<count = 1>
"""
CONSUMER = f"""
  tlx.barrier_wait %full, %phase : !tlx.barrier<count = 1>
  tlx.async_descriptor_store %dst[%row, %c0], %tile : {DESC}, {TYPE}
  tlx.async_descriptor_store_wait 0
  tlx.barrier_arrive %empty, 1 : !tlx.barrier<count = 1>
"""
PARAMS = f"%src: {DESC}, %dst: {DESC}, %n: i32"


@pytest.fixture(scope="module")
def copy():
    body = (
        COPY
        + barriers("f", 2)
        + barriers("e", 2)
        + ring("x", SHAPE, 2)
        + tasks(
            LOOP.format(start=0, body=CONSUMER), LOOP.format(start=1, body=PRODUCER)
        )
    )
    return program(PARAMS, body)


def run_copy(copy, tiles, options, grid=3, trace=None):
    src = np.arange(tiles * 128, dtype=np.float32).reshape(tiles * 8, 16)
    dst = np.zeros_like(src)
    memory = GlobalMemory()
    params = [
        TensorDescriptor(memory.map(n, x), x.shape, (16, 1), (8, 16), x.dtype)
        for n, x in (("src", src), ("dst", dst))
    ]
    if trace is None:
        execute(copy, (grid, 1, 1), [*params, tiles], memory, options)
    else:
        trace(memory, [*params, tiles], options, grid)
    np.testing.assert_array_equal(src, dst)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_results_do_not_depend_on_the_schedule(copy, schedule):
    for seed in range(5):
        run_copy(copy, 11, Options(schedule=schedule, seed=seed, max_steps=10_000))


@pytest.mark.parametrize("tiles", [1, 2, 3, 4, 7, 13])
@pytest.mark.parametrize("grid", [1, 2, 5])
def test_trip_counts(copy, tiles, grid):
    run_copy(copy, tiles, Options(schedule="random", seed=tiles), grid)


def choices(copy, schedule, seed):
    """Returns the numbers of the actors in the order of their turns."""
    order = []

    def trace(memory, params, options, grid):
        from tlx.simulator.code.linear import linearize

        machine = Machine(copy, linearize(copy), (grid, 1, 1), params, memory, options)
        choose = machine.schedule.next

        def note():
            actor = choose()
            if actor is not None:
                order.append(actor.number)
            return actor

        machine.schedule.next = note
        machine.run()

    run_copy(copy, 7, Options(schedule=schedule, seed=seed), trace=trace)
    return order


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_same_seed_makes_the_same_choices(copy, schedule):
    assert choices(copy, schedule, 3) == choices(copy, schedule, 3)


@pytest.mark.parametrize("schedule", ["random", "delay_task", "delay_cta"])
def test_seeds_make_different_choices(copy, schedule):
    assert len({tuple(choices(copy, schedule, seed)) for seed in range(8)}) > 1


def test_schedules_differ(copy):
    orders = {name: tuple(choices(copy, name, 1)) for name in SCHEDULES}
    assert len(set(orders.values())) >= len(orders) - 1


def test_unknown_schedule():
    with pytest.raises(ArgumentError, match="round_robin"):
        make_schedule("alphabetical", 0)
