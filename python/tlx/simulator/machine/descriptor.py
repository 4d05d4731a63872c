# SPDX-License-Identifier: MIT
"""Tensor descriptors as values."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from tlx.simulator.machine.access import Access
from tlx.simulator.machine.clock import Clock


@dataclasses.dataclass(frozen=True, slots=True)
class TensorDescriptor:
    """A tensor in global memory and the box that one copy moves.

    Attributes:
        address: First byte of the tensor.
        shape: Extents in elements.
        strides: Distances in elements; the last one is 1.
        block_shape: Extents of the box.
        dtype: Type of an element.
        nan_fill: Elements outside of the tensor read as NaN instead of zero.
    """

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    block_shape: tuple[int, ...]
    dtype: np.dtype[Any]
    nan_fill: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class StoredDescriptor:
    """The address of a descriptor, which a copy reads when it runs.

    Attributes:
        pointer: Where it lies in global memory.
        block_shape: Extents of the box.
        dtype: Type of an element.
    """

    pointer: int
    block_shape: tuple[int, ...]
    dtype: np.dtype[Any]


Descriptor = TensorDescriptor | StoredDescriptor


@dataclasses.dataclass(frozen=True, slots=True)
class TensorMap:
    """What a kernel writes to the memory of a descriptor.

    Attributes:
        address: First byte of the tensor.
        shape: Extents, outermost first.
        strides: Distances in bytes of all but the last dimension, outermost first.
        nan_fill: Elements outside of the tensor read as NaN instead of zero.
    """

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    nan_fill: bool


@dataclasses.dataclass(slots=True)
class Written:
    """A tensor map in memory.

    Attributes:
        tensor_map: The contents.
        access: The write.
        fences: Who has made it visible to TMA since: by agent, the CTA and the agent's
            count of releases then.
    """

    tensor_map: TensorMap
    access: Access
    fences: dict[int, tuple[int, int]] = dataclasses.field(default_factory=dict)

    def is_visible(self, cta: int, clock: Clock) -> bool:
        """Tells whether TMA sees it from a CTA, for an agent with this clock."""
        return any(
            place == cta and clock.get(agent, -1) >= time
            for agent, (place, time) in self.fences.items()
        )
