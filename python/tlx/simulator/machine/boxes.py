# SPDX-License-Identifier: MIT
"""Boxes of a tensor in global memory, as TMA moves them.

Elements outside of the tensor read as zero (or NaN) and are not written (PTX ISA,
"Tensor Copies", out-of-boundary access).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tlx.simulator.findings.memory import OutOfRange
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.descriptor import TensorDescriptor
from tlx.simulator.machine.global_memory import GlobalMemory
from tlx.simulator.machine.memory import View
from tlx.simulator.machine.races import Region

Array = np.ndarray[Any, Any]


class Box:
    """The part of a box that lies in the tensor.

    Attributes:
        view: Its elements in global memory; None if there are none.
        inside: Where they are in the box.
        extents: Extents of the whole box.
        shape: Shape it takes in shared memory or registers, of as many elements.
        fill: Value of the elements outside.
    """

    __slots__ = ("extents", "fill", "inside", "shape", "view")

    def __init__(
        self,
        memory: GlobalMemory,
        desc: TensorDescriptor,
        coords: Sequence[int],
        shape: Sequence[int],
        op: Op,
    ) -> None:
        self.shape = tuple(shape)
        self.extents = desc.block_shape
        self.fill = np.array(np.nan if desc.nan_fill else 0).astype(desc.dtype)[()]
        inside, start, extents = [], 0, []
        itemsize = desc.dtype.itemsize
        for coord, box, size, stride in zip(
            coords, desc.block_shape, desc.shape, desc.strides, strict=True
        ):
            low, high = max(coord, 0), min(coord + box, size)
            extents.append(max(high - low, 0))
            inside.append(slice(low - coord, max(high, low) - coord))
            start += low * stride
        self.inside = tuple(inside)
        self.view: View | None = None
        if 0 in extents:
            return
        address = desc.address + start * itemsize
        last = address + itemsize * sum(
            (extent - 1) * stride
            for extent, stride in zip(extents, desc.strides, strict=True)
        )
        found, end = memory.find(address), memory.find(last + itemsize - 1)
        if found is None or end is None or found[0] is not end[0]:
            raise OutOfRange(
                f"the tensor of a descriptor, {tuple(desc.shape)} with strides "
                f"{tuple(desc.strides)}, does not lie in an array of the launch",
                location=op.loc,
            )
        self.view = View(
            found[0],
            found[1],
            tuple(extents),
            tuple(stride * itemsize for stride in desc.strides),
            desc.dtype,
        )

    def regions(self) -> list[Region]:
        """Returns the part that lies in the tensor, for the record of accesses."""
        return [] if self.view is None else [Region.of_view(self.view)]

    def read(self) -> Array:
        """Returns the box."""
        full = np.full(self.extents, self.fill)
        if self.view is not None:
            full[self.inside] = self.view.array()
        return full.reshape(self.shape)

    def write(self, values: Array) -> None:
        """Writes the part that lies in the tensor."""
        if self.view is not None:
            self.view.array()[...] = values.reshape(self.extents)[self.inside]

    def update(self, values: Array, combine: Any) -> None:
        """Combines the part that lies in the tensor with what is there."""
        if self.view is not None:
            target = self.view.array()
            part = values.reshape(self.extents)[self.inside]
            target[...] = combine(target, part).astype(target.dtype)
