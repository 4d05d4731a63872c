# SPDX-License-Identifier: MIT
"""What a schedule is."""

from __future__ import annotations

from typing import Protocol

from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.engine import Transfer

Actor = Agent | Transfer


class Schedule(Protocol):
    """Holds the actors that can go on and chooses one after the other."""

    def add(self, actor: Actor) -> None:
        """Adds an actor; it is in no schedule now."""

    def next(self) -> Actor | None:
        """Takes out the one that goes next; None if there is none."""


def cta_number(actor: Actor) -> int:
    """Returns the number of the actor's CTA."""
    return actor.agent.cta.number if isinstance(actor, Transfer) else actor.cta.number
