# SPDX-License-Identifier: MIT
"""Memory of Triton's `ttg` dialect: allocation, views, loads and stores."""

from __future__ import annotations

import math
from typing import Any

from tlx.simulator.code.registry import Meaning, effect, pure, unsupported
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Buffer
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.memory import View
from tlx.simulator.semantics import copies
from tlx.simulator.semantics.memory_updates import ATOMIC
from tlx.simulator.semantics.shared import (
    checked_index,
    gather,
    name_of,
    read,
    scatter,
    scatter_update,
    write,
)
from tlx.simulator.semantics.tlx_memory import extents


@effect("ttg.local_alloc", visible=False)
def _local_alloc(op: Op) -> Meaning:
    """Allocates bytes, and stores a tensor there if one is given."""
    (type,) = op.result_types
    if not isinstance(type, Buffer) or type.storage != "smem":
        raise unsupported(op)
    shape, dtype = type.shape, type.element.dtype
    name, size = name_of(op, "buffer"), math.prod(shape) * dtype.itemsize

    def allocate(agent: Agent, src: Any = None) -> View:
        temporary = src is not None
        memory = agent.cta.allocate(agent, op, size, name, is_temporary=temporary)
        view = View.whole(memory, shape, dtype)
        if src is not None:
            write(agent, op, view, src)
        return view

    return allocate


@effect("ttg.local_dealloc", visible=False)
def _local_dealloc(op: Op) -> Meaning:
    """The bytes do not count any more, but no other allocation gets them."""
    return lambda agent, view: agent.cta.free(view.memory)


@pure("ttg.memdesc_index")
def _memdesc_index(op: Op) -> Meaning:
    def select(view: View, index: int) -> View:
        return view.select(checked_index(op, view.label, index, view.shape[0]))

    return select


@pure("ttg.memdesc_subslice")
def _memdesc_subslice(op: Op) -> Meaning:
    offsets, shape = op.attrs["offsets"], extents(op.result_types[0])
    return lambda view: view.slice(offsets, shape)


@effect("ttg.local_load")
def _local_load(op: Op) -> Meaning:
    return lambda agent, view, *token: read(agent, op, view)


@effect("ttg.local_store")
def _local_store(op: Op) -> Meaning:
    return lambda agent, value, view: write(agent, op, view, value)


@effect("ttg.local_gather")
def _local_gather(op: Op) -> Meaning:
    axis = op.attrs["axis"]
    return lambda agent, view, indices, *token: gather(agent, op, view, indices, axis)


@effect("ttg.local_scatter")
def _local_scatter(op: Op) -> Meaning:
    axis = op.attrs["axis"]

    def run(agent: Agent, view: View, values: Any, indices: Any, *token: Any) -> None:
        scatter(agent, op, view, indices, axis, values)

    return run


@effect("ttg.local_atomic_scatter_rmw")
def _local_atomic_scatter_rmw(op: Op) -> Meaning:
    axis, combine = op.attrs["axis"], ATOMIC[op.attrs["atomic_rmw_op"]]

    def run(
        agent: Agent, view: View, values: Any, indices: Any, mask: Any = None
    ) -> Any:
        return scatter_update(agent, op, view, indices, axis, values, mask, combine)

    return run


@effect("ttg.async_copy_global_to_local")
def _async_copy_global_to_local(op: Op) -> Meaning:
    src, result, mask, other = op.segments()

    def run(agent: Agent, *operands: Any) -> None:
        copies.copy_elements(
            agent,
            op,
            operands[src[0]],
            operands[result[0]],
            operands[mask[0]] if mask else None,
            operands[other[0]] if other else None,
        )

    return run


@effect("ttg.async_commit_group", visible=False)
def _async_commit_group(op: Op) -> Meaning:
    return lambda agent, *tokens: copies.commit_copies(agent)


@effect("ttg.async_wait")
def _async_wait(op: Op) -> Meaning:
    pendings = op.attrs["num"]
    return lambda agent, *tokens: copies.wait_copies(agent, pendings)


@effect("ttg.barrier", "gpu.barrier", visible=False)
def _barrier(op: Op) -> Meaning:
    """A task is simulated as a whole: its threads are always together."""
    return lambda agent: None
