# SPDX-License-Identifier: MIT
"""Schedules that treat all actors alike."""

from __future__ import annotations

import collections
import heapq
import random

from tlx.simulator.schedules.base import Actor


class RoundRobin:
    """Chooses the one that has waited longest."""

    def __init__(self, seed: int) -> None:
        self._queue: collections.deque[Actor] = collections.deque()

    def add(self, actor: Actor) -> None:
        """Adds an actor that can go on."""
        self._queue.append(actor)

    def next(self) -> Actor | None:
        """Takes out the one that goes next."""
        return self._queue.popleft() if self._queue else None


class Reverse:
    """Chooses the one that came last, so one runs until it blocks."""

    def __init__(self, seed: int) -> None:
        self._stack: list[Actor] = []

    def add(self, actor: Actor) -> None:
        """Adds an actor that can go on."""
        self._stack.append(actor)

    def next(self) -> Actor | None:
        """Takes out the one that goes next."""
        return self._stack.pop() if self._stack else None


class RandomOrder:
    """Chooses any.

    `Random.random()` gives the same numbers on all machines and versions of Python.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._actors: list[Actor] = []

    def add(self, actor: Actor) -> None:
        """Adds an actor that can go on."""
        self._actors.append(actor)

    def next(self) -> Actor | None:
        """Takes out the one that goes next."""
        actors = self._actors
        if not actors:
            return None
        place = int(self._random.random() * len(actors))
        actors[place], actors[-1] = actors[-1], actors[place]
        return actors.pop()


class Earliest:
    """Chooses the one whose cycle is the lowest, as the hardware would."""

    def __init__(self, seed: int) -> None:
        self._heap: list[tuple[int, int, Actor]] = []
        self._count = 0

    def add(self, actor: Actor) -> None:
        """Adds an actor that can go on."""
        self._count += 1
        heapq.heappush(self._heap, (actor.now, self._count, actor))

    def next(self) -> Actor | None:
        """Takes out the one that goes next."""
        return heapq.heappop(self._heap)[2] if self._heap else None
