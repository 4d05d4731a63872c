# SPDX-License-Identifier: MIT
"""Memory of Triton's `ttg` dialect, where it differs from that of the TLX dialect."""

from __future__ import annotations

import math
from typing import Any

from tlx.simulator.code.registry import Meaning, effect, unsupported
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Buffer, SharedLayout
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.memory import View
from tlx.simulator.semantics.memory_updates import ATOMIC
from tlx.simulator.semantics.shared import (
    name_of,
    scatter,
    scatter_update,
    write,
)


@effect("ttg.local_alloc", visible=False)
def _local_alloc(op: Op) -> Meaning:
    """Allocates bytes, and stores a tensor there if one is given."""
    (type,) = op.result_types
    if not isinstance(type, Buffer) or type.storage != "smem":
        raise unsupported(op)
    shape, dtype = type.shape, type.element.dtype
    # What TLX allocates barriers as; its own level calls them so, too.
    kind = "barrier" if type.element.name == "i64" and shape[-1] == 1 else "buffer"
    name, size = name_of(op, kind), math.prod(shape) * dtype.itemsize
    layout = type.layout or SharedLayout()
    alignment = op.attrs.get("alignment", layout.alignment)

    def allocate(agent: Agent, src: Any = None) -> View:
        temporary = src is not None
        memory = agent.cta.allocate(
            agent, op, size, name, alignment, is_temporary=temporary
        )
        view = View.whole(memory, shape, dtype)
        if src is not None:
            write(agent, op, view, src)
        return view

    return allocate


@effect("ttg.local_dealloc", visible=False)
def _local_dealloc(op: Op) -> Meaning:
    """The bytes do not count any more, but no other allocation gets them."""
    return lambda agent, view: agent.cta.free(view.memory)


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


@effect("ttg.barrier", "gpu.barrier", visible=False)
def _barrier(op: Op) -> Meaning:
    """A task is simulated as a whole: its threads are always together."""
    return lambda agent: None
