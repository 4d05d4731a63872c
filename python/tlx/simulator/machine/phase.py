# SPDX-License-Identifier: MIT
"""One phase of a barrier: who came, and who saw it end.

An arrival counts for the phase that runs when it is made. It is sure to be the phase
that is meant only if the phase before has ended for whoever arrives, in the order of
events: what nothing orders can come the other way round on another schedule.
"""

from __future__ import annotations

import dataclasses

from tlx.simulator.ir.program import Op
from tlx.simulator.machine.access import Access
from tlx.simulator.machine.clock import Knowledge


@dataclasses.dataclass(frozen=True, slots=True)
class Event:
    """An arrival or a wait.

    Attributes:
        agent: Number of the agent.
        time: The agent's count of releases then.
        who: How findings call the agent.
        op: The operation.
        count: Times that it arrives; 0 for a wait.
        warps: The warps of the agent that do it, as bits; all by default.
    """

    agent: int
    time: int
    who: str
    op: Op
    count: int = 1
    warps: int = -1


class Phase:
    """One phase of a barrier.

    Attributes:
        arrivals: Who has arrived.
        copies: Accesses of copies that have completed on the barrier.
        waits: The last wait of each agent that has passed as the phase was over.
    """

    __slots__ = ("arrivals", "copies", "waits")

    def __init__(self) -> None:
        self.arrivals: list[Event] = []
        self.copies: list[Access] = []
        self.waits: dict[int, Event] = {}

    def by(self, agent: int, warps: int = -1) -> Event | None:
        """Returns the last arrival of any of some warps of an agent."""
        for event in reversed(self.arrivals):
            if event.agent == agent and event.warps & warps:
                return event
        return None

    def not_past(self, knowledge: Knowledge) -> Event | Access | None:
        """Returns something that the phase needs and that may be yet to come."""
        for event in self.arrivals:
            if not knowledge.is_past(event.agent, event.time):
                return event
        for access in self.copies:
            seen = access.observers or ()
            if not any(knowledge.is_past(agent, time) for agent, time in seen):
                return access
        return None

    def forget_order(self) -> None:
        """Drops what only the next phases ask for."""
        self.arrivals, self.waits = [], {}
