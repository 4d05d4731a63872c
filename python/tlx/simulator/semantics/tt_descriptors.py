# SPDX-License-Identifier: MIT
"""Tensor descriptors that a kernel makes, and copies to and from registers.

Triton waits for each of these copies where it stands, so they count as accesses of the
task itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tlx.simulator.code.registry import Meaning, effect
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Descriptor, Tensor
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.boxes import Box
from tlx.simulator.machine.descriptor import (
    StoredDescriptor,
    TensorDescriptor,
    TensorMap,
)
from tlx.simulator.machine.races import Region
from tlx.simulator.machine.scope import Scope
from tlx.simulator.semantics import tensor_maps
from tlx.simulator.semantics.memory_updates import Combine, descriptor_update
from tlx.simulator.semantics.shared import name_of
from tlx.tensormap import DESCRIPTOR_BYTES

Array = np.ndarray[Any, Any]

# Number of tt.PaddingOption.
_NAN = 2


@effect("tt.make_tensor_descriptor", visible=False)
def _make_tensor_descriptor(op: Op) -> Meaning:
    """Writes a descriptor to a place that nothing uses.

    The compiler takes several places in turn. What does not change is made once: the
    compiler moves it out of loops.
    """
    type = op.result_types[0]
    assert isinstance(type, Descriptor)
    rank, dtype = len(type.shape), type.element.dtype
    nan_fill = op.attrs.get("padding") == _NAN
    name = name_of(op, "descriptor")

    def make(agent: Agent, address: int, *sizes: int) -> StoredDescriptor:
        strides = tuple(stride * dtype.itemsize for stride in sizes[rank:-1])
        tensor_map = TensorMap(address, sizes[:rank], strides, nan_fill)
        tensor_maps.check(agent, op, tensor_map, ())
        pointer = tensor_maps.place(agent, op, name, DESCRIPTOR_BYTES)
        known = agent.machine.tensor_maps.get(pointer)
        if known is not None and known.tensor_map != tensor_map:
            pointer = tensor_maps.place(
                agent, op, name, DESCRIPTOR_BYTES, is_fresh=True
            )
            known = None
        if known is None:
            tensor_maps.make(agent, op, pointer, tensor_map)
        return StoredDescriptor(pointer, type.shape, dtype)

    return make


def _box(
    agent: Agent,
    op: Op,
    desc: TensorDescriptor,
    coords: Sequence[int],
    shape: Sequence[int],
    *,
    is_write: bool,
    atomic: Scope | None = None,
) -> Box:
    """Finds a box and records the access to it."""
    box = Box(agent.machine.memory, desc, coords, shape, op)
    if box.view is not None:
        if is_write:
            box.view.memory.check_writable(op)
        region = Region.of_view(box.view)
        agent.touch(region, op, is_write=is_write, atomic=atomic)
    return box


@effect("tt.descriptor_load")
def _descriptor_load(op: Op) -> Meaning:
    type = op.result_types[0]
    assert isinstance(type, Tensor)
    shape = type.shape or ()

    def run(agent: Agent, desc: Any, *coords: int) -> Array:
        found = tensor_maps.read(agent, op, desc)
        return _box(agent, op, found, coords, shape, is_write=False).read()

    return run


@effect("tt.descriptor_store")
def _descriptor_store(op: Op) -> Meaning:
    def run(agent: Agent, desc: Any, value: Array, *coords: int) -> None:
        found = tensor_maps.read(agent, op, desc)
        _box(agent, op, found, coords, value.shape, is_write=True).write(value)

    return run


def combine_of(op: Op, kind: int) -> Combine:
    """Returns how a copy through the operation's descriptor combines elements."""
    type = next(t for t in op.operand_types if isinstance(t, Descriptor))
    return descriptor_update(kind, unsigned=type.unsigned)


@effect("tt.descriptor_reduce")
def _descriptor_reduce(op: Op) -> Meaning:
    combine = combine_of(op, op.attrs["kind"])

    def run(agent: Agent, desc: Any, value: Array, *coords: int) -> None:
        found = tensor_maps.read(agent, op, desc)
        box = _box(
            agent, op, found, coords, value.shape, is_write=True, atomic=Scope.DEVICE
        )
        box.update(value, combine)

    return run


@effect("tt.descriptor_gather")
def _descriptor_gather(op: Op) -> Meaning:
    """Reads a row for each offset."""

    def run(agent: Agent, desc: Any, rows: Array, column: int) -> Array:
        found = tensor_maps.read(agent, op, desc)
        width = found.block_shape[-1:]
        boxes = [
            _box(agent, op, found, (row, column), width, is_write=False)
            for row in rows.tolist()
        ]
        return np.stack([box.read() for box in boxes])

    return run


@effect("tt.descriptor_scatter")
def _descriptor_scatter(op: Op) -> Meaning:
    """Writes a row at each offset, in order."""

    def run(agent: Agent, desc: Any, rows: Array, column: int, value: Array) -> None:
        found = tensor_maps.read(agent, op, desc)
        for row, part in zip(rows.tolist(), value, strict=True):
            box = _box(agent, op, found, (row, column), part.shape, is_write=True)
            box.write(part)

    return run
