# SPDX-License-Identifier: MIT
"""Options of a simulation, as arguments and as texts."""

import json

import numpy as np
import pytest

import tlx
from tlx.errors import ArgumentError
from tlx.simulator import Options
from tlx.simulator.findings.base import SimulationError
from tlx.simulator.launch.settings import from_environment, is_on, make_options


def test_arguments_become_options():
    with tlx.simulate(3, "random", max_steps=10, resident=2, target="sm_100a") as run:
        pass
    assert run.options == Options(seed=3, schedule="random", max_steps=10, resident=2)
    assert run.target == "sm_100a"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"seed": "3"}, "'seed' to be of type int, but got '3'"),
        ({"seed": True}, "'seed' to be of type int"),
        ({"seed": -1}, "'seed' to be at least 0, but got -1"),
        ({"resident": 0}, "'resident' to be at least 1"),
        ({"max_steps": 1.5}, "'max_steps' to be of type int"),
        ({"schedule": "randon"}, "'schedule' to be one of .*mean 'random'"),
        (
            {"level": "ptx"},
            "'level' to be one of tlxir, ttgir, stock_ttgir, but got 'ptx'",
        ),
        ({"on_finding": "print"}, "'on_finding' to be one of raise, collect"),
        ({"races": 1}, "'races' to be of type bool"),
        (
            {"same_value_writes": "warning"},
            "'same_value_writes' to be one of warn, error, ignore, but got 'warning', "
            "did you mean 'warn'",
        ),
        ({"trace": 3}, "'trace' to be a file or True, but got 3"),
        ({"trace": "x.png"}, r"'trace' to be a file that ends in .html or .json, but"),
        ({"trace_ctas": 0}, "'trace_ctas' to be at least 1"),
        ({"target": "hopper"}, "'target' to be like 'sm_90a'"),
    ],
)
def test_wrong_arguments(values, message):
    with pytest.raises(ArgumentError, match=message), tlx.simulate(**values):
        pass


def test_environment():
    values = from_environment(
        {
            "TLX_SIMULATE": "1",
            "TLX_SIMULATE_SEED": "7",
            "TLX_SIMULATE_RACES": "off",
            "TLX_SIMULATE_SAME_VALUE_WRITES": "error",
            "TLX_SIMULATE_TARGET": "sm_90a",
            "OTHER": "x",
        }
    )
    assert values == {
        "seed": 7,
        "races": False,
        "same_value_writes": "error",
        "target": "sm_90a",
    }
    expected = Options(seed=7, races=False, same_value_writes="error")
    assert make_options(values) == (expected, "sm_90a", None)


@pytest.mark.parametrize(
    ("variable", "text", "message"),
    [
        ("TLX_SIMULATE_SEED", "x", "'TLX_SIMULATE_SEED' to be an integer, but got 'x'"),
        ("TLX_SIMULATE_RACES", "maybe", "'TLX_SIMULATE_RACES' to be 0 or 1"),
        ("TLX_SIMULATE_LEVEL", "ptx", "'TLX_SIMULATE_LEVEL' to be one of"),
        ("TLX_SIMULATE_SED", "1", "did you mean 'TLX_SIMULATE_SEED'"),
    ],
)
def test_wrong_environment(variable, text, message):
    with pytest.raises(ArgumentError, match=message):
        from_environment({variable: text})


@pytest.mark.parametrize(
    ("text", "answer"), [("1", True), ("on", True), ("0", False), ("", False)]
)
def test_switch(text, answer):
    assert is_on({"TLX_SIMULATE": text}) is answer


def test_wrong_switch():
    with pytest.raises(ArgumentError, match="'TLX_SIMULATE' to be 0 or 1"):
        is_on({"TLX_SIMULATE": "maybe"})


def test_timelines_go_to_files(kernels, tmp_path):
    y = np.zeros(1, np.int32)
    path = tmp_path / "folder" / "run.json"
    with tlx.simulate(trace=path, trace_ctas=1) as run:
        kernels.count[(2,)](y, 3)
        with pytest.raises(SimulationError):
            kernels.wait_forever[(1,)](y)
    names = {"run.json": "count", "run-2.json": "wait_forever"}
    assert {p.name for p in path.parent.iterdir()} == set(names)
    for name, kernel in names.items():
        trace = json.loads((path.parent / name).read_text())
        assert trace["traceEvents"]
        assert kernel in json.dumps(trace)
    assert all(report.timeline for report in run.reports)


def test_timeline_as_a_page(kernels, tmp_path):
    with tlx.simulate(trace=str(tmp_path / "run.html")):
        kernels.count[(1,)](np.zeros(1, np.int32), 3)
    assert "<html" in (tmp_path / "run.html").read_text()


def test_timeline_without_a_file(kernels, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with tlx.simulate(trace=True) as run:
        kernels.count[(1,)](np.zeros(1, np.int32), 3)
    assert run.reports[0].timeline is not None
    assert not list(tmp_path.iterdir())
