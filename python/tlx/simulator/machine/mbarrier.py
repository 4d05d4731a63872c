# SPDX-License-Identifier: MIT
"""mbarrier objects (PTX ISA, "Parallel Synchronization and Communication", mbarrier).

A phase completes when no arrivals and no bytes are pending; then the next one begins,
with the arrival count of the barrier. A wait for parity p passes while the phase that
runs has the other parity: then the last phase of parity p is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tlx.simulator.findings.barriers import BarrierOverrun
from tlx.simulator.findings.phases import WrongPhase
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.access import Access
from tlx.simulator.machine.clock import Knowledge
from tlx.simulator.machine.phase import Event, Phase
from tlx.simulator.machine.waiting import Waitable

if TYPE_CHECKING:
    from tlx.simulator.machine.agent import Agent
    from tlx.simulator.machine.engine import Transfer

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
        phases: What came in each phase. The first entry stands for the one before
            the barrier was made.
        origin: The operation that allocated it.
        time: Cycle at which the last phase completed.
        last: Who came last in the running phase: an agent, or the access of a copy.
        completed_by: Who came last in the phase before.
        made: Its initialisation, if it is a word of shared memory.
        uses: The last use of it by each agent, likewise.
    """

    __slots__ = (
        "bytes_pending",
        "completed_by",
        "count",
        "key",
        "knowledge",
        "label",
        "last",
        "latest",
        "made",
        "origin",
        "passed",
        "pending",
        "phase",
        "phases",
        "published",
        "time",
        "uses",
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
        self.phases = [Phase(), Phase()]
        self.passed: dict[int, int] = {}
        self.latest = 0
        self.time = 0
        self.last: Agent | Access | None = None
        self.completed_by: Agent | Access | None = None
        self.made: Event | None = None
        self.uses: dict[int, Event] = {}

    def arrive(self, agent: Agent, op: Op, count: int, expected: int = 0) -> None:
        """Arrives `count` times, after expecting `expected` bytes more."""
        if count > self.pending:
            raise BarrierOverrun.arrivals(self, agent.label, op, count)
        agent.machine.touched(self, "write" if expected else "arrive")
        self._check_phase(agent, op, "arrival", agent.knowledge)
        self.expect(agent, op, expected)
        arrival = Event(agent.number, agent.time, agent.label, op, count)
        self.phases[-1].arrivals.append(arrival)
        agent.release_into(self.knowledge)
        self.pending -= count
        self._come(agent, agent.now)
        self._complete(agent)

    def expect(self, agent: Agent, op: Op, size: int) -> None:
        """Adds to the bytes that the phase waits for."""
        self.bytes_pending += size
        if self.bytes_pending > MAX_TRANSACTION_BYTES:
            raise BarrierOverrun.transaction(self, agent.label, op)

    def complete_bytes(self, copy: Transfer, size: int) -> None:
        """Counts bytes of a copy that have arrived.

        Args:
            copy: The copy; whoever sees the phase complete observes its accesses.
            size: Its bytes.
        """
        agent, op = copy.agent, copy.op
        agent.machine.touched(self, "write")
        self._check_phase(agent, op, "copy", copy.issued)
        self.bytes_pending -= size
        if self.bytes_pending < -MAX_TRANSACTION_BYTES:
            error = BarrierOverrun.transaction(self, agent.label, op)
            raise error.about(agent.cta.label)
        self._copied(copy)

    def await_copies(self, agent: Agent, op: Op, count: int) -> None:
        """Makes the running phase wait for arrivals that copies make."""
        self._check_phase(agent, op, "arrival", agent.knowledge)
        self.pending += count

    def complete_arrivals(self, copy: Transfer, count: int) -> None:
        """Counts arrivals that copies make when they are complete.

        They make the copies known, and nothing else that their task has done.
        """
        if count > self.pending:
            error = BarrierOverrun.arrivals(self, copy.agent.label, copy.op, count)
            raise error.about(copy.agent.cta.label)
        self._check_phase(copy.agent, copy.op, "copy", copy.issued)
        self.pending -= count
        self._copied(copy)

    def _copied(self, copy: Transfer) -> None:
        self.phases[-1].copies += copy.accesses
        self.knowledge.learn_past(copy.issued)
        self._come(copy.accesses[-1] if copy.accesses else None, copy.time)
        self._complete(copy.agent)

    def _check_phase(
        self, agent: Agent, op: Op, what: str, knowledge: Knowledge
    ) -> None:
        """Reports what could count for the phase before instead of this one."""
        if not agent.machine.options.races:
            return
        missing = self.phases[-2].not_past(knowledge)
        if missing is not None:
            error = WrongPhase.arrival(
                self.label, what, agent.label, op, self.phase, missing
            )
            agent.machine.report(error.about(agent.cta.label))

    def _come(self, who: Agent | Access | None, now: int) -> None:
        if now >= self.latest:
            self.latest, self.last = now, who

    def _complete(self, agent: Agent) -> None:
        if self.pending or self.bytes_pending:
            return
        self._check_waits(agent)
        self.phase += 1
        self.pending = self.count
        if self.phase > 1:
            self.phases[-3].forget_order()
        self.phases.append(Phase())
        self.published = self.knowledge.copy()
        self.time = self.latest
        self.completed_by = self.last
        self.wake()

    def _check_waits(self, agent: Agent) -> None:
        """Reports waits for the phase before that this one does not wait for."""
        if not agent.machine.options.races:
            return
        for wait in self.phases[-2].waits.values():
            if not self.knowledge.is_past(wait.agent, wait.time):
                arrivals = self.phases[-1].arrivals
                error = WrongPhase.late_wait(self.label, wait, self.phase - 1, arrivals)
                agent.machine.report(error.about(agent.cta.label))

    def try_wait(self, agent: Agent, op: Op, parity: int) -> bool:
        """Passes if the phase of this parity is over; then its events are known."""
        agent.machine.touched(self, "read")
        if self.phase & 1 == parity & 1:
            return False
        self._note_wait(agent, op)
        agent.learn(self.published)
        first = self.passed.get(agent.number, 0)
        for phase in range(first, self.phase):
            for copy in self.phases[phase + 1].copies:
                agent.observe(copy)
        self.passed[agent.number] = self.phase
        agent.wait_until(self.time, self)
        return True

    def _note_wait(self, agent: Agent, op: Op) -> None:
        """Reports a wait that could have passed two phases earlier."""
        wait = Event(agent.number, agent.time, agent.label, op, 0)
        self.phases[-2].waits[agent.number] = wait
        if self.phase == 0 or not agent.machine.options.races:
            return
        missing = self.phases[-3].not_past(agent.knowledge)
        if missing is not None:
            agent.machine.report(
                WrongPhase.early_wait(
                    self.label, agent.label, op, self.phase - 1, missing
                )
            )

    @property
    def is_untouched(self) -> bool:
        """Nobody has arrived on it yet."""
        return self.phase == 0 and self.pending == self.count

    def came_so_far(self) -> list[tuple[str, Op, int]]:
        """Returns who has arrived in the running phase, where, and how often."""
        return [(a.who, a.op, a.count) for a in self.phases[-1].arrivals]

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
