# SPDX-License-Identifier: MIT
"""TTGIR of Triton's own pipeline runs, and does what the kernel means.

Checks both sides: our meanings of what stock Triton emits, and its software pipeliner,
which must have no race under any schedule.
"""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import tlx
from tlx.errors import UnsupportedError
from tlx.simulator.schedules import SCHEDULES


def load(name):
    path = Path(__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"stock_{name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


CASES = load("plain").CASES
each_case = pytest.mark.parametrize("name", CASES)
each_target = pytest.mark.parametrize("target", ["sm_80", "sm_90a"])


def launch(case, **options):
    """Runs a case; returns the output and the compiled kernel."""
    args, output, wanted = case.make(np.random.default_rng(3))
    with tlx.simulate(**options) as run:
        kernel = case.kernel[case.grid](*args, **case.constants)
    assert run.findings == []
    error = np.abs(output.astype(np.float64) - wanted).max()
    assert error <= case.tolerance, options
    return output, kernel


@each_target
@each_case
def test_right_under_each_schedule(name, target):
    case = CASES[name]
    for seed, schedule in enumerate(SCHEDULES):
        _, kernel = launch(
            case, level="stock_ttgir", target=target, schedule=schedule, seed=seed
        )
    assert list(kernel.asm) == ["ttir", "ttgir"]
    for mark in case.marks.get(target, ()):
        assert mark in kernel.asm["ttgir"]


@each_target
@each_case
def test_agrees_with_our_front_end(name, target):
    """Products add up in other orders, since tiles are cut for the instructions."""
    case = CASES[name]
    ours, _ = launch(case, level="tlxir", target=target)
    stock, _ = launch(case, level="stock_ttgir", target=target)
    np.testing.assert_allclose(stock, ours, rtol=1e-3, atol=2 * case.tolerance)


def test_tensor_memory_is_not_simulated_yet():
    case = CASES["matmul with TMA"]
    with pytest.raises(UnsupportedError, match=r"'ttng\.tmem_alloc'") as caught:
        launch(case, level="stock_ttgir", target="sm_100a")
    assert Path(caught.value.location.file).name == "plain.py"
    assert "tl.dot(" in caught.value.location.text


def test_a_copy_that_is_not_waited_for_is_found():
    """The checks above would see a pipeliner that forgets a wait."""
    from tlx import _ext
    from tlx.simulator.execute import execute
    from tlx.simulator.findings.memory import RaceError
    from tlx.simulator.ir.load import load
    from tlx.simulator.machine.global_memory import GlobalMemory
    from tlx.simulator.options import Options

    case = CASES["matmul"]
    _, kernel = launch(case, level="stock_ttgir", target="sm_80")
    text = kernel.asm["ttgir"]
    assert "num = 2" in text
    broken = load(_ext.parse(text.replace("num = 2", "num = 4"), _ext.Context()))
    args, _, _ = case.make(np.random.default_rng(3))
    memory = GlobalMemory()
    params = [
        memory.map(str(place), arg) if isinstance(arg, np.ndarray) else arg
        for place, arg in enumerate(args)
    ]
    with pytest.raises(RaceError):
        execute(broken, (2, 2, 1), params, memory, Options())
