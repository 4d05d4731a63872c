# SPDX-License-Identifier: MIT
"""What a task or a CTA leaves behind, and what it may allocate."""

import numpy as np
import pytest
from running import Boxes, barriers, buffer, expect, ring, run, tasks, wait

from tlx.simulator.findings.exit import ExitInFlight
from tlx.simulator.findings.resources import SharedMemoryExceeded

SHAPE = "8x16xf32"
TYPE = buffer(SHAPE)
DESC = f"!tt.tensordesc<{SHAPE}>"
WRITE = f"""
%one = arith.constant dense<1.0> : tensor<{SHAPE}>
tlx.local_store %one, %x0 : tensor<{SHAPE}> -> {TYPE}
"""
SEND = f"tlx.async_descriptor_store %d[%c0, %c0], %x0 : {DESC}, {TYPE}\n"
SEND_WAIT = "tlx.async_descriptor_store_wait {}\n"
FETCH = (
    expect("%b0", 512)
    + f"tlx.async_descriptor_load %d[%c0, %c0], %x0, %b0 : {DESC}, {TYPE}, "
    "!tlx.barrier<count = 1>\n"
)


def simulate(body, **options):
    start = barriers("b") + ring("x", SHAPE)
    array = Boxes(np.zeros((8, 16), np.float32), 8, 16)
    return run(f"%d: {DESC}, %c0: i32", start + body, array, 0, **options)


def test_store_that_nobody_waits_for():
    with pytest.raises(ExitInFlight, match="ends without waiting for this copy") as e:
        simulate(WRITE + SEND)
    assert e.value.line is not None
    simulate(WRITE + SEND + SEND_WAIT.format(0))


def test_last_store_that_nobody_waits_for():
    with pytest.raises(ExitInFlight):
        simulate(WRITE + SEND + SEND_WAIT.format(1))


def test_task_that_leaves_a_store():
    with pytest.raises(ExitInFlight, match="task 1"):
        simulate(tasks("", WRITE + SEND))


@pytest.mark.parametrize("schedule", ["round_robin", "eager_engines", "lazy_engines"])
def test_load_that_nobody_waits_for(schedule):
    with pytest.raises(ExitInFlight) as caught:
        simulate(FETCH, schedule=schedule)
    assert caught.value.message.startswith("CTA (0, 0, 0) ends without waiting")


def test_load_that_another_task_waits_for():
    simulate(tasks(FETCH, wait("%b0", "%c0")))


def test_product_that_nobody_waits_for():
    body = """
    %h = arith.constant dense<1.0> : tensor<64x64xf16>
    tlx.local_store %h, %y0 : tensor<64x64xf16> -> !tlx.buffer<64x64xf16, smem>
    %z = arith.constant dense<0.0> : tensor<64x64xf32>
    %p = tlx.async_dot %y0, %y0, %z : !tlx.buffer<64x64xf16, smem>,
      !tlx.buffer<64x64xf16, smem> -> tensor<64x64xf32>
    """
    with pytest.raises(ExitInFlight):
        simulate(ring("y", "64x64xf16") + body)


def test_ring_that_no_machine_has():
    with pytest.raises(SharedMemoryExceeded) as caught:
        run("", "%x = tlx.local_alloc : !tlx.buffer<[1099511627776] 64xf32, smem>")
    assert caught.value.message == (
        "'buffer of line 3' takes 281474976710656 bytes of shared memory, and a CTA "
        "can have 232448"
    )


def test_shared_memory_over_budget():
    run("", ring("x", "128x128xf32", 3))
    with pytest.raises(SharedMemoryExceeded) as caught:
        run("", ring("x", "128x128xf32", 3) + ring("y", "64x64xf16", 5))
    assert caught.value.message == (
        "the kernel takes 237568 bytes of shared memory, and a CTA can have 232448"
    )
    sizes = [message.split("' ")[1] for message, _ in caught.value.notes]
    assert sizes == ["takes 196608 bytes", "takes 40960 bytes"]
