# SPDX-License-Identifier: MIT
"""Vector clocks: what is known to have happened.

Each agent counts its releases. A clock maps an agent to the last of its counts that is
known here; agents that are not in it are unknown. An event at count t of agent a has
happened before what has a clock with `clock[a] >= t`.
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
        clock: Events that have happened.
        fenced: Those events whose writes a proxy fence has made visible to the async
            proxy (TMA and wgmma).
    """

    __slots__ = ("clock", "fenced")

    def __init__(self, clock: Clock | None = None, fenced: Clock | None = None) -> None:
        self.clock: Clock = {} if clock is None else clock
        self.fenced: Clock = {} if fenced is None else fenced

    def copy(self) -> Knowledge:
        """Returns what is known now."""
        return Knowledge(dict(self.clock), dict(self.fenced))

    def learn(self, other: Knowledge) -> None:
        """Adds what `other` knows."""
        join(self.clock, other.clock)
        join(self.fenced, other.fenced)

    def fence(self) -> None:
        """Makes all that is known visible to the async proxy."""
        join(self.fenced, self.clock)
