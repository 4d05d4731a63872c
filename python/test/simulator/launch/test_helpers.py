# SPDX-License-Identifier: MIT
"""Functions that allocate: one place in memory for each way to the allocation."""

import numpy as np
import pytest
import triton
import triton.language as tl

import tlx
from tlx.simulator.findings.barriers import NotABarrier
from tlx.simulator.findings.deadlock import Deadlock
from tlx.simulator.findings.memory import RaceError

LEVELS = ("tlxir", "ttgir", "stock_ttgir")


@pytest.fixture(params=LEVELS)
def level(request):
    return request.param


def simulate(kernel, level, size=0, **arguments):
    """Runs a kernel with one array of fp32, and returns what it stores there."""
    y = np.zeros(size, np.float32)
    with tlx.simulate(level=level, schedule="random", seed=1):
        kernel[(1,)](y, **arguments)
    return y


@triton.jit
def ring(NUM: tl.constexpr):
    return tlx.local_alloc((64,), tl.float32, NUM)


@triton.jit
def fill(buffer, value):
    tlx.local_store(buffer, tl.full((64,), value, tl.float32))


@triton.jit
def show(y, place, buffer):
    tl.store(y + place * 64 + tl.arange(0, 64), tlx.local_load(buffer))


@triton.jit
def two_calls(y):
    a = ring(1)
    b = ring(1)
    fill(a[0], 1.0)
    fill(b[0], 2.0)
    show(y, 0, a[0])
    show(y, 1, b[0])


def test_two_calls_are_two_memories(level):
    assert simulate(two_calls, level, 128)[::64].tolist() == [1, 2]


@triton.jit
def pair():
    return ring(1), ring(1)


@triton.jit
def two_calls_of_two(y):
    a, b = pair()
    c, d = pair()
    fill(a[0], 1.0)
    fill(b[0], 2.0)
    fill(c[0], 3.0)
    fill(d[0], 4.0)
    show(y, 0, a[0])
    show(y, 1, b[0])
    show(y, 2, c[0])
    show(y, 3, d[0])


def test_functions_that_call_functions(level):
    assert simulate(two_calls_of_two, level, 256)[::64].tolist() == [1, 2, 3, 4]


@triton.jit(noinline=True)
def outlined(y, place, value):
    a = ring(1)
    fill(a[0], value)
    show(y, place, a[0])


@triton.jit
def two_calls_of_an_outlined_function(y):
    outlined(y, 0, 1.0)
    outlined(y, 1, 2.0)


def test_functions_that_stay_functions(level):
    got = simulate(two_calls_of_an_outlined_function, level, 128)
    assert got[::64].tolist() == [1, 2]


@triton.jit
def large():
    return tlx.local_alloc((128, 128), tl.float32, 1)


@triton.jit
def in_a_loop(y, n):
    offs = tl.arange(0, 128)[:, None] * 128 + tl.arange(0, 128)[None, :]
    for i in range(n):
        tile = large()[0]
        tlx.local_store(tile, tl.full((128, 128), i, tl.float32))
        tl.store(y + offs, tlx.local_load(tile))


def test_a_call_in_a_loop_is_one_memory(level):
    """Five of them would be 320 KB."""
    assert (simulate(in_a_loop, level, 128 * 128, n=5) == 4).all()


@triton.jit
def tasks_in_a_loop(y, n):
    offs = tl.arange(0, 128)[:, None] * 128 + tl.arange(0, 128)[None, :]
    for i in range(n):
        with tlx.async_tasks():
            with tlx.async_task("default"):
                pass
            with tlx.async_task(num_warps=4):
                tile = large()[0]
                more = tl.arange(0, 128)[:, None] * 128 + tl.arange(0, 128)[None, :]
                tlx.local_store(tile, tl.full((128, 128), i, tl.float32))
                tl.store(y + more, tlx.local_load(tile))
    tl.store(y + offs, tl.load(y + offs) + 1)


def test_tasks_that_start_again_find_their_memory(level):
    assert (simulate(tasks_in_a_loop, level, 128 * 128, n=5) == 5).all()


@triton.jit
def copies_of_a_task(y):
    with tlx.async_tasks():
        with tlx.async_task("default"):
            pass
        with tlx.async_task(num_warps=4, replicate=3):
            a = ring(1)
            fill(a[0], tlx.async_task_replica_id() + 1.0)
            show(y, tlx.async_task_replica_id(), a[0])


def test_each_copy_of_a_task_has_its_own(level):
    assert simulate(copies_of_a_task, level, 192)[::64].tolist() == [1, 2, 3]


@triton.jit
def hand_over(y, place, buffer, full):
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.barrier_wait(full[0], 0)
            show(y, place, buffer)
        with tlx.async_task(num_warps=4):
            fill(buffer, place + 1.0)
            tlx.barrier_arrive(full[0])


@triton.jit
def channel():
    return ring(1), tlx.alloc_barriers(1)


@triton.jit
def two_channels(y):
    a, a_full = channel()
    b, b_full = channel()
    hand_over(y, 0, a[0], a_full)
    hand_over(y, 1, b[0], b_full)


def test_barriers_of_two_calls(level):
    """Were they one, the second wait for parity 0 would pass at once or never."""
    assert simulate(two_channels, level, 128)[::64].tolist() == [1, 2]


@triton.jit
def one_channel(y):
    a, full = channel()
    hand_over(y, 0, a[0], full)
    hand_over(y, 1, a[0], full)


def test_one_barrier_for_two_hand_overs_is_found(level):
    with pytest.raises((RaceError, Deadlock)):
        simulate(one_channel, level, 128)


@triton.jit
def barriers_in_a_loop(y, n):
    for _ in range(n):
        _, full = channel()
        tlx.barrier_arrive(full[0])
        tlx.barrier_wait(full[0], 0)


def test_barriers_are_initialised_once(level):
    simulate(barriers_in_a_loop, level, n=1)
    with pytest.raises(NotABarrier, match=r"'barrier of line .* is initialised twice"):
        simulate(barriers_in_a_loop, level, n=2)


@triton.jit
def storage():
    return tlx.allocate_tensor_descriptor(1)


@triton.jit
def two_descriptors(y):
    first = storage()
    second = storage()
    a = tlx.make_tensor_descriptor(first, y, [64], [1], [64])
    b = tlx.make_tensor_descriptor(second, y + 64, [64], [1], [64])
    buffer = ring(1)[0]
    fill(buffer, 1.0)
    tlx.fence("async_shared")
    tlx.async_descriptor_store(a, buffer, [0])
    tlx.async_descriptor_store_wait(0)
    fill(buffer, 2.0)
    tlx.fence("async_shared")
    tlx.async_descriptor_store(b, buffer, [0])
    tlx.async_descriptor_store_wait(0)


def test_descriptors_of_two_calls(level):
    assert simulate(two_descriptors, level, 128)[::64].tolist() == [1, 2]
