# SPDX-License-Identifier: MIT
"""TTGIR that stock Triton prints for Gluon kernels runs too."""

import re
from pathlib import Path

import numpy as np
import pytest

from tlx import _ext
from tlx.simulator.execute import execute
from tlx.simulator.findings.deadlock import Deadlock
from tlx.simulator.findings.memory import RaceError, UninitialisedRead
from tlx.simulator.findings.phases import WrongPhase
from tlx.simulator.findings.products import AccumulatorRead
from tlx.simulator.ir.load import load
from tlx.simulator.machine.descriptor import TensorDescriptor
from tlx.simulator.machine.global_memory import GlobalMemory
from tlx.simulator.options import Options
from tlx.simulator.schedules import SCHEDULES

_INPUTS = Path(__file__).parents[4] / "test/Interop/Inputs"
_FILES = sorted(_INPUTS.glob("*/hopper_ws_gemm*.mlir"))


def descriptor(memory, name, array, box):
    """Returns the five parameters that a descriptor becomes."""
    rows, columns = array.shape
    address = memory.map(name, array)
    desc = TensorDescriptor(address, array.shape, (columns, 1), box, array.dtype)
    return [desc, rows, columns, columns, 1]


def gemm(text, k, schedule="round_robin"):
    """Multiplies 128 x k by k x 256."""
    random = np.random.default_rng(k)
    a, b = (
        random.integers(-3, 4, shape).astype(np.float16)
        for shape in ((128, k), (k, 256))
    )
    c = np.full((128, 256), -1, np.float16)
    memory = GlobalMemory()
    params = [
        *descriptor(memory, "a", a, (64, 64)),
        *descriptor(memory, "b", b, (64, 128)),
        *descriptor(memory, "c", c, (64, 128)),
        k,
    ]
    program = load(_ext.parse(text, _ext.Context(), "gemm.mlir"))
    options = Options(schedule=schedule, max_steps=100_000)
    execute(program, (2, 2, 1), params, memory, options)
    np.testing.assert_array_equal(c, (a.astype(np.float32) @ b).astype(np.float16))


def test_there_are_files():
    assert len(_FILES) >= 2


@pytest.mark.parametrize("path", _FILES, ids=lambda p: f"{p.parent.name}-{p.stem}")
@pytest.mark.parametrize("k", [64, 320])
def test_product(path, k):
    gemm(path.read_text(), k)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_schedules(schedule):
    gemm(_FILES[-1].read_text(), 256, schedule)


def without(text, operation, occurrence=0):
    """Removes the lines of an operation, or the one line that is meant."""
    lines = text.split("\n")
    found = [i for i, line in enumerate(lines) if operation in line]
    del lines[found[occurrence]]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("operation", "occurrence", "finding"),
    [
        ("ttng.wait_barrier", 0, (RaceError, UninitialisedRead)),
        ("ttng.wait_barrier", 1, WrongPhase),
        ("ttng.arrive_barrier", 0, Deadlock),
        ("ttng.barrier_expect", 0, Deadlock),
    ],
)
def test_missing_synchronisation(operation, occurrence, finding):
    with pytest.raises(finding):
        gemm(without(_FILES[-1].read_text(), operation, occurrence), 448)


def test_missing_wait_for_a_product():
    text = _FILES[-1].read_text()
    used = re.search(r"(%\w+) = ttng\.warp_group_dot_wait (%\w+)", text)
    changed = without(text, "ttng.warp_group_dot_wait").replace(used[1], used[2])
    with pytest.raises((RaceError, AccumulatorRead)):
        gemm(changed, 448)


def test_fence_within_a_task_is_not_missed():
    gemm(without(_FILES[-1].read_text(), "ttng.fence_async_shared"), 64)


def test_findings_name_lines_of_the_source():
    with pytest.raises(Deadlock) as caught:
        gemm(without(_FILES[-1].read_text(), "ttng.arrive_barrier"), 448)
    assert caught.value.file == "gluon_kernels.py"
    assert "'empty[0]'" in caught.value.table
