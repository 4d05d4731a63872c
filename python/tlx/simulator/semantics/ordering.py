# SPDX-License-Identifier: MIT
"""What atomics and fences make known (PTX ISA, "Memory Consistency Model").

A release makes known what its task has done so far to whoever acquires from the same
address later, if the scopes of both include the other. A fence turns the relaxed
atomics after it into releases, and those before it into acquires (release and acquire
patterns); the narrower scope of fence and atomic counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.clock import Knowledge
from tlx.simulator.machine.scope import Release, Scope

Array = np.ndarray[Any, Any]

SCOPES = {1: Scope.DEVICE, 2: Scope.CTA, 3: Scope.DEVICE}
"""Scopes by the number of `MemSyncScope`; the system has one device here."""

RELAXED, ACQUIRE, RELEASE, ACQUIRE_RELEASE = 1, 2, 3, 4
"""Values of `MemSemantic`."""


def acquire(agent: Agent, addresses: Array, semantics: int, scope: Scope) -> None:
    """Learns what was released at the addresses, now or at the next fence."""
    atomics = agent.machine.atomics
    if not atomics:
        return
    is_acquire = semantics in (ACQUIRE, ACQUIRE_RELEASE)
    seen: set[int] = set()
    for address in addresses.tolist():
        for release in atomics.get(address, ()):
            if id(release) in seen or not release.reaches(agent.cta, scope):
                continue
            seen.add(id(release))
            if is_acquire:
                agent.learn(release.knowledge)
            else:
                pending = agent.unacquired.setdefault(release.cta, Knowledge())
                pending.learn(release.knowledge)


def release(agent: Agent, addresses: Array, semantics: int, scope: Scope) -> None:
    """Makes known at the addresses what the task has done, or had before its fence."""
    for made in _releases(agent, semantics, scope):
        for address in addresses.tolist():
            earlier = agent.machine.atomics.get(address, ())
            kept = [other for other in earlier if not other.is_part_of(made)]
            agent.machine.atomics[address] = [*kept, made]


def overwrite(agent: Agent, addresses: Array) -> None:
    """Ends what others have released: who reads the new value does not meet them.

    An atomic that reads and writes hands on what came before it, a store does not.
    """
    atomics = agent.machine.atomics
    for address in addresses.tolist():
        if address in atomics:
            own = [made for made in atomics[address] if made.agent == agent.number]
            atomics[address] = own


def _releases(agent: Agent, semantics: int, scope: Scope) -> Iterable[Release]:
    if semantics in (RELEASE, ACQUIRE_RELEASE):
        knowledge, time = Knowledge(), agent.time
        agent.release_into(knowledge)
        return [Release(agent.cta, scope, agent.number, time, knowledge)]
    return [
        Release(
            agent.cta,
            min(scope, fence),
            agent.number,
            knowledge.clock[agent.number],
            knowledge,
        )
        for fence, knowledge in agent.released.items()
    ]


def fence(agent: Agent, scope: Scope) -> None:
    """Orders accesses before it with those after it (`fence.acq_rel`)."""
    for cta in [c for c in agent.unacquired if scope.joins(agent.cta, c)]:
        agent.learn(agent.unacquired.pop(cta))
    agent.released[scope] = Knowledge()
    agent.release_into(agent.released[scope])
