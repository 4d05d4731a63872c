# SPDX-License-Identifier: MIT
"""For pytest: a fixture that makes the launches of a test simulated.

A `conftest.py` makes it known with `pytest_plugins = ["tlx.testing.plugin"]`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tlx.simulator import Simulation, simulate


def pytest_configure(config: pytest.Config) -> None:
    """Makes the marker known."""
    config.addinivalue_line(
        "markers", "tlx_simulator(**options): options of tlx.simulate() for the fixture"
    )


@pytest.fixture
def tlx_simulator(request: pytest.FixtureRequest) -> Iterator[Simulation]:
    """Runs the test's launches in the simulator.

    A finding is raised by the launch; with `on_finding="collect"` those that were
    collected fail the test at its end.

    Options are those of `tlx.simulate`, from the marker
    `@pytest.mark.tlx_simulator(seed=3, schedule="random")`.
    """
    marker = request.node.get_closest_marker("tlx_simulator")
    with simulate(**(marker.kwargs if marker else {})) as run:
        yield run
    if run.options.on_finding == "collect" and run.findings:
        pytest.fail("\n".join(map(str, run.findings)), pytrace=False)
