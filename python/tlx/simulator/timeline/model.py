# SPDX-License-Identifier: MIT
"""What a timeline holds: lanes with spans, and edges between them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from tlx.errors import SourceLocation

KINDS = {
    "wait": "stall: it waits for a barrier, an engine or a task",
    "compute": "arithmetic on tiles",
    "memory": "loads and stores of its own",
    "barrier": "barrier operations",
    "issue": "starts an engine, or other short operations",
    "copy": "a copy engine works",
    "product": "the matrix engine works",
}
"""Kinds of spans, and what they mean. Between spans a task runs scalar code."""


@dataclasses.dataclass(slots=True, eq=False)
class Span:
    """Cycles in which a lane does one thing.

    Attributes:
        start: First cycle.
        end: First cycle after it.
        kind: One of `KINDS`.
        name: Operation.
        loc: Line of the user's source.
        note: More about it, such as why it waits.
        subject: For a wait: the barrier without its slot, or what else it waits for.
        count: Operations that are drawn as one.
    """

    start: int
    end: int
    kind: str
    name: str
    loc: SourceLocation | None
    note: str = ""
    subject: str = ""
    count: int = 1

    @property
    def cycles(self) -> int:
        """How long it is."""
        return self.end - self.start


@dataclasses.dataclass(slots=True, eq=False)
class Lane:
    """A task, or an engine of a CTA.

    Attributes:
        number: Its place among the lanes.
        cta: Number of the CTA.
        name: What it is.
        is_engine: It is an engine.
        start: First cycle of a task.
        end: First cycle after the task's end; for engines, after their last span.
    """

    number: int
    cta: int
    name: str
    is_engine: bool
    start: int = 0
    end: int = 0
    spans: list[Span] = dataclasses.field(default_factory=list)

    def cycles_of(self, *kinds: str) -> int:
        """Sums up spans of some kinds."""
        return sum(span.cycles for span in self.spans if span.kind in kinds)


@dataclasses.dataclass(slots=True, frozen=True)
class Edge:
    """Who ended a wait.

    Attributes:
        source: Lane of the task that arrived, or of the engine whose bytes arrived.
        source_start: Cycle at which that operation began.
        source_end: Cycle at which the task or engine was done with it.
        target: Lane of the task that waited.
        time: Cycle at which the waiter went on.
        label: The barrier, or what else was waited for.
        stall: Cycles that the waiter lost.
    """

    source: int
    source_start: int
    source_end: int
    target: int
    time: int
    label: str
    stall: int


@dataclasses.dataclass(slots=True, frozen=True)
class StallTotal:
    """All waits of a task for one thing, on one line.

    Attributes:
        lane: The task.
        subject: What it waits for.
        loc: The line that waits.
        stalls: How often it lost cycles.
        cycles: Cycles lost.
        longest: The longest of them.
    """

    lane: Lane
    subject: str
    loc: SourceLocation | None
    stalls: int
    cycles: int
    longest: Span


@dataclasses.dataclass(slots=True, eq=False)
class Timeline:
    """What happened when in a run.

    Attributes:
        kernel: Name of the kernel.
        grid: CTAs per dimension.
        level: IR that was run.
        schedule: Name of the schedule.
        seed: Its seed.
        cycles: Cycles of the longest CTA of the whole grid.
        ctas: Names of the recorded CTAs by number.
        lanes: Tasks and engines, CTA by CTA.
        edges: Who ended which wait.
        dropped: Operations that were not recorded because there were too many.
        outcome: Message of the error that ended the run, or nothing.
    """

    kernel: str
    grid: tuple[int, int, int]
    level: str
    schedule: str
    seed: int
    cycles: int = 0
    ctas: dict[int, str] = dataclasses.field(default_factory=dict)
    lanes: list[Lane] = dataclasses.field(default_factory=list)
    edges: list[Edge] = dataclasses.field(default_factory=list)
    dropped: int = 0
    outcome: str = ""

    @property
    def num_ctas(self) -> int:
        """CTAs of the grid."""
        x, y, z = self.grid
        return x * y * z

    def spans(self) -> Iterator[tuple[Lane, Span]]:
        """Yields all spans, lane by lane."""
        for lane in self.lanes:
            for span in lane.spans:
                yield lane, span

    def stall_totals(self) -> list[StallTotal]:
        """Sums up the stalls of each task, the worst first."""
        groups: dict[tuple[int, str, str], list[tuple[Lane, Span]]] = {}
        for lane, span in self.spans():
            if span.kind == "wait":
                line = f"{span.loc.file}:{span.loc.line}" if span.loc else ""
                key = (lane.number, span.subject, line)
                groups.setdefault(key, []).append((lane, span))
        totals = [
            StallTotal(
                entries[0][0],
                subject,
                entries[0][1].loc,
                len(entries),
                sum(span.cycles for _, span in entries),
                max((span for _, span in entries), key=lambda span: span.cycles),
            )
            for (_, subject, _), entries in groups.items()
        ]
        return sorted(totals, key=lambda total: -total.cycles)
