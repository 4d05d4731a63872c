# SPDX-License-Identifier: MIT
"""Vector clocks: what is known to have happened.

Each agent counts its releases. A clock maps an agent to the last of its counts that is
known here; agents that are not in it are unknown. An event at count t of agent a has
happened before what has a clock with `clock[a] >= t`.

Who sees a copy complete knows that its task has come as far as the copy, but need not
see what the task had written until then. Such events are past, and are kept apart.
"""

from __future__ import annotations

Clock = dict[int, int]


def join(into: Clock, other: Clock) -> None:
    """Adds what `other` knows."""
    for agent, time in other.items():
        if into.get(agent, -1) < time:
            into[agent] = time


class Knowledge:
    """What is known to have happened, and what is visible to the async proxy.

    Attributes:
        clock: Events that have happened, and whose writes are visible.
        fenced: Those events whose writes a proxy fence has made visible to the async
            proxy (TMA and wgmma).
        past: More events that have happened; their writes need not be visible.
    """

    __slots__ = ("clock", "fenced", "past")

    def __init__(
        self,
        clock: Clock | None = None,
        fenced: Clock | None = None,
        past: Clock | None = None,
    ) -> None:
        self.clock: Clock = {} if clock is None else clock
        self.fenced: Clock = {} if fenced is None else fenced
        self.past: Clock = {} if past is None else past

    def copy(self) -> Knowledge:
        """Returns what is known now."""
        return Knowledge(dict(self.clock), dict(self.fenced), dict(self.past))

    def learn(self, other: Knowledge) -> None:
        """Adds what `other` knows."""
        join(self.clock, other.clock)
        join(self.fenced, other.fenced)
        join(self.past, other.past)

    def learn_past(self, other: Knowledge) -> None:
        """Adds what `other` knows as past."""
        join(self.past, other.clock)
        join(self.past, other.past)

    def is_past(self, agent: int, time: int) -> bool:
        """Tells whether an event at a count of an agent has happened."""
        return self.clock.get(agent, -1) >= time or self.past.get(agent, -1) >= time

    def fence(self) -> None:
        """Makes all that is known visible to the async proxy."""
        join(self.fenced, self.clock)
