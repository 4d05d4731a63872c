# SPDX-License-Identifier: MIT
"""A timeline as one HTML page that needs no network and nothing installed.

The page holds the run as JSON columns in a script element that is data, not code; all
text gets onto the page as text, so names in it cannot become markup.
"""

from __future__ import annotations

import html
import importlib.resources
import json
import os
import string
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tlx.errors import SourceLocation
from tlx.simulator.code import cost
from tlx.simulator.timeline.files import write_text
from tlx.simulator.timeline.model import KINDS, Lane, Timeline

_SCRIPTS = ("data.js", "chart.js", "main.js")


class _Table:
    """Numbers values that occur often."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}

    def number(self, value: Any) -> int:
        """Returns the number of a value."""
        return self._numbers.setdefault(value, len(self._numbers))

    def values(self) -> list[Any]:
        """Returns all values in the order of their numbers."""
        return list(self._numbers)


def _steps(values: Iterable[int]) -> list[int]:
    """Returns each value less the one before."""
    before, steps = 0, []
    for value in values:
        steps.append(value - before)
        before = value
    return steps


class _Columns:
    """Makes the columns of the lanes, with tables for strings and lines."""

    def __init__(self) -> None:
        self.strings = _Table()
        self.lines = _Table()

    def line(self, loc: SourceLocation | None) -> int:
        """Numbers a line of the user's source."""
        if loc is None:
            return self.lines.number(("", 0, ""))
        return self.lines.number((loc.file, loc.line, (loc.text or "").strip()))

    def lane(self, lane: Lane) -> dict[str, Any]:
        """Returns the columns of a lane."""
        kinds = list(KINDS)
        spans = sorted(lane.spans, key=lambda span: span.start)
        names = (
            f"wait for {span.subject}" if span.kind == "wait" else span.name
            for span in spans
        )
        return {
            "cta": lane.cta,
            "name": lane.name,
            "engine": lane.is_engine,
            "from": lane.start,
            "to": lane.end,
            "busy": lane.cycles_of(*(kind for kind in kinds if kind != "wait")),
            "waits": lane.cycles_of("wait"),
            "start": _steps(span.start for span in spans),
            "cycles": [span.cycles for span in spans],
            "kind": [kinds.index(span.kind) for span in spans],
            "name_of": [self.strings.number(name) for name in names],
            "line": [self.line(span.loc) for span in spans],
            "note": [self.strings.number(span.note) for span in spans],
        }


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _facts(timeline: Timeline) -> str:
    grid = " x ".join(str(n) for n in timeline.grid)
    return (
        f"Simulated at level {timeline.level}, grid {grid}, schedule "
        f"{timeline.schedule}, seed {timeline.seed}: "
        f"{_plural(timeline.cycles, 'cycle')} of the cost model"
    )


def _scope(timeline: Timeline) -> str:
    shown = len(timeline.ctas)
    text = (
        f"Shows {shown:,} of {_plural(timeline.num_ctas, 'CTA')}; each has a "
        "multiprocessor of its own and begins at cycle 0."
    )
    if timeline.dropped:
        text += (
            f" {_plural(timeline.dropped, 'later operation')} of them "
            "were too many to be recorded."
        )
    if timeline.schedule != "earliest":
        text += (
            " With this schedule, tasks that share an engine may get it in another "
            "order than that of their cycles; the schedule 'earliest' keeps it."
        )
    return text


def page_data(timeline: Timeline) -> dict[str, Any]:
    """Returns what the page's script reads."""
    columns = _Columns()
    lanes = [columns.lane(lane) for lane in timeline.lanes]
    edges = [
        (
            edge.source,
            edge.source_start,
            edge.source_end,
            edge.target,
            edge.time,
            columns.strings.number(edge.label),
            edge.stall,
        )
        for edge in timeline.edges
    ]
    stalls = [
        (
            total.lane.number,
            columns.strings.number(total.subject),
            columns.line(total.loc),
            total.stalls,
            total.cycles,
            total.longest.start,
        )
        for total in timeline.stall_totals()
    ]
    return {
        "kernel": timeline.kernel,
        "facts": _facts(timeline),
        "scope": _scope(timeline),
        "outcome": timeline.outcome and f"The run ended early: {timeline.outcome}",
        "ctas": sorted(timeline.ctas.items()),
        "kinds": list(KINDS.items()),
        "lanes": lanes,
        "edges": edges,
        "stalls": stalls,
        "model": [list(row) for row in cost.table()],
        "model_note": cost.NOTE,
        "strings": columns.strings.values(),
        "lines": columns.lines.values(),
    }


def _as_script_data(value: Any) -> str:
    """Returns JSON that cannot end the script element that it stands in."""
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def page_text(timeline: Timeline) -> str:
    """Returns the page."""
    assets = importlib.resources.files("tlx.simulator.timeline") / "assets"

    def read(name: str) -> str:
        return (assets / name).read_text(encoding="utf-8")

    return string.Template(read("page.html")).substitute(
        title=html.escape(f"{timeline.kernel}: simulated timeline"),
        style=read("page.css"),
        script="".join(read(name) for name in _SCRIPTS),
        data=_as_script_data(page_data(timeline)),
    )


def write_page(timeline: Timeline, path: str | os.PathLike[str]) -> Path:
    """Writes a page that shows a timeline.

    Args:
        timeline: What was recorded; `Report.timeline`.
        path: File to write, like `gemm.html`.

    Returns:
        The file.

    Raises:
        OSError: It cannot be written.
    """
    return write_text(path, page_text(timeline))
