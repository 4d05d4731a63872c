# SPDX-License-Identifier: MIT
"""What the operations of both levels share: reads and writes of buffers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tlx.simulator.findings.memory import OutOfRange
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.memory import View
from tlx.simulator.machine.races import Region
from tlx.simulator.machine.scope import Scope
from tlx.simulator.semantics.memory_updates import Combine

Array = np.ndarray[Any, Any]


def read(agent: Agent, op: Op, view: View) -> Array:
    """Reads a buffer through the generic proxy."""
    agent.touch(Region.of_view(view), op, is_write=False)
    return view.array().copy()


def write(agent: Agent, op: Op, view: View, value: Array) -> None:
    """Writes a buffer through the generic proxy."""
    agent.touch(Region.of_view(view), op, is_write=True, values=value)
    view.array()[...] = value


def _along(op: Op, view: View, indices: Array, axis: int) -> tuple[Array, ...]:
    """Returns the places that indices along an axis select.

    Raises:
        OutOfRange: An index lies outside of the buffer.
    """
    extent = view.shape[axis]
    bad = indices[(indices < 0) | (indices >= extent)]
    if bad.size:
        raise OutOfRange(
            f"index {int(bad.flat[0])} of '{view.label}', whose axis {axis} has "
            f"{extent}",
            location=op.loc,
        )
    places = list(np.indices(indices.shape, sparse=True))
    places[axis] = indices.astype(np.int64)
    return tuple(places)


def _region(view: View, places: tuple[Array, ...]) -> Region:
    offsets = sum(
        (p * s for p, s in zip(places, view.strides, strict=True)),
        start=np.int64(view.offset),
    )
    return Region.of_offsets(view.memory, np.asarray(offsets), view.dtype.itemsize)


def gather(agent: Agent, op: Op, view: View, indices: Array, axis: int) -> Array:
    """Reads elements; the index replaces the coordinate along the axis."""
    places = _along(op, view, indices, axis)
    agent.touch(_region(view, places), op, is_write=False)
    return view.array()[places].copy()


def scatter(
    agent: Agent,
    op: Op,
    view: View,
    indices: Array,
    axis: int,
    values: Array,
) -> None:
    """Writes elements; which of several to one place stays is the last one here."""
    places = _along(op, view, indices, axis)
    agent.touch(_region(view, places), op, is_write=True, values=values)
    view.array()[places] = values


def scatter_update(
    agent: Agent,
    op: Op,
    view: View,
    indices: Array,
    axis: int,
    values: Array,
    mask: Array | None,
    combine: Combine,
) -> Array:
    """Combines elements with what is there, in order; returns the old ones."""
    chosen = np.ones(indices.shape, np.bool_) if mask is None else mask
    places = _along(op, view, np.where(chosen, indices, 0), axis)
    full = np.broadcast_arrays(*places)
    used = tuple(p[chosen] for p in full)
    region = _region(view, used)
    agent.touch(region, op, is_write=False, atomic=Scope.CTA)
    agent.touch(region, op, is_write=True, atomic=Scope.CTA)
    memory, old = view.array(), np.zeros(indices.shape, view.dtype)
    for place in np.argwhere(chosen):
        here = tuple(place)
        at = tuple(slice(p[here], p[here] + 1) for p in full)
        old[here] = memory[at].item()
        memory[at] = combine(memory[at], values[here].reshape((1,) * memory.ndim))
    return old


def checked_index(op: Op, label: str, index: int, num: int) -> int:
    """Returns the index of a slot.

    Raises:
        OutOfRange: There is no such slot.
    """
    if not 0 <= index < num:
        raise OutOfRange(f"slot {index} of '{label}', which has {num}", location=op.loc)
    return index


def name_of(op: Op, fallback: str) -> str:
    """Returns the user's name of a result."""
    if op.name_hint:
        return op.name_hint
    return fallback if op.loc is None else f"{fallback} of line {op.loc.line}"
