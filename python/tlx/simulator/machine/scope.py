# SPDX-License-Identifier: MIT
"""Scopes of atomics and fences, and what was released at an address.

PTX ISA, "Memory Consistency Model": scope, morally strong operations, release and
acquire patterns.
"""

from __future__ import annotations

import dataclasses
import enum
from typing import TYPE_CHECKING

from tlx.simulator.machine.clock import Knowledge

if TYPE_CHECKING:
    from tlx.simulator.machine.cta import Cta


class Scope(enum.IntEnum):
    """Threads that an operation synchronises with; wider ones are larger."""

    CTA = 0
    CLUSTER = 1
    DEVICE = 2

    def joins(self, one: Cta, other: Cta) -> bool:
        """Tells whether an operation of one CTA includes another CTA."""
        if one is other or self is Scope.DEVICE:
            return True
        return self is Scope.CLUSTER and one.cluster is other.cluster


@dataclasses.dataclass(frozen=True, slots=True)
class Release:
    """What one release makes known.

    Attributes:
        cta: CTA of the agent that released.
        scope: Who may learn it.
        agent: Number of the agent.
        time: The agent's count of releases then.
        knowledge: What had happened.
    """

    cta: Cta
    scope: Scope
    agent: int
    time: int
    knowledge: Knowledge

    def reaches(self, cta: Cta, scope: Scope) -> bool:
        """Tells whether an acquire by a CTA meets it: each scope includes the other."""
        return self.scope.joins(self.cta, cta) and scope.joins(cta, self.cta)

    def is_part_of(self, later: Release) -> bool:
        """Tells whether whoever learns the later one knows this one."""
        known = later.knowledge.clock.get(self.agent, -1) >= self.time
        is_wider = later.scope is Scope.DEVICE or (
            later.cta is self.cta and later.scope >= self.scope
        )
        return known and is_wider
