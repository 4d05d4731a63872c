# SPDX-License-Identifier: MIT
"""Things that agents wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tlx.simulator.ir.program import Op
    from tlx.simulator.machine.agent import Agent


class Waitable:
    """Something that blocked agents wait for; a change wakes them all."""

    __slots__ = ("waiters",)

    def __init__(self) -> None:
        self.waiters: list[Agent] = []

    def block(self, agent: Agent, what: str) -> None:
        """Notes that an agent cannot go on.

        Args:
            agent: Who waits.
            what: What it waits for, as the table of a deadlock shows it.
        """
        agent.waits_for = self
        agent.waits_what = what
        if agent not in self.waiters:
            self.waiters.append(agent)

    def wake(self) -> None:
        """Lets all waiters try again."""
        waiters, self.waiters = self.waiters, []
        for agent in waiters:
            agent.waits_for = None
            agent.waits_what = ""
            if agent.divergence is None or agent.divergence.wake():
                agent.machine.enable(agent)

    def came_so_far(self) -> list[tuple[str, Op, int]]:
        """Returns who has come since it was last complete, where, and how often."""
        return []

    def missing(self) -> str:
        """Says what has to happen before waiters can go on."""
        raise NotImplementedError
