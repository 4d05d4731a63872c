# SPDX-License-Identifier: MIT
"""Accesses to memory, as the race detector remembers them."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from tlx.simulator.ir.program import Op
from tlx.simulator.machine.clock import Clock
from tlx.simulator.machine.scope import Scope

if TYPE_CHECKING:
    from tlx.simulator.machine.cta import Cta
    from tlx.simulator.machine.mbarrier import MBarrier


class Access:
    """One access by an operation.

    Attributes:
        agent: Number of the agent that did it or that started it.
        time: The agent's count of releases then.
        is_write: It wrote; else it read.
        is_async_proxy: It went through the async proxy.
        is_bulk: It is by a bulk copy, before which the compiler puts no proxy fence.
        atomic: Scope of an atomic operation; else None.
        cta: The agent's CTA.
        op: The operation.
        who: How findings call the agent.
        observers: None for an access that was over when its operation was. For one by
            an engine: who has seen it complete (agent, count of releases).
        barrier: Where the bytes of its copy complete.
        phase: The phase that ran there when the copy was issued.
        twins: Writes of the same value to the same bytes, in no order with this one.
        origin: This access, or the one that it has the same as, but for its twins.
    """

    __slots__ = (
        "agent",
        "atomic",
        "barrier",
        "cta",
        "is_async_proxy",
        "is_bulk",
        "is_write",
        "observers",
        "op",
        "origin",
        "phase",
        "time",
        "twins",
        "who",
    )

    def __init__(
        self,
        agent: int,
        time: int,
        op: Op,
        who: str,
        *,
        is_write: bool,
        is_async_proxy: bool = False,
        is_bulk: bool = False,
        is_asynchronous: bool = False,
        atomic: Scope | None = None,
        cta: Cta | None = None,
    ) -> None:
        self.agent = agent
        self.time = time
        self.op = op
        self.who = who
        self.is_write = is_write
        self.is_async_proxy = is_async_proxy
        self.is_bulk = is_bulk
        self.atomic = atomic
        self.cta = cta
        self.observers: list[tuple[int, int]] | None = [] if is_asynchronous else None
        self.barrier: MBarrier | None = None
        self.phase = 0
        self.twins: tuple[Access, ...] = ()
        self.origin = self

    def is_before(self, clock: Clock) -> bool:
        """Tells whether it is over for whoever has this clock."""
        if self.observers is None:
            return clock.get(self.agent, -1) >= self.time
        return any(clock.get(agent, -1) >= time for agent, time in self.observers)

    def is_morally_strong_with(self, other: Access) -> bool:
        """Tells whether two atomics include each other in their scopes."""
        if self.atomic is None or other.atomic is None:
            return False
        if self.cta is None or other.cta is None:
            return True
        scope = min(self.atomic, other.atomic)
        return scope.joins(self.cta, other.cta)

    def is_plain_write(self) -> bool:
        """Tells whether it is a write by ordinary stores, over when they are."""
        return (
            self.is_write
            and self.atomic is None
            and not self.is_async_proxy
            and self.observers is None
        )

    def beside(self, twins: tuple[Access, ...]) -> Access:
        """Returns the same access with twins."""
        result = copy.copy(self)
        result.twins = twins
        return result

    def who_beside(self, other: Access) -> str:
        """Names the agent, with its CTA if the other one is in another."""
        if self.cta is other.cta or self.cta is None:
            return self.who
        return f"{self.who} of {self.cta.label}"

    def completes_at(self, barrier: MBarrier) -> None:
        """Notes where the bytes of its copy complete."""
        self.barrier = barrier
        self.phase = barrier.phase

    def is_late(self) -> bool:
        """Tells whether the phase that it was issued in has ended without it."""
        if self.barrier is None or self.barrier.phase == self.phase:
            return False
        return self not in self.barrier.phases[self.phase + 1].copies

    def __repr__(self) -> str:
        return f"Access({self.who}, {self.op.name}, write={self.is_write})"

    def kind(self) -> str:
        """Says what it did, for findings."""
        verb: Any = "write" if self.is_write else "read"
        if self.observers is not None:
            return f"asynchronous {verb}"
        return f"atomic {verb}" if self.atomic is not None else str(verb)
