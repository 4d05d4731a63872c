# SPDX-License-Identifier: MIT
"""The machine: runs the CTAs of a grid under a schedule."""

from __future__ import annotations

import collections
import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import threadpoolctl

from tlx import _ext
from tlx.errors import TLXError
from tlx.simulator.code.instructions import Code
from tlx.simulator.findings.arrivers import DEFAULT
from tlx.simulator.findings.base import SimulationError, repeats
from tlx.simulator.findings.deadlock import Deadlock, StepLimit
from tlx.simulator.findings.exit import ExitInFlight
from tlx.simulator.ir.program import Op, Program
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.cluster import Cluster, clusters
from tlx.simulator.machine.cta import Cta
from tlx.simulator.machine.descriptor import Written
from tlx.simulator.machine.frame import Frame
from tlx.simulator.machine.global_memory import GlobalMemory
from tlx.simulator.machine.scope import Release
from tlx.simulator.machine.waiting import Waitable
from tlx.simulator.options import Options
from tlx.simulator.schedules import Actor, Schedule, make_schedule

SHARED_LIMIT: int = _ext.shared_memory_limit(90)
"""Bytes of shared memory that a CTA of the simulated machine can have."""

MAX_IDLE_POLLS = 1000
"""Times that a spinning agent asks again when nobody else can go on."""

_PROGRESS_STEPS = 64

Footprint = dict[Any, set[str]]


class Keyed(Protocol):
    """Something with a name that is the same on every schedule."""

    @property
    def key(self) -> Any:
        """The name."""


Progress = Callable[[int, int], None]


def _one_thread() -> Any:
    """Keeps BLAS from starting threads: tiles are too small for them."""
    return _blas().limit(limits=1, user_api="blas")


@functools.cache
def _blas() -> threadpoolctl.ThreadpoolController:
    return threadpoolctl.ThreadpoolController()


class GlobalChanges(Waitable):
    """Changes of global memory that agents wait for."""

    __slots__ = ()

    def missing(self) -> str:
        return "a store by somebody else"


class Machine:
    """Runs one launch.

    Attributes:
        code: The functions by name.
        memory: Global memory.
        steps: Steps done.
        findings: What was found, if findings are collected.
        warnings: What may be a fault, or may be meant.
    """

    def __init__(
        self,
        program: Program,
        code: dict[str, Code],
        grid: tuple[int, int, int],
        params: Sequence[Any],
        memory: GlobalMemory,
        options: Options,
        timeline: Any = None,
        schedule: Schedule | None = None,
    ) -> None:
        self.program = program
        self.code = code
        self.grid = grid
        self.params = list(params)
        self.memory = memory
        self.options = options
        self.timeline = timeline
        self.shared_limit = SHARED_LIMIT
        if schedule is None:
            schedule = make_schedule(options.schedule, options.seed)
        self.schedule = schedule
        # Only an exploration has these: it records what steps depend on, and those
        # that it has not chosen.
        self.footprint: Footprint | None = getattr(schedule, "footprint", None)
        self._forced: Callable[[Actor], None] | None = getattr(schedule, "forced", None)
        self.findings: list[TLXError] = []
        self.warnings: list[TLXError] = []
        self.steps = 0
        self.cycles = 0
        self.atomics: dict[int, list[Release]] = {}
        self.global_changes = GlobalChanges()
        self.tensor_maps: dict[int, Written] = {}
        self._numbers = itertools.count(1)
        self._live: dict[int, Cta] = {}
        self._waiting = clusters(grid, program.cluster)
        self._started = itertools.count()
        self._resident = options.resident * math.prod(program.cluster)
        self._done = 0
        self._spinning: collections.deque[Agent] = collections.deque()
        self._idle_polls = 0

    # For agents and engines.

    def new_number(self) -> int:
        """Numbers an actor."""
        return next(self._numbers)

    def enable(self, actor: Actor) -> None:
        """Lets the schedule choose an actor, or nobody else if it spins."""
        if isinstance(actor, Agent) and actor.is_spinning:
            self._spinning.append(actor)
        else:
            self.schedule.add(actor)

    def report(self, finding: TLXError) -> None:
        """Raises a finding, or keeps it if it is a warning or all are collected."""
        kept = self.warnings
        if finding.severity == "error":
            if self.options.on_finding == "raise":
                raise finding
            kept = self.findings
        if not any(repeats(finding, other) for other in kept):
            kept.append(finding)

    def locate(self, error: Exception, op: Op | None, agent: Agent) -> None:
        """Gives an error of ours the line of the operation."""
        if isinstance(error, TLXError) and error.location is None and op is not None:
            error.location = op.loc
        if isinstance(error, SimulationError) and error.subject is None:
            error.subject = agent.cta.label

    def end(self, cta: Cta) -> None:
        """Takes a CTA that is over out of the machine."""
        self.cycles = max(self.cycles, cta.until, *(a.now for a in cta.agents))
        self._done += 1
        self._live.pop(cta.number, None)
        cta.forget()

    def check_end_of(self, agent: Agent) -> None:
        """Looks for operations that an agent leaves behind.

        `cp.async` copies are not among them: a warp that exits is held until they are
        over.
        """
        engines = agent.engines
        for transfer in (*engines.stores, *engines.products):
            if any(not access.observers for access in transfer.accesses):
                self.report(ExitInFlight.of(agent.label, transfer.op))
                return
        cta = agent.cta
        if not any(other.is_running for other in cta.agents):
            for access in cta.unobserved_loads():
                self.report(ExitInFlight.of(cta.label, access.op))
                return

    def touched(self, what: Keyed, kind: str) -> None:
        """Notes what the present step depends on, for the exploration of schedules.

        Args:
            what: What it touches.
            kind: `read`, `arrive` or `write`. Two reads commute, and two arrivals.
        """
        if self.footprint is not None:
            self.footprint.setdefault(what.key, set()).add(kind)

    def touched_all(self, what: Sequence[Keyed], kind: str) -> None:
        """Notes several things."""
        if self.footprint is not None:
            for one in what:
                self.touched(one, kind)

    def progress_made(self) -> None:
        """Wakes those who wait for a value in global memory."""
        self._idle_polls = 0
        self.global_changes.wake()
        if self.footprint is not None:
            # An exploration also covers the orders in which they see it at once.
            while self._spinning:
                self.schedule.add(self._spinning.popleft())

    # Running.

    def _admit(self) -> bool:
        """Starts the CTAs of the next cluster; returns False if there is none."""
        entry = next(self._waiting, None)
        if entry is None:
            return False
        index, places = entry
        cluster = Cluster(index)
        ctas = [Cta(self, next(self._started), place, cluster) for place in places]
        self._live.update((cta.number, cta) for cta in ctas)
        for cta in ctas:
            self._start(cta)
        return True

    def _start(self, cta: Cta) -> None:
        """Starts the default task of a CTA."""
        code = self.code[self.program.kernel]
        values: list[Any] = [None] * code.size
        for place, value in zip(code.params, self.params, strict=True):
            values[place] = value
        agent = Agent(
            self,
            cta,
            Frame(code, values),
            label=DEFAULT,
            num_warps=self.program.num_warps,
        )
        agent.run(may_act=False)

    def run(self, progress: Progress | None = None) -> None:
        """Runs all CTAs.

        Raises:
            SimulationError: Something is wrong with the kernel.
        """
        with np.errstate(all="ignore"), _one_thread():
            self._run(progress)
        if self._live:
            raise Deadlock.of(self)

    def _run(self, progress: Progress | None) -> None:
        total = self.grid[0] * self.grid[1] * self.grid[2]
        schedule, limit = self.schedule, self.options.max_steps
        reported = 0
        more = True
        while True:
            while more and len(self._live) < self._resident:
                more = self._admit()
            actor = schedule.next()
            if actor is None:
                if more:
                    more = self._admit()
                    continue
                actor = self._next_spinning()
                if actor is None:
                    break
            else:
                self._idle_polls = 0
            self.steps += 1
            if self.steps > limit:
                raise StepLimit.of(self, limit)
            actor.step()
            # Also within a long CTA, so that somebody sees that it goes on.
            if progress is not None and (
                self._done != reported or self.steps % _PROGRESS_STEPS == 0
            ):
                reported = self._done
                progress(reported, total)

    def _next_spinning(self) -> Agent | None:
        """Returns an agent that polls; None if asking again is of no use."""
        self._idle_polls += 1
        if self._idle_polls > MAX_IDLE_POLLS * max(len(self._spinning), 1):
            return None
        if not self._spinning:
            return None
        agent = self._spinning.popleft()
        if self._forced is not None:
            self._forced(agent)
        return agent

    @property
    def live(self) -> list[Cta]:
        """The CTAs that have begun and are not over."""
        return list(self._live.values())


__all__ = ["Machine", "Progress"]
