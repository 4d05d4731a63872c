# SPDX-License-Identifier: MIT
"""Records a run: the machine calls it at each visible operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tlx.simulator.code.instructions import Code, Compute, Effect, Instruction
from tlx.simulator.code.registry import Threads
from tlx.simulator.ir.program import Op
from tlx.simulator.machine import by_thread
from tlx.simulator.machine.access import Access
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.cta import Cta
from tlx.simulator.machine.engine import Transfer
from tlx.simulator.machine.machine import Machine
from tlx.simulator.machine.mbarrier import MBarrier
from tlx.simulator.machine.named_barrier import NamedBarrier
from tlx.simulator.options import Options
from tlx.simulator.timeline.model import Edge, Lane, Span, Timeline

MAX_SPANS = 400_000
"""Spans that are kept; what comes later is counted only."""

_TILE_CYCLES = 2
"""Arithmetic of at least these cycles gets a span; less is scalar code."""

_MEMORY = ("load", "store", "rmw", "cas", "gather", "scatter")
_ENGINE_OPS = ("async", "bulk", "dot", "wait_group", "store_wait", "prefetch")
_ENGINE_WAITS = {
    "wgmma": "its products",
    "tma": "its stores",
    "bulk": "its stores",
    "cp.async": "its copies",
}


def _name(op: Op | None) -> str:
    """Returns the name of an operation without its dialect."""
    if op is None:
        return ""
    if "intrin" in op.attrs:
        return str(op.attrs["intrin"]).removeprefix("llvm.nvvm.")
    return op.name.partition(".")[2] or op.name


def _kind(op: Op | None) -> str:
    """Returns the kind of what a task does itself."""
    name = _name(op)
    if "barrier" in name or "fence" in name:
        return "barrier"
    if any(word in name for word in _ENGINE_OPS):
        return "issue"
    return "memory" if any(word in name for word in _MEMORY) else "issue"


class Recorder:
    """Records the first CTAs of a run.

    Attributes:
        timeline: What has been recorded.
    """

    def __init__(
        self, kernel: str, grid: tuple[int, int, int], options: Options
    ) -> None:
        self.timeline = Timeline(
            kernel, grid, options.level, options.schedule, options.seed
        )
        self._limit = options.trace_ctas
        self._tasks: dict[int, Lane] = {}
        self._engines: dict[tuple[int, str], Lane] = {}
        self._copies: dict[Access, Transfer] = {}
        self._count = 0

    def traced(self, code: dict[str, Code]) -> dict[str, Code]:
        """Returns code that tells the recorder of its arithmetic on tiles."""
        return {
            name: Code(
                function.name,
                [self._traced(i) for i in function.instructions],
                function.params,
                function.size,
            )
            for name, function in code.items()
        }

    def _traced(self, instruction: Instruction) -> Instruction:
        if not isinstance(instruction, Compute) or instruction.cost < _TILE_CYCLES:
            return instruction
        op, cost = instruction.op, instruction.cost

        def run(agent: Agent) -> None:
            by_thread.step(agent, instruction)
            self.compute(agent, op, cost)

        threads = Threads.TASK if instruction.together else Threads.EACH
        return Effect(op, cost, run, is_visible=False, threads=threads)

    # Lanes.

    def _new_lane(self, cta: Cta, name: str, *, is_engine: bool, start: int) -> Lane:
        self.timeline.ctas[cta.number] = cta.label
        lanes = self.timeline.lanes
        lane = Lane(len(lanes), cta.number, name, is_engine, start, start)
        lanes.append(lane)
        return lane

    def _engine(self, cta: Cta, engine: str) -> Lane:
        key = (cta.number, engine)
        lane = self._engines.get(key)
        if lane is None:
            lane = self._new_lane(cta, engine, is_engine=True, start=0)
            self._engines[key] = lane
        return lane

    def _is_full(self) -> bool:
        if self._count >= MAX_SPANS:
            self.timeline.dropped += 1
            return True
        return False

    def _add(self, lane: Lane, span: Span) -> None:
        lane.spans.append(span)
        lane.end = max(lane.end, span.end)
        self._count += 1

    # What the machine calls.

    def begin(self, agent: Agent) -> None:
        """A task begins."""
        if agent.cta.number < self._limit:
            self._tasks[agent.number] = self._new_lane(
                agent.cta, agent.label, is_engine=False, start=agent.now
            )

    def end(self, agent: Agent) -> None:
        """A task ends."""
        lane = self._tasks.get(agent.number)
        if lane is not None:
            lane.end = agent.now

    def compute(self, agent: Agent, op: Op | None, cost: int) -> None:
        """A task works on tiles, from now on."""
        lane = self._tasks.get(agent.number)
        if lane is None:
            return
        now, loc = agent.now, op.loc if op else None
        if lane.spans:
            last = lane.spans[-1]
            if last.kind == "compute" and last.end == now and last.loc == loc:
                last.end = lane.end = now + cost
                last.count += 1
                return
        if not self._is_full():
            self._add(lane, Span(now, now + cost, "compute", _name(op), loc))

    def effect(self, agent: Agent, instruction: Instruction, before: int) -> None:
        """A task has done what others can see.

        Args:
            agent: The task; its cycle is that after a wait.
            instruction: What it has done.
            before: Its cycle before the wait.
        """
        cause, agent.cause = agent.cause, None
        lane = self._tasks.get(agent.number)
        if lane is None or self._is_full():
            return
        op, now = instruction.op, agent.now
        name, loc = _name(op), op.loc if op else None
        if cause is not None:
            subject, note = self._explain(cause)
            if now > before:
                self._add(lane, Span(before, now, "wait", name, loc, note, subject))
            self._connect(lane, cause, now, now - before)
        self._add(lane, Span(now, now + instruction.cost, _kind(op), name, loc))

    def transfer(self, transfer: Transfer) -> None:
        """An engine takes an operation."""
        cta = transfer.agent.cta
        if cta.number >= self._limit or self._is_full():
            return
        for access in transfer.accesses:
            self._copies[access] = transfer
        kind = "product" if "mma" in transfer.engine else "copy"
        op = transfer.op
        note = f"for {transfer.agent.label}; seen at cycle {transfer.time}"
        span = Span(transfer.start, transfer.read_time, kind, _name(op), op.loc, note)
        self._add(self._engine(cta, transfer.engine), span)

    # Waits.

    def _explain(self, cause: Any) -> tuple[str, str]:
        """Returns what was waited for, without and with its details."""
        if isinstance(cause, MBarrier | NamedBarrier):
            subject = cause.label.partition("[")[0]
            who = cause.completed_by
            if isinstance(who, Access):
                by = f"bytes of {_name(who.op)}, started by {who.who}"
            else:
                by = f"an arrival of {who.label}" if who else "nobody"
            return subject, f"{cause.label}; the phase was completed by {by}"
        if isinstance(cause, Transfer):
            line = f" of line {cause.op.loc.line}" if cause.op.loc else ""
            subject = _ENGINE_WAITS.get(cause.engine, f"its {cause.engine}")
            return subject, f"{cause.engine} did {_name(cause.op)}{line}"
        return "its tasks", f"the end of {cause.label}, the last one"

    def _connect(self, lane: Lane, cause: Any, now: int, stall: int) -> None:
        """Adds the edge to a wait from whoever ended it, if that was recorded."""
        label, who = "", cause
        if isinstance(cause, MBarrier | NamedBarrier):
            label, who = cause.label, cause.completed_by
        if isinstance(who, Access):
            who = self._copies.get(who)
        if isinstance(who, Transfer):
            cta = who.agent.cta.number
            source = self._engines.get((cta, who.engine))
            label, start, end = label or who.engine, who.start, who.read_time
        elif isinstance(who, Agent):
            source = self._tasks.get(who.number)
            start = end = cause.time if label else who.now
            if source is not None and source.spans and not label:
                start = source.spans[-1].start
            label = label or "end"
        else:
            return
        if source is not None:
            edge = Edge(source.number, start, end, lane.number, now, label, stall)
            self.timeline.edges.append(edge)

    # The end.

    def finish(self, machine: Machine, error: Exception | None = None) -> Timeline:
        """Returns the timeline of a run that is over.

        Args:
            machine: It has run.
            error: What ended the run, if it has not ended by itself. Tasks that wait
                then show stalls up to the last cycle.
        """
        timeline = self.timeline
        last = max((lane.end for lane in timeline.lanes), default=0)
        if error is not None:
            timeline.outcome = str(getattr(error, "message", error))
            last = self._add_open_waits(machine, last)
        timeline.cycles = max(machine.cycles, last)
        for _, span in timeline.spans():
            if span.count > 1:
                span.note = f"{span.count} operations"
        order: Callable[[Lane], tuple[int, bool, int]] = lambda lane: (  # noqa: E731
            lane.cta,
            lane.is_engine,
            lane.number,
        )
        timeline.lanes.sort(key=order)
        places = {lane.number: place for place, lane in enumerate(timeline.lanes)}
        timeline.edges = [
            Edge(
                places[edge.source],
                edge.source_start,
                edge.source_end,
                places[edge.target],
                edge.time,
                edge.label,
                edge.stall,
            )
            for edge in timeline.edges
        ]
        for place, lane in enumerate(timeline.lanes):
            lane.number = place
        return timeline

    def _add_open_waits(self, machine: Machine, last: int) -> int:
        """Adds the waits that did not end, up to some cycle; returns it."""
        running = [a for cta in machine.live for a in cta.agents if a.is_running]
        last = max([last, *(a.now for a in running)])
        last += max(20, last // 10)
        for agent in running:
            lane = self._tasks.get(agent.number)
            if lane is None or agent.waits_for is None:
                continue
            what = agent.waits_what
            missing = agent.waits_for.missing()
            label = getattr(agent.waits_for, "label", what) or what
            op = agent.current
            span = Span(
                agent.now,
                last,
                "wait",
                _name(op),
                op.loc if op else None,
                f"never ends: waits for {what}; missing: {missing}",
                str(label).partition("[")[0],
            )
            self._add(lane, span)
        return last
