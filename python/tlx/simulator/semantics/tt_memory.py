# SPDX-License-Identifier: MIT
"""Loads and stores through pointers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tlx.simulator.code.registry import Meaning, Threads, effect, of_scalars
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Tensor
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.gather import resolve
from tlx.simulator.machine.races import Region
from tlx.simulator.machine.scope import Scope
from tlx.simulator.semantics.ordering import RELAXED, acquire

Array = np.ndarray[Any, Any]


def value_dtype(op: Op, operand: int | None = None) -> np.dtype[Any]:
    """Returns NumPy's type of a result, or of an operand."""
    type = op.result_types[0] if operand is None else op.operand_types[operand]
    return type.dtype  # type: ignore[union-attr]


def addresses_of(pointers: Any, mask: Any) -> Array:
    """Returns the addresses that the mask does not leave out."""
    addresses = np.asarray(pointers, np.int64)
    if mask is None:
        return addresses.reshape(-1)
    return addresses[np.broadcast_to(mask, addresses.shape).astype(np.bool_)]


def load_values(
    agent: Agent,
    op: Op,
    pointers: Any,
    mask: Any,
    other: Any,
    dtype: np.dtype[Any],
    *,
    atomic: Scope | None = None,
) -> Array:
    """Reads elements; those that the mask leaves out are `other`, or zero."""
    addresses = np.asarray(pointers, np.int64)
    result = np.zeros(addresses.shape, dtype)
    if other is not None:
        result[...] = other
    flat = result.reshape(-1)
    chosen = None if mask is None else np.broadcast_to(mask, addresses.shape)
    for part in resolve(agent.machine.memory, op, addresses, chosen, dtype):
        region = Region.of_offsets(part.memory, part.offsets, dtype.itemsize)
        agent.touch(
            region,
            op,
            is_write=False,
            atomic=atomic,
        )
        flat[part.chosen] = part.elements[part.places]
    return result


def store_values(
    agent: Agent,
    op: Op,
    pointers: Any,
    value: Any,
    mask: Any,
    *,
    atomic: Scope | None = None,
) -> None:
    """Writes the elements that the mask does not leave out."""
    dtype = value_dtype(op, 1)
    addresses = np.asarray(pointers, np.int64)
    values = np.broadcast_to(np.asarray(value, dtype), addresses.shape).reshape(-1)
    chosen = None if mask is None else np.broadcast_to(mask, addresses.shape)
    for part in resolve(agent.machine.memory, op, addresses, chosen, dtype):
        region = Region.of_offsets(part.memory, part.offsets, dtype.itemsize)
        chosen_values = values[part.chosen]
        agent.touch(
            region,
            op,
            is_write=True,
            atomic=atomic,
            values=chosen_values if atomic is None else None,
        )
        part.memory.check_writable(op)
        part.elements[part.places] = chosen_values


def as_value(op: Op, array: Array) -> Any:
    """Returns a result as the kind of value that its type has."""
    type = op.result_types[0]
    if isinstance(type, Tensor):
        return array
    scalar = array[()]
    return int(scalar) if array.dtype.kind in "ib" else scalar


@effect("tt.load", threads=of_scalars(Threads.EACH))
def _load(op: Op) -> Meaning:
    """A volatile load is a relaxed atomic (PTX ISA, `ld`, `.volatile`)."""
    dtype = value_dtype(op)
    scope = Scope.DEVICE if op.attrs.get("isVolatile") else None
    _, masks, others = (
        op.segments() if "operandSegmentSizes" in op.attrs else _groups(op)
    )

    def run(agent: Agent, *operands: Any) -> Any:
        mask = operands[masks[0]] if masks else None
        other = operands[others[0]] if others else None
        values = load_values(agent, op, operands[0], mask, other, dtype, atomic=scope)
        if scope is not None:
            acquire(agent, addresses_of(operands[0], mask), RELAXED, scope)
            agent.is_spinning = True
        return as_value(op, values)

    return run


def _groups(op: Op) -> tuple[range, range, range]:
    num = len(op.operands)
    return range(1), range(1, min(num, 2)), range(2, max(num, 2))


@effect("tt.store", threads=of_scalars(Threads.FIRST))
def _store(op: Op) -> Meaning:
    def run(agent: Agent, pointers: Any, value: Any, mask: Any = None) -> None:
        store_values(agent, op, pointers, value, mask)

    return run
