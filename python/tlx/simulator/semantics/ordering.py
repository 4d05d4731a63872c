# SPDX-License-Identifier: MIT
"""What atomics and fences make known (PTX ISA, "Memory Consistency Model").

A release makes known what its task has done so far to whoever acquires from the same
address later. A fence turns the relaxed atomics after it into releases, and those
before it into acquires (release and acquire patterns).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.clock import Knowledge

Array = np.ndarray[Any, Any]

CTA_SCOPE = 2
"""Value of `MemSyncScope` for the CTA."""

RELAXED, ACQUIRE, RELEASE, ACQUIRE_RELEASE = 1, 2, 3, 4
"""Values of `MemSemantic`."""


def acquire(agent: Agent, addresses: Array, semantics: int) -> None:
    """Learns what was released at the addresses, now or at the next fence."""
    atomics = agent.machine.atomics
    if not atomics:
        return
    acquires = semantics in (ACQUIRE, ACQUIRE_RELEASE)
    target = agent.knowledge if acquires else agent.unacquired
    for address in addresses.tolist():
        known = atomics.get(address)
        if known is not None:
            target.learn(known)


def release(agent: Agent, addresses: Array, semantics: int) -> None:
    """Makes known at the addresses what the task has done, or had before its fence."""
    if semantics in (RELEASE, ACQUIRE_RELEASE):
        source = Knowledge()
        agent.release_into(source)
    elif agent.released is not None:
        source = agent.released
    else:
        return
    for address in addresses.tolist():
        agent.machine.atomics.setdefault(address, Knowledge()).learn(source)


def fence_device(agent: Agent, *operands: Any) -> None:
    """Orders accesses before it with those after it (`fence.acq_rel`)."""
    agent.learn(agent.unacquired)
    agent.released = Knowledge()
    agent.release_into(agent.released)
