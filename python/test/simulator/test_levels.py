# SPDX-License-Identifier: MIT
"""Each kernel we ship does the same at all levels: a check of how it is lowered.

Results are equal bit by bit. Lowering must not change the order in which a product or a
reduction adds up: tiles and loops are the user's, and each operation becomes one.
"""

import functools
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent / "mutation"))

from cases import cases

from tlx import _ext
from tlx.backend import wheel
from tlx.simulator.execute import execute
from tlx.simulator.ir.load import load
from tlx.simulator.options import Options

CASES = cases()
LEVELS = ("ttgir", "stock_ttgir")
VARIANTS = [
    pytest.param(name, variant, id=f"{name}-{variant}")
    for name, case in CASES.items()
    for variant in range(len(case.launches))
]


@functools.cache
def program(name, level):
    case = CASES[name]
    if level != "stock_ttgir":
        return case.program(level)
    module = wheel.lower_ttgir(case.texts["ttgir"], 90)
    return load(_ext.parse(str(module), _ext.Context()))


def results(case, variant, program, schedule, seed):
    """Runs a kernel; returns the bytes of all outputs."""
    launch = case.launches[variant](np.random.default_rng(seed))
    options = Options(schedule=schedule, seed=seed)
    report = execute(program, case.grid, launch.params, launch.memory, options)
    assert report.findings == []
    assert case.error(launch) <= 1
    return {name: got.tobytes() for name, (got, _) in launch.outputs.items()}


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
@pytest.mark.parametrize("schedule", ["round_robin", "random", "lazy_engines"])
def test_levels_agree(name, variant, schedule):
    case = CASES[name]
    expected = results(case, variant, program(name, "tlxir"), schedule, seed=5)
    for level in LEVELS:
        got = results(case, variant, program(name, level), schedule, seed=5)
        assert got == expected, level


def test_schedules_agree():
    """So what the levels agree on is not the order of one run."""
    case = CASES["attention"]
    first = results(case, 0, program("attention", "tlxir"), "round_robin", seed=5)
    second = results(case, 0, program("attention", "ttgir"), "random", seed=5)
    assert first == second


def test_rounding_of_a_last_bit_is_told_apart():
    case = CASES["gemm_ws"]
    changed = case.program("ttgir")
    for op in changed.functions[changed.kernel].body.walk():
        if op.name == "arith.truncf":
            op.attrs["roundingmode"] = 3
    expected = results(case, 0, program("gemm_ws", "ttgir"), "round_robin", seed=5)
    assert results(case, 0, changed, "round_robin", seed=5) != expected
