# SPDX-License-Identifier: MIT
"""Tensor descriptors of the host: what the driver would say to them at a launch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tlx.errors import ArgumentError, Phrase
from tlx.tensormap import (
    ALIGNMENT,
    MAX_RANK,
    Fault,
    extent_faults,
    row_faults,
    stride_faults,
)


def _faults(desc: Any, itemsize: int) -> Iterator[Fault]:
    rank = len(desc.shape)
    if not 1 <= rank <= MAX_RANK:
        yield Fault("shape", f"of rank 1 to {MAX_RANK}", f"{rank}")
    for name in ("strides", "block_shape"):
        found = len(getattr(desc, name))
        if found != rank:
            yield Fault(name, f"of rank {rank}", f"{found}")
    strides = [int(stride) for stride in desc.strides]
    if strides[-1] != 1:
        yield Fault(f"strides[{rank - 1}]", "1", f"{strides[-1]}")
    yield from extent_faults([int(extent) for extent in desc.shape])
    yield from stride_faults([stride * itemsize for stride in strides[:-1]])
    row = int(desc.block_shape[-1]) * itemsize
    yield from row_faults(f"block_shape[{rank - 1}]", row)


def check_descriptor(name: str, desc: Any) -> None:
    """Checks a descriptor of the host.

    Its class checks most of this, too, but only when it is made.

    Args:
        name: The parameter that it is for.
        desc: The descriptor, with a pointer for its array.

    Raises:
        ArgumentError: No tensor map can describe this.
    """
    for fault in _faults(desc, desc.base.itemsize):
        raise ArgumentError.expects(
            f"{name}.{fault.name}", fault.rule, Phrase(fault.found)
        )
    distance = desc.base.address % ALIGNMENT
    if distance:
        raise ArgumentError.expects(
            f"{name}.base",
            f"at a multiple of {ALIGNMENT} bytes",
            Phrase(f"an address {distance} bytes behind one"),
        )
