# SPDX-License-Identifier: MIT
"""Global memory: arrays of the user's, mapped into one address space."""

from __future__ import annotations

import bisect
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from tlx.simulator.machine.access import Access
from tlx.simulator.machine.memory import Memory

Array = np.ndarray[Any, Any]

_FIRST = 1 << 40
_ALIGNMENT = 1 << 32


class GlobalMemory:
    """The address space of pointers.

    Each array has its own range, far from the others, so that an access beyond an array
    never lands in another one.
    """

    def __init__(self) -> None:
        self._bases: list[int] = []
        self._memories: list[Memory] = []
        self._by_id: dict[tuple[int, int], int] = {}

    def map(self, name: str, array: np.ndarray[Any, Any]) -> int:
        """Maps an array and returns the address of its first element.

        The array's own bytes are used: what a kernel stores is in it afterwards. An
        array that shares its first byte with an earlier one gets the same address.

        Args:
            name: How findings call it, such as the parameter's name.
            array: Its elements must lie without gaps in row-major order.
        """
        data = array.reshape(-1).view(np.uint8)
        start = data.__array_interface__["data"][0]
        for (first, size), address in self._by_id.items():
            if first <= start and start + data.size <= first + size:
                return address + start - first
        granule = array.dtype.itemsize
        base = _FIRST + len(self._bases) * _ALIGNMENT
        memory = Memory(name, data, granule=granule, initialised=True, space="global")
        self._bases.append(base)
        self._memories.append(memory)
        self._by_id[start, data.size] = base
        return base

    def allocate(self, name: str, size: int, hint: str = "") -> int:
        """Maps fresh bytes that nobody has written yet; returns their address.

        Args:
            name: How findings call them.
            size: How many.
            hint: What to do about races on them.
        """
        data = np.zeros(size, np.uint8)
        base = _FIRST + len(self._bases) * _ALIGNMENT
        self._bases.append(base)
        memory = Memory(name, data, granule=1, initialised=False, space="global")
        memory.hint = hint
        self._memories.append(memory)
        return base

    def save(self) -> list[Array]:
        """Returns a copy of the contents."""
        return [memory.data.copy() for memory in self._memories]

    def restore(self, saved: list[Array]) -> None:
        """Takes back contents; who touched them is forgotten."""
        del self._bases[len(saved) :], self._memories[len(saved) :]
        for memory, data in zip(self._memories, saved, strict=True):
            if memory.data.flags.writeable:
                memory.data[...] = data
            memory.forget()

    def find(self, address: int) -> tuple[Memory, int] | None:
        """Returns the array that an address lies in, and the byte offset in it."""
        place = bisect.bisect_right(self._bases, address) - 1
        if place < 0:
            return None
        offset = address - self._bases[place]
        memory = self._memories[place]
        return (memory, offset) if offset < memory.data.size else None

    def last_write(
        self, array: Array, place: tuple[int, ...]
    ) -> tuple[Access, Array] | None:
        """Returns who last wrote an element, and which elements that write wrote.

        Args:
            array: An array that was mapped, or a view of one.
            place: An element of it.

        Returns:
            The access, and a flag for each element of `array` that has no later write;
            None if no kernel has written the element.
        """
        start = array.__array_interface__["data"][0]
        for (first, size), base in self._by_id.items():
            if not first <= start < first + size:
                continue
            memory = self._memories[self._bases.index(base)]
            if memory.writers is None:
                return None
            steps = tuple(s // memory.granule * 4 for s in array.strides)
            plane = as_strided(
                memory.writers[(start - first) // memory.granule :], array.shape, steps
            )
            entry = int(plane[place])
            if entry == 0:
                return None
            access = memory.accesses[entry].origin
            entries = enumerate(memory.accesses)
            same = [i for i, other in entries if other and other.origin is access]
            return access, np.isin(plane, same)
        return None

    def nearest(self, address: int) -> tuple[Memory, int] | None:
        """Returns the array closest to an address outside of all, and the offset."""
        best: tuple[Memory, int] | None = None
        for base, memory in zip(self._bases, self._memories, strict=True):
            offset = address - base
            gap = -offset if offset < 0 else offset - memory.data.size
            if best is None or gap < _gap(*best):
                best = memory, offset
        return best

    def describe(self, address: int) -> str:
        """Says where an address is."""
        found = self.nearest(address)
        if found is None:
            return hex(address)
        memory, offset = found
        return f"byte {offset} of '{memory.name}'"


def _gap(memory: Memory, offset: int) -> int:
    return -offset if offset < 0 else offset - memory.data.size
