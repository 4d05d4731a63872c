# SPDX-License-Identifier: MIT
"""Named barriers of a CTA (PTX ISA, `barrier{.cta}`): 16 of them, counting threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tlx.simulator.findings.barriers import NamedBarrierMismatch
from tlx.simulator.findings.phases import WrongPhase
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.clock import Knowledge
from tlx.simulator.machine.phase import Event, Phase
from tlx.simulator.machine.waiting import Waitable

if TYPE_CHECKING:
    from tlx.simulator.machine.agent import Agent


class Round(Phase):
    """One use of a named barrier, from the first arrival to the last.

    Attributes:
        published: What the arrivals make known; None until all have come.
    """

    __slots__ = ("published",)

    def __init__(self) -> None:
        super().__init__()
        self.published: Knowledge | None = None


class NamedBarrier(Waitable):
    """One of the CTA's hardware barriers.

    Attributes:
        number: Its number, 0 to 15.
        key: The same on every schedule: its CTA and number.
        threads: Threads it completes with, as the first one that came said; 0 between
            two uses.
        arrived: Threads that have come.
        round: The use that runs.
        before: The use before it.
        last: The agent that came last since then.
        completed_by: The agent that completed it last.
    """

    __slots__ = (
        "arrived",
        "before",
        "completed_by",
        "key",
        "knowledge",
        "last",
        "latest",
        "number",
        "round",
        "threads",
        "time",
    )

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number
        self.key: tuple[int, int] = (0, number)
        self.threads = 0
        self.arrived = 0
        self.before = Round()
        self.round = Round()
        self.knowledge = Knowledge()
        self.latest = 0
        self.time = 0
        self.last: Agent | None = None
        self.completed_by: Agent | None = None

    @property
    def label(self) -> str:
        """How findings and timelines call it."""
        return f"named barrier {self.number}"

    def arrive(self, agent: Agent, op: Op, threads: int) -> Round:
        """Counts an agent's threads.

        Returns:
            The use of the barrier that a wait must see complete.
        """
        agent.machine.touched(self, "write")
        if agent.machine.options.races:
            self._check_round(agent, op)
        if self.threads not in (0, threads):
            raise NamedBarrierMismatch.counts(self, agent.label, op, threads)
        self.threads = threads
        self.arrived += agent.active_threads
        if self.arrived > threads:
            raise NamedBarrierMismatch.too_many(self, agent.label, op)
        this = self.round
        warps = agent.active_warps
        this.arrivals.append(
            Event(agent.number, agent.time, agent.label, op, warps=warps)
        )
        agent.release_into(self.knowledge)
        if agent.now >= self.latest:
            self.latest, self.last = agent.now, agent
        if self.arrived == threads:
            self.threads = self.arrived = 0
            this.published = self.knowledge.copy()
            self.before, self.round = this, Round()
            self.time = self.latest
            self.completed_by = self.last
            self.wake()
        return this

    def _check_round(self, agent: Agent, op: Op) -> None:
        """Reports an arrival that could count for another use than this one."""
        missing = self.before.not_past(agent.knowledge)
        own = self.round.by(agent.number, agent.active_warps)
        if own is None and missing is not None:
            own = self.before.by(agent.number, agent.active_warps)
        if own is not None:
            agent.machine.report(WrongPhase.twice(self.label, agent.label, op, own))
        elif missing is not None:
            agent.machine.report(WrongPhase.mixed(self.label, agent.label, op, missing))

    def pass_on(self, agent: Agent, use: Round) -> bool:
        """Makes known to a waiter what those who came had done, if all have come."""
        if use.published is None:
            return False
        agent.machine.touched(self, "read")
        agent.learn(use.published)
        agent.wait_until(self.time, self)
        return True

    def came_so_far(self) -> list[tuple[str, Op, int]]:
        """Returns who has come since it was last complete."""
        return [(a.who, a.op, a.count) for a in self.round.arrivals]

    def missing(self) -> str:
        """How many threads have not come."""
        return f"{self.threads - self.arrived} of {self.threads} threads"
