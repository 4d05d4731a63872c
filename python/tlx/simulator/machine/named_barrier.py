# SPDX-License-Identifier: MIT
"""Named barriers of a CTA (PTX ISA, `barrier{.cta}`): 16 of them, counting threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tlx.simulator.findings.barriers import NamedBarrierMismatch
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.clock import Knowledge
from tlx.simulator.machine.waiting import Waitable

if TYPE_CHECKING:
    from tlx.simulator.machine.agent import Agent


class NamedBarrier(Waitable):
    """One of the CTA's hardware barriers.

    Attributes:
        number: Its number, 0 to 15.
        key: The same on every schedule: its CTA and number.
        threads: Threads it completes with, as the first one that came said; 0 between
            two uses.
        arrived: Threads that have come.
        generation: Times it has completed.
        last: The agent that came last since then.
        completed_by: The agent that completed it last.
    """

    __slots__ = (
        "arrived",
        "came",
        "completed_by",
        "generation",
        "key",
        "knowledge",
        "last",
        "latest",
        "number",
        "published",
        "threads",
        "time",
    )

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number
        self.key: tuple[int, int] = (0, number)
        self.threads = 0
        self.arrived = 0
        self.generation = 0
        self.came: list[tuple[str, Op]] = []
        self.knowledge = Knowledge()
        self.published = Knowledge()
        self.latest = 0
        self.time = 0
        self.last: Agent | None = None
        self.completed_by: Agent | None = None

    @property
    def label(self) -> str:
        """How timelines call it."""
        return f"named barrier {self.number}"

    def arrive(self, agent: Agent, op: Op, threads: int) -> int:
        """Counts an agent's threads.

        Returns:
            The generation that a wait must see pass.
        """
        agent.machine.touched(self, "write")
        if self.threads not in (0, threads):
            raise NamedBarrierMismatch.counts(self, agent.label, op, threads)
        self.threads = threads
        self.arrived += agent.active_threads
        if self.arrived > threads:
            raise NamedBarrierMismatch.too_many(self, agent.label, op)
        self.came.append((agent.label, op))
        agent.release_into(self.knowledge)
        if agent.now >= self.latest:
            self.latest, self.last = agent.now, agent
        generation = self.generation
        if self.arrived == threads:
            self.generation += 1
            self.threads = self.arrived = 0
            self.came = []
            self.published = self.knowledge.copy()
            self.time = self.latest
            self.completed_by = self.last
            self.wake()
        return generation

    def pass_on(self, agent: Agent) -> None:
        """Makes known to a waiter what those who came had done."""
        agent.machine.touched(self, "read")
        agent.learn(self.published)
        agent.wait_until(self.time, self)

    def came_so_far(self) -> list[tuple[str, Op, int]]:
        """Returns who has come since it was last complete."""
        return [(who, op, 1) for who, op in self.came]

    def missing(self) -> str:
        """How many threads have not come."""
        return f"{self.threads - self.arrived} of {self.threads} threads"
