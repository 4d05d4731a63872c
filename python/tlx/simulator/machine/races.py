# SPDX-License-Identifier: MIT
"""Race detection: accesses to the same bytes that nothing orders.

For each granule of a memory two entries are kept: the last write, and the reads since.
An access is checked against both when it is issued. This finds a race on every schedule
that has the same synchronisation, not only on those where the outcome is wrong.

A write through the generic proxy is visible to the async proxy (TMA, bulk copies,
wgmma) only after a proxy fence on the way (PTX ISA, "Memory Consistency Model",
proxies). Within one agent the compiler inserts that fence before TMA copies and
products, so an agent's own writes are checked for bulk copies only.

Writes by ordinary stores that nothing orders, but that leave the same bytes, have the
same outcome in any order. They are a warning, and the later one keeps the earlier ones
as its twins: who reads the bytes must come after all of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tlx.errors import TLXError
from tlx.simulator.findings.memory import (
    DuplicateWrite,
    MissingFence,
    RaceError,
    UninitialisedRead,
)
from tlx.simulator.machine.access import Access
from tlx.simulator.machine.clock import Knowledge
from tlx.simulator.machine.memory import Memory, View

Array = np.ndarray[Any, Any]


class Region:
    """Granules of a memory that one access touches: a view, or places."""

    __slots__ = ("label", "memory", "places", "view")

    def __init__(
        self, memory: Memory, label: str, view: View | None, places: Array | None
    ) -> None:
        self.memory = memory
        self.label = label
        self.view = view
        self.places = places

    @classmethod
    def of_view(cls, view: View) -> Region:
        """Takes the elements of a view."""
        memory = view.memory
        memory.refine(view.dtype.itemsize, view.offset, *view.strides)
        return cls(memory, view.label, view, None)

    @classmethod
    def of_offsets(cls, memory: Memory, offsets: Array, itemsize: int) -> Region:
        """Takes elements of `itemsize` bytes at byte offsets."""
        memory.refine(itemsize)
        granule = memory.granule
        places = offsets // granule
        if (pieces := itemsize // granule) > 1:
            places = places[..., None] + np.arange(pieces)
        return cls(memory, memory.name, None, places)

    def get(self, plane: Array) -> Array:
        """Returns the entries of a plane."""
        if self.view is not None:
            return self.view.plane(plane)
        return plane[self.places]  # type: ignore[index]

    def set(self, plane: Array, value: Any, chosen: Any = ...) -> None:
        """Sets the entries of a plane, or those for which `chosen` holds."""
        if self.view is not None:
            self.view.plane(plane)[chosen] = value
        else:
            plane[self.places[chosen]] = value  # type: ignore[index]

    def granules(self) -> Array:
        """Returns the number of each granule."""
        return self.get(np.arange(-(-self.memory.data.size // self.memory.granule)))

    def first_byte(self, chosen: Array) -> int:
        """Returns the offset of the first granule for which `chosen` holds."""
        numbers = self.granules()
        found = numbers[np.broadcast_to(chosen, numbers.shape)]
        return int(found.min()) * self.memory.granule

    def holds(self, values: Array, chosen: Array) -> bool:
        """Tells whether the memory has these values where `chosen` holds."""
        granule, numbers = self.memory.granule, self.granules()
        dtype = values.dtype if self.view is None else self.view.dtype
        written = np.ascontiguousarray(values, dtype).view(np.uint8)
        if written.size != numbers.size * granule:
            return False
        places = numbers[chosen][:, None] * granule + np.arange(granule)
        new = written.reshape(*numbers.shape, granule)[chosen]
        return bool((self.memory.data[places] == new).all())


def _distinct(entries: Array) -> list[int]:
    """Returns the different entries; there is only one as a rule."""
    if entries.size == 0:
        return []
    first = entries[(0,) * entries.ndim]
    if (entries == first).all():
        return [int(first)]
    return [int(e) for e in np.unique(entries)]


def _found(
    earlier: Access, access: Access, knowledge: Knowledge, region: Region, entry: Array
) -> TLXError | None:
    """Returns the finding if two accesses to the same bytes are not in order."""
    if earlier.is_morally_strong_with(access):
        return None
    if not earlier.is_before(knowledge.clock):
        offset = region.first_byte(entry)
        finding = RaceError.between(earlier, access, region.label, offset)
        if region.memory.hint:
            finding.add_note(region.memory.hint)
        return finding
    if (
        access.is_async_proxy
        and earlier.is_write
        and not earlier.is_async_proxy
        and (access.is_bulk or earlier.agent != access.agent)
        and region.memory.space == "shared"
        and not earlier.is_before(knowledge.fenced)
    ):
        return MissingFence.between(earlier, access, region.label)
    return None


def check_written(region: Region, access: Access) -> TLXError | None:
    """Looks for bytes that nobody has written."""
    written = region.memory.written
    if written is None:
        return None
    known = region.get(written)
    if known.all():
        return None
    offset = region.first_byte(~known)
    return UninitialisedRead.at(access, region.label, offset)


def check(
    region: Region, access: Access, knowledge: Knowledge, values: Array | None = None
) -> TLXError | None:
    """Checks an access against earlier ones and remembers it.

    Args:
        region: What it touches.
        access: The access.
        knowledge: What has happened before it.
        values: What a write writes, if others may write the same.

    Returns:
        The first finding, or a warning if there is none, or None.
    """
    memory = region.memory
    writers, readers = memory.planes()
    finding, twins = _check_writes(region, access, knowledge, values)
    last_reads = region.get(readers)
    if not access.is_write:
        _add_read(region, access, knowledge, readers, last_reads)
        return finding
    if finding is None or twins:
        finding = _check_reads(region, access, knowledge, last_reads) or finding
    memory.accesses.append(access)
    region.set(writers, len(memory.accesses) - 1)
    region.set(readers, 0)
    for chosen, others in twins:
        memory.accesses.append(access.beside(others))
        region.set(writers, len(memory.accesses) - 1, chosen)
    if memory.written is not None:
        region.set(memory.written, True)
    return finding


Twins = list[tuple[Array, tuple[Access, ...]]]
"""Where others have written the same, and who."""


def _check_writes(
    region: Region, access: Access, knowledge: Knowledge, values: Array | None
) -> tuple[TLXError | None, Twins]:
    """Checks an access against earlier writes.

    Returns:
        The first finding and no twins, or a warning and the twins, or neither.
    """
    memory = region.memory
    last_writes = region.get(memory.planes()[0])
    warning: TLXError | None = None
    twins: Twins = []
    for place in _distinct(last_writes):
        if not place:
            continue
        chosen, last = last_writes == place, memory.accesses[place]
        for earlier in (last, *last.twins):
            finding = _found(earlier, access, knowledge, region, chosen)
            if finding is None:
                continue
            same = _same_writes(region, access, knowledge, last, values, chosen)
            if not same:
                return finding, []
            warning = DuplicateWrite.between(earlier, access, region.label)
            twins.append((chosen, same))
            break
    return warning, twins


def _check_reads(
    region: Region, access: Access, knowledge: Knowledge, last_reads: Array
) -> TLXError | None:
    """Checks a write against the reads since the last one."""
    for place in _distinct(last_reads):
        chain = place
        while chain:
            chain, earlier = region.memory.chains[chain]
            finding = _found(earlier, access, knowledge, region, last_reads == place)
            if finding is not None:
                return finding
    return None


def _same_writes(
    region: Region,
    access: Access,
    knowledge: Knowledge,
    last: Access,
    values: Array | None,
    chosen: Array,
) -> tuple[Access, ...]:
    """Returns the unordered earlier writes that leave what this one leaves, if all do.

    Memory holds what the last write has left, and its twins have left the same.
    """
    if values is None or not (access.is_plain_write() and last.is_plain_write()):
        return ()
    if not region.holds(values, chosen):
        return ()
    return tuple(
        earlier
        for earlier in (last, *last.twins)
        if not earlier.is_before(knowledge.clock)
    )


def _add_read(
    region: Region,
    access: Access,
    knowledge: Knowledge,
    readers: Array,
    last_reads: Array,
) -> None:
    """Adds a read to the reads since the last write.

    A read that has happened before this one need not be remembered: whatever comes
    after this one comes after it, too.
    """
    memory = region.memory
    renamed: dict[int, int] = {}
    for place in _distinct(last_reads):
        rest = place
        while rest and memory.chains[rest][1].is_before(knowledge.clock):
            rest = memory.chains[rest][0]
        memory.chains.append((rest, access))
        renamed[place] = len(memory.chains) - 1
    if len(renamed) == 1:
        region.set(readers, next(iter(renamed.values())))
        return
    places, inverse = np.unique(last_reads, return_inverse=True)
    new = np.array([renamed[int(p)] for p in places], np.int32)
    region.set(readers, new[inverse].reshape(last_reads.shape))
