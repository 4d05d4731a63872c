# SPDX-License-Identifier: MIT
"""Options of a simulation, as arguments and as texts."""

import pytest

import tlx
from tlx.errors import ArgumentError
from tlx.simulator import Options
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
        ({"level": "ptx"}, "'level' to be one of tlxir, ttgir, but got 'ptx'"),
        ({"on_finding": "print"}, "'on_finding' to be one of raise, collect"),
        ({"races": 1}, "'races' to be of type bool"),
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
            "TLX_SIMULATE_TARGET": "sm_90a",
            "OTHER": "x",
        }
    )
    assert values == {"seed": 7, "races": False, "target": "sm_90a"}
    assert make_options(values) == (Options(seed=7, races=False), "sm_90a")


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
