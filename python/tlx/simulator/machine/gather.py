# SPDX-License-Identifier: MIT
"""Accesses to global memory through pointers."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from tlx.simulator.findings.memory import Misaligned, OutOfRange
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.global_memory import GlobalMemory
from tlx.simulator.machine.memory import Memory

Array = np.ndarray[Any, Any]

_FAR = 1 << 31
"""Bytes from an array after which a pointer has nothing to do with it."""


@dataclasses.dataclass(slots=True)
class Part:
    """Elements of one array.

    Attributes:
        memory: The array.
        chosen: Places among the pointers, in row-major order.
        offsets: Byte offsets in the array.
        elements: The array under the type of the access.
        places: Offsets in elements.
    """

    memory: Memory
    chosen: Array
    offsets: Array
    elements: Array
    places: Array


def _elements(memory: Memory, dtype: np.dtype[Any]) -> Array:
    size = memory.data.size // dtype.itemsize * dtype.itemsize
    return memory.data[:size].view(dtype)


def resolve(
    memory: GlobalMemory, op: Op, pointers: Array, mask: Array | None, dtype: Any
) -> list[Part]:
    """Finds the arrays that pointers point into.

    Args:
        memory: Global memory.
        op: The access, for findings.
        pointers: Addresses, of any shape.
        mask: Which of them are used; all if None.
        dtype: Type of an element.

    Raises:
        OutOfRange: A pointer that is used points to no array.
        Misaligned: One is no multiple of the size of an element.
    """
    flat = pointers.reshape(-1)
    chosen = np.arange(flat.size) if mask is None else np.flatnonzero(mask)
    parts: list[Part] = []
    rest = flat[chosen]
    while rest.size:
        low = int(rest.min())
        found = memory.find(low)
        if found is None:
            raise OutOfRange(_nowhere(memory, low), location=op.loc)
        array, offset = found
        start = low - offset
        inside = rest < start + array.data.size
        offsets = rest[inside] - start
        itemsize = dtype.itemsize
        if (offsets % itemsize).any() or offsets.max() + itemsize > array.data.size:
            raise Misaligned(
                f"a pointer into '{array.name}' is no multiple of {itemsize} bytes",
                location=op.loc,
            )
        parts.append(
            Part(
                array,
                chosen[inside],
                offsets,
                _elements(array, dtype),
                offsets // itemsize,
            )
        )
        chosen, rest = chosen[~inside], rest[~inside]
    return parts


def _nowhere(memory: GlobalMemory, address: int) -> str:
    """Says how far an address is from the next array."""
    near = memory.nearest(address)
    if near is None:
        return f"a pointer points to no array of the launch: {address:#x}"
    array, distance = near
    if not -_FAR < distance < _FAR:
        return (
            f"a pointer is {address:#x}, where the launch has no array; the simulator "
            "knows the arrays among the arguments, none by addresses in memory"
        )
    if distance < 0:
        return f"a pointer points {-distance} bytes before '{array.name}'"
    return (
        f"a pointer points to byte {distance} of '{array.name}', which has "
        f"{array.data.size}"
    )
