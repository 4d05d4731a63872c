# SPDX-License-Identifier: MIT
"""Atomic operations on global memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tlx.simulator.code.registry import BLOCKED, Meaning, Threads, effect
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.gather import Part, resolve
from tlx.simulator.machine.races import Region
from tlx.simulator.semantics.memory_updates import ATOMIC
from tlx.simulator.semantics.ordering import (
    RELAXED,
    SCOPES,
    acquire,
    overwrite,
    release,
)
from tlx.simulator.semantics.tt_memory import (
    addresses_of,
    as_value,
    load_values,
    store_values,
    value_dtype,
)

Array = np.ndarray[Any, Any]

Change = Callable[[Array, Array], Array]
"""Gives new values for old ones; the second argument says which pointers they are."""


def _threads(op: Op, is_used: bool) -> Threads:
    """The first thread does one on scalars, and hands its result to all.

    To hand it over, and to order other accesses, Triton adds barriers of the task.
    """
    if op.is_elementwise_on_arrays:
        return Threads.TASK
    plain = op.attrs["sem"] == RELAXED and not is_used
    return Threads.FIRST if plain else Threads.LEADER


def _flat(value: Any, op: Op, pointers: Any) -> Array:
    values = np.asarray(value, value_dtype(op))
    return np.broadcast_to(values, np.shape(pointers)).reshape(-1)


def _update(part: Part, change: Change) -> Array:
    """Changes element after element; returns what was there before."""
    places = part.places
    if np.unique(places).size == places.size:
        old = part.elements[places]
        part.elements[places] = change(old, part.chosen)
        return old
    old = np.empty(places.size, part.elements.dtype)
    for i, place in enumerate(places.tolist()):
        here = slice(place, place + 1)
        old[i] = part.elements[place]
        part.elements[here] = change(part.elements[here], part.chosen[i : i + 1])
    return old


def _modify(
    agent: Agent,
    op: Op,
    pointers: Any,
    mask: Any,
    change: Change,
    wanted: Array | None = None,
) -> Any:
    """Changes elements in memory; returns what was there before.

    Args:
        agent: Who does it.
        op: The operation.
        pointers: Addresses.
        mask: Which of them are used; all if None.
        change: Gives the new values.
        wanted: What the elements must be for it to write, and so to release.
    """
    dtype, semantics = value_dtype(op), op.attrs["sem"]
    scope = SCOPES[op.attrs["scope"]]
    addresses = np.asarray(pointers, np.int64)
    chosen = None if mask is None else np.broadcast_to(mask, addresses.shape)
    changed = False
    result = np.zeros(addresses.shape, dtype)
    used = addresses_of(addresses, chosen)
    acquire(agent, used, semantics, scope)
    for part in resolve(agent.machine.memory, op, addresses, chosen, dtype):
        region = Region.of_offsets(part.memory, part.offsets, dtype.itemsize)
        agent.touch(region, op, is_write=True, atomic=scope)
        part.memory.check_writable(op)
        old = _update(part, change)
        changed = changed or bool((part.elements[part.places] != old).any())
        result.reshape(-1)[part.chosen] = old
    if wanted is not None:
        used = used[result.reshape(-1) == wanted]
    release(agent, used, semantics, scope)
    agent.is_spinning = not changed
    if changed:
        agent.machine.progress_made()
    return as_value(op, result)


@effect("tt.atomic_rmw", threads=_threads)
def _atomic_rmw(op: Op) -> Meaning:
    combine = ATOMIC[op.attrs["atomic_rmw_op"]]

    def run(agent: Agent, pointers: Any, value: Any, mask: Any = None) -> Any:
        values = _flat(value, op, pointers)
        return _modify(
            agent, op, pointers, mask, lambda old, at: combine(old, values[at])
        )

    return run


@effect("tt.atomic_cas", threads=_threads)
def _atomic_cas(op: Op) -> Meaning:
    """Writes the value where memory holds `cmp`."""

    def run(agent: Agent, pointers: Any, compare: Any, value: Any) -> Any:
        wanted, values = _flat(compare, op, pointers), _flat(value, op, pointers)

        def change(old: Array, at: Array) -> Array:
            return np.where(old == wanted[at], values[at], old)

        return _modify(agent, op, pointers, None, change, wanted)

    return run


@effect("tt.atomic_load")
def _atomic_load(op: Op) -> Meaning:
    dtype, semantics = value_dtype(op), op.attrs["sem"]
    scope = SCOPES[op.attrs["scope"]]

    def run(agent: Agent, pointers: Any, mask: Any = None) -> Any:
        values = load_values(
            agent,
            op,
            pointers,
            mask,
            None,
            dtype,
            atomic=scope,
        )
        acquire(agent, addresses_of(pointers, mask), semantics, scope)
        agent.is_spinning = True
        return as_value(op, values)

    return run


@effect("tt.atomic_store")
def _atomic_store(op: Op) -> Meaning:
    semantics = op.attrs["sem"]
    scope = SCOPES[op.attrs["scope"]]

    def run(agent: Agent, pointers: Any, value: Any, mask: Any = None) -> None:
        store_values(agent, op, pointers, value, mask, atomic=scope)
        used = addresses_of(pointers, mask)
        overwrite(agent, used)
        release(agent, used, semantics, scope)
        agent.machine.progress_made()

    return run


@effect("tt.atomic_poll")
def _atomic_poll(op: Op) -> Meaning:
    """Waits until memory holds the value that is expected.

    With a timeout it asks once: how long that takes is not modelled.
    """
    semantics, dtype = op.attrs["sem"], value_dtype(op, 1)
    scope = SCOPES[op.attrs["scope"]]

    def run(agent: Agent, pointers: Any, expected: Any, timeout: Any = None) -> Any:
        values = load_values(
            agent,
            op,
            pointers,
            None,
            None,
            dtype,
            atomic=scope,
        )
        if not (values == expected).all():
            if timeout is not None:
                agent.is_spinning = True
                return as_value(op, values == expected)
            agent.machine.global_changes.block(agent, "a value in global memory")
            return BLOCKED
        acquire(agent, addresses_of(pointers, None), semantics, scope)
        return as_value(op, np.ones(values.shape, np.bool_))

    return run
