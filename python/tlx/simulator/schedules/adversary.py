# SPDX-License-Identifier: MIT
"""Schedules that hold somebody back as long as they can.

Waits that are missing show when the one that should have been waited for is late.
"""

from __future__ import annotations

from tlx.simulator.machine.engine import Transfer
from tlx.simulator.schedules.base import Actor, Schedule, cta_number
from tlx.simulator.schedules.basic import RandomOrder, RoundRobin


class _TwoClasses:
    """Chooses from one class of actors, and from the other only if that is empty."""

    def __init__(self, seed: int) -> None:
        self._first: Schedule = RoundRobin(seed)
        self._last: Schedule = RandomOrder(seed)

    def is_delayed(self, actor: Actor) -> bool:
        """Tells whether the actor is of the class that comes last."""
        raise NotImplementedError

    def add(self, actor: Actor) -> None:
        (self._last if self.is_delayed(actor) else self._first).add(actor)

    def next(self) -> Actor | None:
        actor = self._first.next()
        return self._last.next() if actor is None else actor


class LazyEngines(_TwoClasses):
    """Lets engines work only when no agent can go on, and then in any order."""

    def is_delayed(self, actor: Actor) -> bool:
        """Tells whether the actor is of the class that comes last."""
        return isinstance(actor, Transfer)


class EagerEngines(_TwoClasses):
    """Lets engines work before any agent goes on."""

    def is_delayed(self, actor: Actor) -> bool:
        """Tells whether the actor is of the class that comes last."""
        return not isinstance(actor, Transfer)


class DelayTask(_TwoClasses):
    """Holds back one task of each CTA.

    Seed 0 takes the default task, 1 the next one, and so on, round and round.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._victim = seed

    def is_delayed(self, actor: Actor) -> bool:
        """Tells whether the actor is of the class that comes last."""
        if isinstance(actor, Transfer):
            return False
        agents = actor.cta.agents
        return agents.index(actor) == self._victim % len(agents)


class DelayCta(_TwoClasses):
    """Holds back one of each four CTAs: seed 0 the first, 1 the second, and so on."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._victim = seed % 4

    def is_delayed(self, actor: Actor) -> bool:
        """Tells whether the actor is of the class that comes last."""
        return cta_number(actor) % 4 == self._victim
