# SPDX-License-Identifier: MIT
"""Memory as bytes, and views of it.

A view is an array of elements over the bytes of one memory: a buffer, a ring, a slice,
a transpose, or the same bytes under another type. Contents do not depend on swizzles:
an element lies where the row-major order of the buffer puts it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tlx.simulator.findings.memory import OutOfRange
from tlx.simulator.ir.program import Op

Array = np.ndarray[Any, Any]


class Memory:
    """Bytes of one allocation, and who touched them last.

    Attributes:
        name: How findings call it.
        data: The bytes.
        granule: Bytes that are tracked as one. No access is smaller.
        space: `shared`, `tensor` or `global`.
        alignment: Its address is a multiple of so many bytes, and need be of no more.
        hint: What to do about races on it.
        written: One flag per granule, or None if all of it holds values.
        writers: Per granule, place of the last write in `accesses`; 0 for none.
        readers: Per granule, place in `chains` of the reads since; 0 for none.
        accesses: What touched it. The first entry stands for none.
        chains: Lists of reads: (rest of the list, read).
    """

    __slots__ = (
        "accesses",
        "alignment",
        "chains",
        "data",
        "granule",
        "hint",
        "name",
        "readers",
        "space",
        "writers",
        "written",
    )

    def __init__(
        self,
        name: str,
        data: Array,
        *,
        granule: int = 1,
        initialised: bool = False,
        space: str = "shared",
        alignment: int = 1,
    ) -> None:
        self.name = name
        self.data = data
        self.granule = granule
        self.space = space
        self.alignment = alignment
        self.hint = ""
        size = -(-data.size // granule)
        self.written: Array | None = None if initialised else np.zeros(size, np.bool_)
        self.writers: Array | None = None
        self.readers: Array | None = None
        self.accesses: list[Any] = [None]
        self.chains: list[Any] = [None]

    @property
    def key(self) -> str:
        """The same on every schedule."""
        return self.name

    def forget(self) -> None:
        """Forgets who touched it."""
        self.writers = self.readers = None
        self.accesses, self.chains = [None], [None]

    def planes(self) -> tuple[Array, Array]:
        """Returns writers and readers, made when first needed."""
        if self.writers is None or self.readers is None:
            size = -(-self.data.size // self.granule)
            self.writers = np.zeros(size, np.int32)
            self.readers = np.zeros(size, np.int32)
        return self.writers, self.readers

    def forget_contents(self) -> None:
        """Makes all bytes such that nobody has written."""
        if self.written is not None:
            self.written[:] = False

    def check_writable(self, op: Op) -> None:
        """Raises if the array of the user's must not be written."""
        if not self.data.flags.writeable:
            raise OutOfRange(
                f"the kernel writes to '{self.name}', which is read-only",
                location=op.loc,
            )

    def refine(self, *distances: int) -> None:
        """Tracks smaller pieces from now on, if some distances ask for it."""
        granule = math.gcd(self.granule, *distances)
        if granule == self.granule:
            return
        factor = self.granule // granule
        size = -(-self.data.size // granule)
        for name in ("written", "writers", "readers"):
            plane = getattr(self, name)
            if plane is not None:
                setattr(self, name, np.repeat(plane, factor)[:size])
        self.granule = granule


@dataclasses.dataclass(frozen=True, slots=True)
class View:
    """Elements of a memory.

    Attributes:
        memory: Whose bytes.
        offset: First byte.
        shape: Extents; of a ring, the number of buffers comes first.
        strides: Distances in bytes.
        dtype: Type of an element.
        slot: For one buffer of a ring, its number; for findings.
        base: For a slice, the first byte of what it is a slice of. In TTGIR a buffer is
            this address and an offset for each dimension.
    """

    memory: Memory
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any]
    slot: int | None = None
    base: int | None = None

    @classmethod
    def whole(cls, memory: Memory, shape: Sequence[int], dtype: np.dtype[Any]) -> View:
        """Returns the row-major view of a memory from its first byte on."""
        return cls(memory, 0, tuple(shape), row_major(shape, dtype.itemsize), dtype)

    @property
    def label(self) -> str:
        """Name of the buffer, with its place in the ring."""
        name = self.memory.name
        return name if self.slot is None else f"{name}[{self.slot}]"

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize

    def array(self) -> Array:
        """Returns the elements; writing to them writes the memory."""
        data: Any = self.memory.data
        return np.ndarray(self.shape, self.dtype, data, self.offset, self.strides)

    def plane(self, plane: Array) -> Array:
        """Returns the entries of a plane of the memory that belong to the view."""
        granule, width = self.memory.granule, plane.itemsize
        shape: tuple[int, ...] = self.shape
        strides = tuple(s // granule * width for s in self.strides)
        if (pieces := self.dtype.itemsize // granule) > 1:
            shape, strides = (*shape, pieces), (*strides, width)
        start = self.offset // granule * width
        buffer: Any = plane
        return np.ndarray(shape, plane.dtype, buffer, start, strides)

    def select(self, index: int) -> View:
        """Returns the sub-view at a place of the first dimension."""
        return View(
            self.memory,
            self.offset + index * self.strides[0],
            self.shape[1:],
            self.strides[1:],
            self.dtype,
            index if self.slot is None else self.slot,
        )

    def transpose(self, order: Sequence[int]) -> View:
        """Permutes the dimensions: the i-th is the old `order[i]`-th."""
        return dataclasses.replace(
            self,
            shape=tuple(self.shape[i] for i in order),
            strides=tuple(self.strides[i] for i in order),
        )

    def slice(self, offsets: Sequence[int], shape: Sequence[int]) -> View:
        """Returns the rectangle at `offsets`."""
        start = sum(o * s for o, s in zip(offsets, self.strides, strict=True))
        base = self.offset if self.base is None else self.base
        offset = self.offset + start
        return dataclasses.replace(self, offset=offset, shape=tuple(shape), base=base)

    def slice_offsets(self) -> list[int]:
        """Returns where a slice begins in each dimension, in elements."""
        rest = 0 if self.base is None else self.offset - self.base
        offsets = []
        for stride in self.strides:
            offsets.append(rest // stride)
            rest %= stride
        return offsets

    def shifted(self, nbytes: int) -> View:
        """Returns the view some bytes further on."""
        return dataclasses.replace(self, offset=self.offset + nbytes)

    def at_base(self) -> View:
        """Returns what begins where the base address points to."""
        if self.base is None:
            return self
        return dataclasses.replace(self, offset=self.base, base=None)

    def reshape(self, shape: Sequence[int]) -> View | None:
        """Keeps the row-major order of elements; None if strides cannot express it."""
        strides = _reshaped_strides(self.shape, self.strides, tuple(shape))
        if strides is None:
            return None
        return dataclasses.replace(self, shape=tuple(shape), strides=strides)

    def reinterpret(self, shape: Sequence[int], dtype: np.dtype[Any]) -> View:
        """Takes the bytes from the first one on as other elements, row-major."""
        return dataclasses.replace(
            self,
            shape=tuple(shape),
            strides=row_major(shape, dtype.itemsize),
            dtype=dtype,
        )


def row_major(shape: Sequence[int], itemsize: int) -> tuple[int, ...]:
    """Returns the strides in bytes of an array without gaps."""
    strides, step = [], itemsize
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


def _reshaped_strides(
    shape: tuple[int, ...], strides: tuple[int, ...], target: tuple[int, ...]
) -> tuple[int, ...] | None:
    """Returns strides of `target` over the same elements in the same order, if any.

    Dimensions without gaps between them are merged; then the extents of `target` are
    cut off from the merged ones, outermost first.
    """
    merged: list[tuple[int, int]] = []
    for extent, stride in zip(shape, strides, strict=True):
        if extent == 1:
            continue
        if merged and merged[-1][1] == extent * stride:
            merged[-1] = (merged[-1][0] * extent, stride)
        else:
            merged.append((extent, stride))
    result: list[int] = []
    for extent in target:
        if extent == 1:
            result.append(0)
            continue
        if not merged or merged[0][0] % extent:
            return None
        size, stride = merged[0]
        rest = size // extent
        result.append(stride * rest)
        if rest == 1:
            merged.pop(0)
        else:
            merged[0] = (rest, stride)
    return None if merged else tuple(result)
