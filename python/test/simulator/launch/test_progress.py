# SPDX-License-Identifier: MIT
"""The progress bar: late, only on a terminal, and gone at the end."""

import io

import numpy as np
import pytest

import tlx
from tlx.simulator.launch import progress, simulation
from tlx.simulator.launch.progress import ProgressBar


class Terminal(io.StringIO):
    """A text buffer that claims to be a terminal."""

    def isatty(self):  # noqa: D102
        return True


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_long_run_on_a_terminal(clock):
    terminal = Terminal()
    with ProgressBar("gemm", terminal) as bar:
        clock[0] += 1.9
        bar(1, 10)
        assert terminal.getvalue() == ""
        clock[0] += 0.2
        bar(5, 10)
        shown = terminal.getvalue()
        assert shown == "\rgemm [" + "#" * 15 + "." * 15 + "] 5/10 CTAs"
        # Not more often than somebody can read.
        bar(6, 10)
        assert terminal.getvalue() == shown
        clock[0] += 0.3
        bar(10, 10)
        assert terminal.getvalue().endswith("#] 10/10 CTAs")
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_short_run_shows_nothing(clock):
    terminal = Terminal()
    with ProgressBar("gemm", terminal) as bar:
        bar(10, 10)
    assert terminal.getvalue() == ""


def test_no_terminal(clock):
    stream = io.StringIO()
    with ProgressBar("gemm", stream) as bar:
        clock[0] += 60
        bar(5, 10)
    assert stream.getvalue() == ""


def test_the_machine_reports_ctas_and_goes_on_within_them(kernels, monkeypatch):
    seen = []

    class Recorder(ProgressBar):
        """Notes what it is called with."""

        def __call__(self, done, total):
            seen.append((done, total))

    monkeypatch.setattr(simulation, "ProgressBar", Recorder)
    y = np.zeros(1, np.int32)
    with tlx.simulate(resident=1):
        kernels.count[(3,)](y, 100)
    assert y[0] == 300
    assert {done for done, _ in seen} >= {1, 2, 3}
    assert {total for _, total in seen} == {3}
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    # A hundred additions are more than one report.
    assert len(seen) > 5
