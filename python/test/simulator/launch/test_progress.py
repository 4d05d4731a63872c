# SPDX-License-Identifier: MIT
"""The progress bar: late, only on a terminal, and gone at the end."""

import io

import pytest

from tlx.simulator.launch import progress
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
