# SPDX-License-Identifier: MIT
"""Descriptors that kernels write to memory of their own."""

import numpy as np
import pytest
from running import arrive, barriers, run, tasks, wait

from tlx.simulator.findings.memory import Misaligned, OutOfRange, RaceError

DESC = "!tt.tensordesc<4x8xi32>"
TENSOR = "tensor<4x8xi32>"
PARAMS = "%at: !tt.ptr<i8>, %src: !tt.ptr<i32>, %dst: !tt.ptr<i32>, %zero: i32"
START = """
%eight = arith.constant 8 : i32
%stride = arith.constant 8 : i64
%far = arith.constant 128 : i32
%at2 = tt.addptr %at, %far : !tt.ptr<i8>, i32
"""
MAKE = (
    "%{0} = tlx.make_tensor_descriptor {1}, {2}, [%eight, %eight], [%stride] {3}\n"
    f"  : !tt.ptr<i8>, !tt.ptr<i32> -> {DESC}\n"
)
AGAIN = f"%{{0}} = tlx.reinterpret_tensor_descriptor {{1}} : !tt.ptr<i8> -> {DESC}\n"
COPY = f"""
%v = tt.descriptor_load %{{0}}[%row, %zero] : {DESC} -> {TENSOR}
tt.descriptor_store %{{1}}[%zero, %zero], %v : {DESC}, {TENSOR}
"""


def simulate(body, row=2, size=256, space=None):
    source = np.arange(100, 164, dtype=np.int32)
    target = np.zeros(64, np.int32)
    memory = np.zeros(size, np.int8) if space is None else space
    start = f"%row = arith.constant {row} : i32\n" + START
    run(PARAMS, start + body, memory, source, target, 0)
    return source.reshape(8, 8), target.reshape(8, 8)


BOTH = MAKE.format("s", "%at", "%src", "") + MAKE.format("d", "%at2", "%dst", "")


def test_make():
    source, target = simulate(BOTH + COPY.format("s", "d"))
    np.testing.assert_array_equal(target[:4], source[2:6])
    assert not target[4:].any()


def test_read_again():
    body = BOTH + AGAIN.format("s2", "%at") + AGAIN.format("d2", "%at2")
    source, target = simulate(body + COPY.format("s2", "d2"), row=6)
    np.testing.assert_array_equal(target[:2], source[6:])
    assert not target[2:].any()


def test_prefetch_does_nothing():
    simulate(BOTH + f"tlx.prefetch_descriptor %s : {DESC}\n" + COPY.format("s", "d"))


LOAD = f"%v = tt.descriptor_load %{{0}}[%row, %zero] : {DESC} -> {TENSOR}\n"


def test_nothing_was_written():
    simulate(AGAIN.format("s", "%at"))
    with pytest.raises(OutOfRange, match="no descriptor has been written"):
        simulate(AGAIN.format("s", "%at") + LOAD.format("s"))


def test_a_write_over_a_half():
    """The end of one descriptor is the start of the next."""
    between = "%c64 = arith.constant 64 : i32\n"
    between += "%mid = tt.addptr %at, %c64 : !tt.ptr<i8>, i32\n"
    body = BOTH + between + MAKE.format("m", "%mid", "%src", "")
    simulate(body + LOAD.format("m"))
    for old in "sd":
        with pytest.raises(OutOfRange, match="no descriptor has been written"):
            simulate(body + LOAD.format(old))


def test_addresses_are_aligned():
    odd = "%c8 = arith.constant 8 : i32\n%odd = tt.addptr %at, %c8 : !tt.ptr<i8>, i32\n"
    with pytest.raises(Misaligned, match=r"at a multiple of 64 .* byte 8 of 'at'"):
        simulate(odd + MAKE.format("s", "%odd", "%src", ""))


def test_there_is_room():
    with pytest.raises(OutOfRange, match="points to byte 128 of 'at', which has 128"):
        simulate(BOTH, size=128)


def test_other_tasks_wait_for_the_write():
    write = MAKE.format("s", "%at", "%src", "")
    read = AGAIN.format("r", "%at") + LOAD.format("r")
    simulate(barriers("b") + tasks(write + arrive("%b0"), wait("%b0", "%zero") + read))
    with pytest.raises(RaceError, match="race on 'at'"):
        simulate(write.replace("%s", "%first", 1) + tasks(write, read))
