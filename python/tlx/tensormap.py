# SPDX-License-Identifier: MIT
"""What the hardware asks of a tensor map, the 128 bytes that describe a tensor to TMA.

Source: CUDA driver API, `cuTensorMapEncodeTiled`; PTX ISA, "Tensor-map" and
`tensormap.replace`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

DESCRIPTOR_BYTES = 128
"""Size of a tensor map."""

DESCRIPTOR_ALIGNMENT = 64
"""Bytes of which the address of a tensor map is a multiple."""

MAX_RANK = 5
"""Most dimensions of a tensor."""

ALIGNMENT = 16
"""Bytes of which the first address of a tensor, its strides, and the rows of a box are
multiples when nothing is interleaved."""

MAX_EXTENT = 1 << 32
"""Most elements of a tensor in a dimension."""

END_OF_STRIDES = 1 << 40
"""Bytes that a stride is below."""

MAX_BOX_EXTENT = 256
"""Most elements of a box in a dimension."""


@dataclasses.dataclass(frozen=True, slots=True)
class Fault:
    """A number that no tensor map can hold.

    Attributes:
        name: What it is, such as `strides[0]`.
        rule: What it should be.
        found: What it is.
        is_misaligned: It is no multiple of what it should be one of.
    """

    name: str
    rule: str
    found: str
    is_misaligned: bool = False


def _range(name: str, value: int, least: int, most: int, unit: str = "") -> list[Fault]:
    if least <= value <= most:
        return []
    return [Fault(name, f"in [{least}, {most}]{unit}", f"{value}")]


def _multiple(name: str, size: int) -> list[Fault]:
    if size % ALIGNMENT == 0:
        return []
    return [Fault(name, f"a multiple of {ALIGNMENT} bytes", f"{size}", True)]


def row_faults(name: str, size: int) -> list[Fault]:
    """Returns what is wrong with the bytes of a row of a box.

    Args:
        name: The extent of a row.
        size: Its bytes.
    """
    return _multiple(name, size)


def extent_faults(extents: Sequence[int | None]) -> Iterator[Fault]:
    """Yields what is wrong with the extents of a tensor; None is not known yet."""
    for dim, extent in enumerate(extents):
        if extent is not None:
            yield from _range(f"shape[{dim}]", extent, 1, MAX_EXTENT)


def stride_faults(strides: Sequence[int | None]) -> Iterator[Fault]:
    """Yields what is wrong with the strides of a tensor.

    Args:
        strides: In bytes, outermost first, without the last; None is not known yet.
    """
    for dim, stride in enumerate(strides):
        if stride is not None:
            name = f"strides[{dim}]"
            yield from _multiple(name, stride)
            yield from _range(name, stride, 0, END_OF_STRIDES - 1, " bytes")


def box_faults(
    box: Sequence[int], itemsize: int, swizzle: int = 0, steps: Sequence[int] = ()
) -> Iterator[Fault]:
    """Yields what is wrong with the box that one message copies.

    Args:
        box: Extents, outermost first.
        itemsize: Bytes of an element.
        swizzle: Bytes of a row of the swizzle pattern; 0 for none.
        steps: Element strides.
    """
    for dim, extent in enumerate(box):
        yield from _range(f"box[{dim}]", extent, 1, MAX_BOX_EXTENT)
    name, row = f"box[{len(box) - 1}]", box[-1] * itemsize
    yield from row_faults(name, row)
    if swizzle and row > swizzle:
        yield Fault(name, f"at most the {swizzle} bytes of the swizzle", f"{row}")
    for dim, step in enumerate(steps):
        yield from _range(f"element strides[{dim}]", step, 1, 8)
