# SPDX-License-Identifier: MIT
"""mbarrier objects (PTX ISA, "Parallel Synchronization and Communication", mbarrier).

A phase completes when no arrivals and no bytes are pending; then the next one begins,
with the arrival count of the barrier. A wait for parity p passes while the phase that
runs has the other parity: then the last phase of parity p is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tlx.simulator.findings.barriers import BarrierOverrun
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.access import Access
from tlx.simulator.machine.clock import Knowledge
from tlx.simulator.machine.waiting import Waitable

if TYPE_CHECKING:
    from tlx.simulator.machine.agent import Agent

MAX_TRANSACTION_BYTES = (1 << 20) - 1
"""Largest tx-count of a phase; PTX ISA, "mbarrier object", valid range of tx-count."""


class MBarrier(Waitable):
    """One mbarrier.

    Attributes:
        label: Name and slot.
        key: The same on every schedule: its CTA and name.
        count: Arrivals that complete a phase.
        pending: Arrivals missing in the running phase.
        bytes_pending: Bytes expected and not yet arrived; negative if they came first.
        phase: Completed phases so far; its lowest bit is the parity that runs.
        knowledge: What the arrivals so far have made known.
        copies: Accesses of copies whose bytes arrived, per phase.
        arrivals: Who arrived in the running phase, and where.
        origin: The operation that allocated it.
        time: Cycle at which the last phase completed.
        last: Who came last in the running phase: an agent, or the access of a copy.
        completed_by: Who came last in the phase before.
    """

    __slots__ = (
        "arrivals",
        "bytes_pending",
        "completed_by",
        "copies",
        "count",
        "key",
        "knowledge",
        "label",
        "last",
        "latest",
        "origin",
        "passed",
        "pending",
        "phase",
        "published",
        "time",
    )

    def __init__(self, origin: Op, label: str, count: int) -> None:
        super().__init__()
        self.origin = origin
        self.label = label
        self.key: tuple[int, str] = (0, label)
        self.count = count
        self.pending = count
        self.bytes_pending = 0
        self.phase = 0
        self.knowledge = Knowledge()
        self.published = Knowledge()
        self.copies: list[list[Access]] = [[]]
        self.arrivals: list[tuple[str, Op, int]] = []
        self.passed: dict[int, int] = {}
        self.latest = 0
        self.time = 0
        self.last: Agent | Access | None = None
        self.completed_by: Agent | Access | None = None

    def arrive(self, agent: Agent, op: Op, count: int, expected: int = 0) -> None:
        """Arrives `count` times, after expecting `expected` bytes more."""
        if count > self.pending:
            raise BarrierOverrun.arrivals(self, agent.label, op, count)
        agent.machine.touched(self, "write" if expected else "arrive")
        self.expect(agent, op, expected)
        agent.release_into(self.knowledge)
        self.arrivals.append((agent.label, op, count))
        self.pending -= count
        self._come(agent, agent.now)
        self._complete()

    def expect(self, agent: Agent, op: Op, size: int) -> None:
        """Adds to the bytes that the phase waits for."""
        self.bytes_pending += size
        if self.bytes_pending > MAX_TRANSACTION_BYTES:
            raise BarrierOverrun.transaction(self, agent.label, op)

    def complete_bytes(
        self, agent: Agent, op: Op, size: int, accesses: list[Access], now: int
    ) -> None:
        """Counts bytes of a copy that have arrived.

        Args:
            agent: Who issued the copy.
            op: The copy.
            size: Its bytes.
            accesses: What it touched; whoever sees the phase complete observes them.
            now: Cycle at which they arrived.
        """
        agent.machine.touched(self, "write")
        self.bytes_pending -= size
        if self.bytes_pending < -MAX_TRANSACTION_BYTES:
            error = BarrierOverrun.transaction(self, agent.label, op)
            raise error.about(agent.cta.label)
        self.copies[-1] += accesses
        self._come(accesses[-1], now)
        self._complete()

    def complete_arrivals(self, count: int, accesses: list[Access], now: int) -> None:
        """Counts arrivals that copies make when they are complete.

        They make the copies known, and nothing else that their task has done.
        """
        self.pending -= count
        self.copies[-1] += accesses
        self._come(accesses[-1] if accesses else None, now)
        self._complete()

    def _come(self, who: Agent | Access | None, now: int) -> None:
        if now >= self.latest:
            self.latest, self.last = now, who

    def _complete(self) -> None:
        if self.pending or self.bytes_pending:
            return
        self.phase += 1
        self.pending = self.count
        self.arrivals = []
        self.copies.append([])
        self.published = self.knowledge.copy()
        self.time = self.latest
        self.completed_by = self.last
        self.wake()

    def try_wait(self, agent: Agent, parity: int) -> bool:
        """Passes if the phase of this parity is over; then its events are known."""
        agent.machine.touched(self, "read")
        if self.phase & 1 == parity & 1:
            return False
        agent.learn(self.published)
        first = self.passed.get(agent.number, 0)
        for phase in range(first, self.phase):
            for copy in self.copies[phase]:
                agent.observe(copy)
        self.passed[agent.number] = self.phase
        agent.wait_until(self.time, self)
        return True

    @property
    def is_untouched(self) -> bool:
        """Nobody has arrived on it yet."""
        return self.phase == 0 and self.pending == self.count

    def came_so_far(self) -> list[tuple[str, Op, int]]:
        """Returns who has arrived in the running phase, where, and how often."""
        return self.arrivals

    def missing(self) -> str:
        """What the running phase waits for."""
        parts = []
        if self.pending:
            noun = "arrival" if self.count == 1 else "arrivals"
            parts.append(f"{self.pending} of {self.count} {noun}")
        if self.bytes_pending > 0:
            parts.append(f"{self.bytes_pending} bytes")
        elif self.bytes_pending < 0:
            parts.append(f"{-self.bytes_pending} bytes more came than were expected")
        return ", ".join(parts)


class BarrierArray:
    """The mbarriers of one allocation."""

    __slots__ = ("label", "slots")

    def __init__(self, op: Op, label: str, num: int, count: int) -> None:
        self.label = label
        self.slots = [
            MBarrier(op, f"{label}[{i}]" if num else label, count)
            for i in range(max(num, 1))
        ]
