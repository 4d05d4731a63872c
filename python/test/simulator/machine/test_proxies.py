# SPDX-License-Identifier: MIT
"""Proxy fences between ordinary stores and TMA or wgmma of another task."""

import numpy as np
import pytest
from running import Boxes, arrive, barriers, buffer, ring, run, tasks, wait

from tlx.simulator.findings.memory import MissingFence

SHAPE = "8x16xf32"
TYPE = buffer(SHAPE)
DESC = f"!tt.tensordesc<{SHAPE}>"
ONE = f"%one = arith.constant dense<1.0> : tensor<{SHAPE}>\n"
WRITE = f"tlx.local_store %one, %x0 : tensor<{SHAPE}> -> {TYPE}\n"
FENCE = "tlx.fence async_shared\n"
SEND = (
    f"tlx.async_descriptor_store %d[%c0, %c0], %x0 : {DESC}, {TYPE}\n"
    "tlx.async_descriptor_store_wait 0\n"
)


def simulate(default, worker):
    out = np.zeros((8, 16), np.float32)
    body = barriers("b") + ring("x", SHAPE) + ONE + tasks(default, worker)
    run(f"%d: {DESC}, %c0: i32", body, Boxes(out, 8, 16), 0)
    assert (out == 1).all()


def test_fence_before_the_hand_over():
    simulate(WRITE + FENCE + arrive("%b0"), wait("%b0", "%c0") + SEND)


def test_fence_after_the_hand_over():
    simulate(WRITE + arrive("%b0"), wait("%b0", "%c0") + FENCE + SEND)


def test_no_fence():
    with pytest.raises(MissingFence) as caught:
        simulate(WRITE + arrive("%b0"), wait("%b0", "%c0") + SEND)
    assert "missing proxy fence on 'buffer" in caught.value.message
    assert "tlx.fence('async_shared')" in caught.value.notes[0][0]
    assert caught.value.notes[0][1] is not None


def test_fence_before_the_write_does_not_help():
    with pytest.raises(MissingFence):
        simulate(FENCE + WRITE + arrive("%b0"), wait("%b0", "%c0") + SEND)


@pytest.mark.parametrize("scope", ["gpu", "sys"])
def test_device_fences_are_no_proxy_fences(scope):
    with pytest.raises(MissingFence):
        simulate(
            WRITE + f"tlx.fence {scope}\n" + arrive("%b0"), wait("%b0", "%c0") + SEND
        )


def test_own_writes_need_no_fence():
    simulate(WRITE + SEND, "")


BULK_TYPE = buffer("128xf32")
BULK_WRITE = (
    "%two = arith.constant dense<1.0> : tensor<128xf32>\n"
    f"tlx.local_store %two, %y0 : tensor<128xf32> -> {BULK_TYPE}\n"
)
BULK_SEND = (
    f"tlx.async_bulk_store %y0, %dst, %size : {BULK_TYPE}, !tt.ptr<f32>\n"
    "tlx.async_descriptor_store_wait 0\n"
)
BULK_FETCH = (
    "tlx.barrier_expect_bytes %b0, 512 : !tlx.barrier<count = 1>\n"
    "tlx.async_bulk_load %dst, %y0, %size, %b0 : !tt.ptr<f32>, "
    f"{BULK_TYPE}, !tlx.barrier<count = 1>\n" + wait("%b0", "%c0")
)


def bulk(*events):
    out = np.ones(128, np.float32)
    body = barriers("b") + ring("y", "128xf32") + "".join(events)
    run("%dst: !tt.ptr<f32>, %size: i32, %c0: i32", body, out, 512, 0)
    assert (out == 1).all()


@pytest.mark.parametrize("copy", [BULK_SEND, BULK_FETCH], ids=["store", "load"])
def test_own_writes_need_a_fence_before_bulk_copies(copy):
    bulk(BULK_WRITE, FENCE, copy)
    for events in [(BULK_WRITE, copy), (FENCE, BULK_WRITE, copy)]:
        with pytest.raises(MissingFence) as caught:
            bulk(*events)
        note, place = caught.value.notes[0]
        assert note == (
            "put tlx.fence('async_shared') after this write and before the bulk copy, "
            "where the compiler inserts none"
        )
        assert place is not None


def test_bulk_copies_of_what_a_bulk_copy_has_written_need_no_fence():
    bulk(BULK_FETCH, BULK_SEND)


POINTERS = """
%at = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
%p = tt.splat %src : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
%q = tt.addptr %p, %at : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
%pp = tt.reshape %q : tensor<128x!tt.ptr<f32>> -> tensor<8x16x!tt.ptr<f32>>
"""
COPY = f"%t = tlx.async_load %pp, %x0 : tensor<8x16x!tt.ptr<f32>> -> {TYPE}\n"
COMMIT = "%g = tlx.async_load_commit_group tokens %t\n"
GROUP_WAIT = "%w = tlx.async_load_wait_group 0\n"


def copy(*events):
    out, src = np.zeros((8, 16), np.float32), np.ones(128, np.float32)
    body = barriers("b") + ring("x", SHAPE) + POINTERS
    body += tasks("".join(events) + arrive("%b0"), wait("%b0", "%c0") + SEND)
    params = f"%d: {DESC}, %c0: i32, %src: !tt.ptr<f32>"
    run(params, body, Boxes(out, 8, 16), 0, src)
    assert (out == 1).all()


def test_cp_async_writes_through_the_generic_proxy():
    copy(COPY, COMMIT, GROUP_WAIT, FENCE)
    with pytest.raises(MissingFence):
        copy(COPY, COMMIT, GROUP_WAIT)


def test_fence_before_the_copies_are_complete_does_not_help():
    with pytest.raises(MissingFence):
        copy(COPY, COMMIT, FENCE, GROUP_WAIT)
