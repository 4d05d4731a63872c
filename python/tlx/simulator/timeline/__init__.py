# SPDX-License-Identifier: MIT
"""Timelines of simulated runs, as a trace for viewers and as a page.

Example:
    >>> report = execute(program, grid, params, memory, Options(trace=True))
    >>> write_trace(report.timeline, "gemm.json")
    >>> write_page(report.timeline, "gemm.html")
"""

from tlx.simulator.timeline.chrome import write_trace
from tlx.simulator.timeline.model import Edge, Lane, Span, Timeline
from tlx.simulator.timeline.page import write_page
from tlx.simulator.timeline.recorder import Recorder

__all__ = [
    "Edge",
    "Lane",
    "Recorder",
    "Span",
    "Timeline",
    "write_page",
    "write_trace",
]
