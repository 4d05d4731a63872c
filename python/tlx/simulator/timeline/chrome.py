# SPDX-License-Identifier: MIT
"""Traces in the format of Chrome's trace viewer, which Perfetto opens, too.

The format is described in "Trace Event Format" (Google). Times in it are microseconds;
one cycle is written as one nanosecond, so viewers show cycles under the name `ns`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tlx.simulator.timeline.files import write_text
from tlx.simulator.timeline.model import Edge, Lane, Span, Timeline

Event = dict[str, Any]


def _microseconds(cycles: int) -> float:
    return cycles / 1000


def _args(span: Span) -> dict[str, Any]:
    args: dict[str, Any] = {"cycles": span.cycles}
    if span.loc is not None:
        args["line"] = f"{span.loc.file}:{span.loc.line}"
        if span.loc.text is not None:
            args["source"] = span.loc.text.strip()
    if span.note:
        args["note"] = span.note
    return args


def _names(timeline: Timeline) -> Iterator[Event]:
    def meta(name: str, pid: int, args: dict[str, Any], tid: int = 0) -> Event:
        return {"ph": "M", "name": name, "pid": pid, "tid": tid, "args": args}

    for number, label in timeline.ctas.items():
        yield meta("process_name", number, {"name": label})
        yield meta("process_sort_index", number, {"sort_index": number})
    for lane in timeline.lanes:
        name = f"engine {lane.name}" if lane.is_engine else lane.name
        place = {"sort_index": lane.number}
        yield meta("thread_name", lane.cta, {"name": name}, lane.number)
        yield meta("thread_sort_index", lane.cta, place, lane.number)


def _slice(lane: Lane, span: Span) -> Event:
    name = f"wait for {span.subject}" if span.kind == "wait" else span.name
    return {
        "ph": "X",
        "name": name,
        "cat": span.kind,
        "ts": _microseconds(span.start),
        "dur": _microseconds(span.cycles),
        "pid": lane.cta,
        "tid": lane.number,
        "args": _args(span),
    }


def _flow(timeline: Timeline, number: int, edge: Edge) -> Iterator[Event]:
    source, target = timeline.lanes[edge.source], timeline.lanes[edge.target]
    common = {"name": edge.label, "cat": "barrier", "id": number}
    yield {
        **common,
        "ph": "s",
        "ts": _microseconds(edge.source_start),
        "pid": source.cta,
        "tid": source.number,
    }
    yield {
        **common,
        "ph": "f",
        "bp": "e",
        "ts": _microseconds(edge.time),
        "pid": target.cta,
        "tid": target.number,
    }


def trace_events(timeline: Timeline) -> Iterator[Event]:
    """Yields all events: a process per CTA, a thread per task and engine."""
    yield from _names(timeline)
    for lane, span in timeline.spans():
        yield _slice(lane, span)
    for number, edge in enumerate(timeline.edges, 1):
        yield from _flow(timeline, number, edge)


def trace_document(timeline: Timeline) -> dict[str, Any]:
    """Returns the whole trace."""
    return {
        "traceEvents": list(trace_events(timeline)),
        "displayTimeUnit": "ns",
        "otherData": {
            "kernel": timeline.kernel,
            "grid": list(timeline.grid),
            "level": timeline.level,
            "schedule": timeline.schedule,
            "seed": timeline.seed,
            "cycles": timeline.cycles,
            "recorded_ctas": len(timeline.ctas),
            "dropped": timeline.dropped,
            "outcome": timeline.outcome,
            "time": "1 ns in this file is 1 cycle of the simulator's cost model",
        },
    }


def write_trace(timeline: Timeline, path: str | os.PathLike[str]) -> Path:
    """Writes a trace that Perfetto and Chrome's viewer open.

    Args:
        timeline: What was recorded; `Report.timeline`.
        path: File to write, like `gemm.json`.

    Returns:
        The file.

    Raises:
        OSError: It cannot be written.
    """
    text = json.dumps(trace_document(timeline), separators=(",", ":"))
    return write_text(path, text)
