# SPDX-License-Identifier: MIT
"""Kernels in Gluon run in the simulator, from the TTGIR that stock Triton makes."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

import tlx
from tlx.errors import UnsupportedError
from tlx.simulator import tensor
from tlx.simulator.findings.deadlock import Deadlock
from tlx.simulator.schedules import SCHEDULES


def load(name):
    path = Path(__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"stock_{name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


kernels = load("gluon_kernels")


def multiply(stages=3, k=208, **options):
    random = np.random.default_rng(0)
    a = random.standard_normal((72, k)).astype(np.float16)
    b = random.standard_normal((k, 96)).astype(np.float16)
    c = np.zeros((72, 96), np.float16)

    def descriptor(array, block):
        layout = gl.NVMMASharedLayout.get_default_for(block, gl.float16)
        return TensorDescriptor.from_tensor(tensor(array), block, layout)

    with tlx.simulate(level="stock_ttgir", **options) as run:
        kernels.matmul_tasks[(2, 2)](
            descriptor(a, [64, 32]),
            descriptor(b, [32, 64]),
            descriptor(c, [64, 64]),
            k,
            STAGES=stages,
        )
    wanted = a.astype(np.float64) @ b.astype(np.float64)
    return np.abs(c - wanted).max(), run


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_matmul_of_tasks(schedule):
    error, run = multiply(schedule=schedule, seed=4)
    assert error < 0.07
    assert run.findings == []


def test_ring_that_is_too_small_for_what_runs_ahead():
    """The slot of a product is free only with the next one, which needs a slot."""
    with pytest.raises(Deadlock) as caught:
        multiply(stages=1)
    assert "mbarrier.wait(full.index(slot), phase)" in str(caught.value)


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("n", [64, 300])
def test_copy_with_cp_async(schedule, n):
    x, y = np.arange(n, dtype=np.float32), np.zeros(n, np.float32)
    with tlx.simulate(level="stock_ttgir", target="sm_80", schedule=schedule) as run:
        kernels.copy_cp_async[(1,)](x, y, n, BLOCK=64, STAGES=3)
    np.testing.assert_array_equal(y, 2 * x)
    assert run.findings == []


def test_other_levels_do_not_take_gluon():
    x = np.zeros(64, np.float32)
    with tlx.simulate(), pytest.raises(UnsupportedError, match="expects 'level' to be"):
        kernels.copy_cp_async[(1,)](x, x, 64, BLOCK=64, STAGES=3)
