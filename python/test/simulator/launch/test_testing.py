# SPDX-License-Identifier: MIT
"""What users test their kernels with: `check_kernel` and the fixture."""

import os
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tlx.simulator.findings.base import SimulationError
from tlx.testing import check_kernel


def launch_double(kernels, dtype=np.float32, wrong_at=None):
    def launch(x):
        y = np.zeros(len(x), dtype)
        kernels.double[(1,)](x, y, BLOCK=len(x))
        if wrong_at is not None:
            y[wrong_at] += 1
        return y

    return launch


def test_right_kernel(kernels):
    x = np.arange(32, dtype=np.float32)
    check_kernel(
        launch_double(kernels),
        lambda x: x * 2,
        [x],
        seeds=range(2),
        levels=("tlxir", "ttgir"),
    )


def test_runs_every_seed_schedule_and_level(kernels, calls):
    check_kernel(
        lambda x: kernels.double[(1,)](x, x, BLOCK=32) and x,
        lambda x: x,
        [np.zeros(32, np.float32)],
        seeds=(4, 5),
        schedules=("round_robin", "random", "reverse"),
        max_steps=99,
    )
    runs = [(c.options.schedule, c.options.seed, c.options.max_steps) for c in calls]
    assert runs == [
        ("round_robin", 4, 99),
        ("random", 4, 99),
        ("random", 5, 99),
        ("reverse", 4, 99),
        ("reverse", 5, 99),
    ]


def test_inputs_stay_as_they_are(kernels):
    x = np.arange(32, dtype=np.float32)

    def launch(x):
        kernels.double[(1,)](x, x, BLOCK=32)
        return x

    check_kernel(launch, lambda x: x * 2, [x])
    np.testing.assert_array_equal(x, np.arange(32))


@pytest.mark.parametrize("dtype", [np.float32, np.int32, ml_dtypes.bfloat16])
def test_wrong_result(kernels, dtype):
    x = np.arange(8).astype(dtype)
    with pytest.raises(
        AssertionError,
        match=r"with seed=0, schedule='round_robin'.* 1 of 8 elements .* is \[3\]: 7",
    ):
        check_kernel(launch_double(kernels, dtype, 3), lambda x: x * 2, [x])


def test_tolerance(kernels):
    x = np.arange(8, dtype=np.float32)

    def reference(x):
        return x * 2 + np.float32(1e-3)

    check_kernel(launch_double(kernels), reference, [x], atol=2e-3)
    with pytest.raises(AssertionError, match="8 of 8"):
        check_kernel(launch_double(kernels), reference, [x])


def test_nan_is_only_equal_to_nan(kernels):
    x = np.array([np.nan, 1], np.float32)
    check_kernel(launch_double(kernels), lambda x: x * 2, [x])
    with pytest.raises(AssertionError, match="1 of 2"):
        check_kernel(launch_double(kernels), lambda x: np.nan_to_num(x * 2), [x])


def test_wrong_shape_and_wrong_number(kernels):
    x = np.arange(8, dtype=np.float32)
    with pytest.raises(AssertionError, match=r"shape is \(8,\), expected is \(2, 4\)"):
        check_kernel(launch_double(kernels), lambda x: x.reshape(2, 4), [x])
    with pytest.raises(AssertionError, match="1 results, expected are 2"):
        check_kernel(launch_double(kernels), lambda x: (x, x), [x])


@pytest.mark.parametrize("on_finding", ["raise", "collect"])
def test_finding_is_raised(kernels, on_finding):
    def launch(x):
        y = np.zeros_like(x)
        kernels.hand_over[(1,)](x, y, BLOCK=128, WAIT=False)
        return y

    with pytest.raises(SimulationError):
        check_kernel(
            launch,
            lambda x: x + 1,
            [np.zeros(128, np.float32)],
            on_finding=on_finding,
        )


USERS_TEST = """
import numpy as np
import pytest
import triton
import triton.language as tl
import tlx
import tlx.errors

@triton.jit
def one(y):
    tl.store(y, 1)

@triton.jit
def wait_forever(y):
    bar = tlx.alloc_barriers(1)
    tlx.barrier_wait(bar[0], 0)
    tl.store(y, 1)

def test_good(tlx_simulator):
    y = np.zeros(1, np.int32)
    one[(1,)](y)
    assert y[0] == 1
    assert tlx_simulator.launches == 1

@pytest.mark.tlx_simulator(seed=3, on_finding="collect")
def test_bad(tlx_simulator):
    assert tlx_simulator.options.seed == 3
    wait_forever[(1,)](np.zeros(1, np.int32))

def test_that_expects_a_finding(tlx_simulator):
    with pytest.raises(tlx.errors.TLXError):
        wait_forever[(1,)](np.zeros(1, np.int32))
"""


def test_fixture(tmp_path):
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["tlx.testing.plugin"]\n')
    (tmp_path / "test_user.py").write_text(USERS_TEST)
    path = [str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")]
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--strict-markers", tmp_path],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "3 passed, 1 error" in result.stdout, result.stdout + result.stderr
    assert "ERROR at teardown of test_bad" in result.stdout
    assert "test_user.py:16" in result.stdout
