# SPDX-License-Identifier: MIT
"""A CTA: its agents, shared memory and barriers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from tlx.simulator.findings.barriers import NotABarrier
from tlx.simulator.findings.resources import SharedMemoryExceeded
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.frame import Path
from tlx.simulator.machine.mbarrier import BarrierArray, MBarrier
from tlx.simulator.machine.memory import Memory
from tlx.simulator.machine.named_barrier import NamedBarrier

if TYPE_CHECKING:
    from tlx.simulator.machine.access import Access
    from tlx.simulator.machine.agent import Agent
    from tlx.simulator.machine.cluster import Cluster
    from tlx.simulator.machine.engine import Transfer
    from tlx.simulator.machine.machine import Machine

_GRANULE = 8
"""The largest element; smaller ones refine what is tracked."""


class Cta:
    """One CTA.

    Attributes:
        index: Its coordinates in the grid.
        cluster: The cluster that it belongs to.
        rank: Its rank there.
        memories: Allocations in shared memory.
        allocations: The same, by the way to the operation.
        arrays: Arrays of mbarriers, by the way to the operation.
        freed: Those that do not count now.
        barriers: All mbarriers, for the report of a deadlock.
        in_flight: Operations of engines that are not over.
        scratch: Addresses of its memory in global memory, by the way to the operation.
        busy: Cycle until which each engine is busy.
        until: Cycle at which the last operation of an engine is seen.
    """

    def __init__(
        self,
        machine: Machine,
        number: int,
        index: tuple[int, int, int],
        cluster: Cluster,
    ) -> None:
        self.machine = machine
        self.number = number
        self.index = index
        self.cluster = cluster
        self.rank = len(cluster.ctas)
        cluster.ctas.append(self)
        self.agents: list[Agent] = []
        self.memories: list[tuple[Memory, Op]] = []
        self.allocations: dict[Path, Memory] = {}
        self.arrays: dict[Path, BarrierArray] = {}
        self.freed: set[Memory] = set()
        self.barriers: list[MBarrier] = []
        self.mbarrier_at: dict[tuple[int, int], MBarrier] = {}
        self.named: dict[int, NamedBarrier] = {}
        self.in_flight: set[Transfer] = set()
        self.scratch: dict[Path, int] = {}
        self.busy: dict[str, int] = {}
        self.until = 0
        self.shared_bytes = 0
        self.is_over = False
        self._names: set[str] = set()

    @property
    def label(self) -> str:
        """How findings call it."""
        x, y, z = self.index
        return f"CTA ({x}, {y}, {z})"

    def allocate(
        self,
        agent: Agent,
        op: Op,
        size: int,
        name: str,
        alignment: int,
        *,
        is_temporary: bool = False,
    ) -> Memory:
        """Allocates shared memory.

        Who comes to an allocation again by the same calls gets the same bytes, and
        nobody has written them. A temporary one does not count: it lives up to its last
        use, and the compiler lets others have its bytes before and after.
        """
        key = agent.path_to(op)
        memory = self.allocations.get(key)
        limit = self.machine.shared_limit
        if size > limit:
            # Not even asked of the operating system.
            raise SharedMemoryExceeded.alone(name, op, size, limit)
        if memory is None:
            data = np.zeros(size, np.uint8)
            memory = Memory(
                self._unique(name), data, granule=_GRANULE, alignment=alignment
            )
            self.allocations[key] = memory
            self.memories.append((memory, op))
            if is_temporary:
                self.freed.add(memory)
            else:
                self.shared_bytes += size
        elif memory in self.freed and not is_temporary:
            self.freed.discard(memory)
            self.shared_bytes += size
        memory.forget_contents()
        if self.shared_bytes > limit:
            live = [pair for pair in self.memories if pair[0] not in self.freed]
            raise SharedMemoryExceeded.by(live, self.shared_bytes, limit)
        return memory

    def _unique(self, name: str) -> str:
        """Returns a name that tells apart what has one name in the source."""
        label, number = name, 2
        while label in self._names:
            label, number = f"{name}#{number}", number + 1
        self._names.add(label)
        return label

    def free(self, memory: Memory) -> None:
        """Takes an allocation out of the sum."""
        if memory not in self.freed:
            self.freed.add(memory)
            self.shared_bytes -= memory.data.size

    def add_barriers(
        self, agent: Agent, op: Op, name: str, num: int, count: int
    ) -> BarrierArray:
        """Makes an array of mbarriers.

        Raises:
            NotABarrier: It has been made in the same way before, so that there are
                barriers at its address.
        """
        key = agent.path_to(op)
        if key in self.arrays:
            raise NotABarrier.initialised_twice(self.arrays[key].slots[0].label, op)
        array = BarrierArray(op, self._unique(name), num, count)
        self.arrays[key] = array
        for barrier in array.slots:
            barrier.key = (self.number, barrier.label)
        self.barriers += array.slots
        self.shared_bytes += 8 * len(array.slots)
        return array

    def named_barrier(self, number: int) -> NamedBarrier:
        """Returns a hardware barrier."""
        if number not in self.named:
            self.named[number] = NamedBarrier(number)
            self.named[number].key = (self.number, number)
        return self.named[number]

    def unobserved_loads(self) -> Iterator[Access]:
        """Yields the TMA and bulk loads that nobody has waited for."""
        for barrier in self.barriers:
            for phase in barrier.phases:
                loads = (access for access in phase.copies if access.is_async_proxy)
                yield from (access for access in loads if not access.observers)
        for transfer in sorted(self.in_flight, key=lambda t: t.number):
            if transfer.agent.cta is self and transfer.is_load:
                yield from (a for a in transfer.accesses if not a.observers)

    def check_exit(self) -> None:
        """Ends the CTA when its agents and engines are done."""
        if self.is_over or self.in_flight or any(a.is_running for a in self.agents):
            return
        self.is_over = True
        self.machine.end(self)

    def forget(self) -> None:
        """Drops everything that is not needed after the end."""
        unused: list[Any] = []
        self.memories = unused
        self.allocations = {}
        self.arrays = {}
        self.freed = set()
        self.barriers = []
        self.mbarrier_at = {}
        for agent in self.agents:
            agent.forget()
