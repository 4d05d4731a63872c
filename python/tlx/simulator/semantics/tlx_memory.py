# SPDX-License-Identifier: MIT
"""Buffers of the TLX dialect: allocation, views, loads and stores.

Views that Triton's dialect spells alike are here, too.
"""

from __future__ import annotations

import math

from tlx.errors import UnsupportedError
from tlx.simulator.code.registry import Meaning, effect, pure, unsupported
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Buffer, Type
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.memory import View
from tlx.simulator.semantics.shared import (
    Array,
    checked_index,
    gather,
    name_of,
    read,
    scatter,
    write,
)

_ALIGNMENT = 1024
"""The most that a use needs: the compiler aligns a buffer by what uses it."""


def extents(type: Type) -> tuple[int, ...]:
    """Returns the extents of a buffer type, the ring first."""
    if not isinstance(type, Buffer):
        raise UnsupportedError(f"the simulator expects a buffer, but got '{type}'")
    return (type.num, *type.shape) if type.num else type.shape


@effect("tlx.local_alloc", visible=False)
def _local_alloc(op: Op) -> Meaning:
    """Allocates bytes that nobody has written yet."""
    (type,) = op.result_types
    shape = extents(type)
    if not isinstance(type, Buffer) or type.storage != "smem":
        raise unsupported(op)
    dtype = type.element.dtype
    name, size = name_of(op, "buffer"), math.prod(shape) * dtype.itemsize

    def allocate(agent: Agent) -> View:
        memory = agent.cta.allocate(agent, op, size, name, _ALIGNMENT)
        return View.whole(memory, shape, dtype)

    return allocate


@pure("tlx.local_view", "tlx.local_index", "ttg.memdesc_index")
def _local_view(op: Op) -> Meaning:
    def select(view: View, index: int) -> View:
        return view.select(checked_index(op, view.label, index, view.shape[0]))

    return select


@pure("tlx.local_trans", "ttg.memdesc_trans")
def _local_trans(op: Op) -> Meaning:
    order = op.attrs["order"]
    return lambda view: view.transpose(order)


@pure("tlx.local_slice", "ttg.memdesc_subslice")
def _local_slice(op: Op) -> Meaning:
    offsets, shape = op.attrs["offsets"], extents(op.result_types[0])
    return lambda view: view.slice(offsets, shape)


@pure("tlx.local_reshape", "ttg.memdesc_reshape")
def _local_reshape(op: Op) -> Meaning:
    shape = extents(op.result_types[0])

    def reshape(view: View) -> View:
        result = view.reshape(shape)
        if result is None:
            raise UnsupportedError(
                f"the simulator cannot reshape a view of '{view.label}' with gaps",
                location=op.loc,
            )
        return result

    return reshape


@pure("tlx.local_reinterpret", "ttg.memdesc_reinterpret")
def _local_reinterpret(op: Op) -> Meaning:
    (type,) = op.result_types
    shape = extents(type)
    dtype = type.element.dtype  # type: ignore[union-attr]
    return lambda view: view.reinterpret(shape, dtype)


@effect("tlx.local_load", "ttg.local_load")
def _local_load(op: Op) -> Meaning:
    return lambda agent, view, *token: read(agent, op, view)


@effect("tlx.local_store", "ttg.local_store")
def _local_store(op: Op) -> Meaning:
    return lambda agent, value, view: write(agent, op, view, value)


@effect("tlx.local_gather", "ttg.local_gather")
def _local_gather(op: Op) -> Meaning:
    axis = op.attrs["axis"]
    return lambda agent, view, indices, *token: gather(agent, op, view, indices, axis)


@effect("tlx.local_scatter")
def _local_scatter(op: Op) -> Meaning:
    axis = op.attrs["axis"]

    def run(agent: Agent, values: Array, view: View, indices: Array) -> None:
        scatter(agent, op, view, indices, axis, values)

    return run


@pure("tlx.require_layout", "tlx.release_layout", together=True)
def _layout(op: Op) -> Meaning:
    """Layouts decide which thread holds an element, not its value."""
    return lambda tensor: tensor
