# SPDX-License-Identifier: MIT
"""Descriptors that lie in memory, and TMA copies of selected rows."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from tlx.errors import UnsupportedError
from tlx.simulator.code.registry import Meaning, effect
from tlx.simulator.findings.memory import OutOfRange
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Descriptor
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.boxes import Box
from tlx.simulator.machine.descriptor import TensorDescriptor
from tlx.simulator.machine.memory import View
from tlx.simulator.semantics import copies
from tlx.simulator.semantics.ttng_barriers import find

Array = np.ndarray[Any, Any]


@effect("ttg.global_scratch_alloc", visible=False)
def _global_scratch_alloc(op: Op) -> Meaning:
    """Memory of the CTA; the same each time."""
    size = op.attrs["nbytes"]

    def allocate(agent: Agent) -> int:
        scratch = agent.cta.scratch
        if op not in scratch:
            scratch[op] = agent.machine.memory.allocate("scratch", size)
        return scratch[op]

    return allocate


@dataclasses.dataclass(frozen=True, slots=True)
class TensorMap:
    """What `ttng.tensormap_create` writes.

    Attributes:
        address: First byte of the tensor.
        shape: Extents, outermost first.
        strides: Distances in bytes of all but the last dimension, outermost first.
        nan_fill: Elements outside of the tensor read as NaN instead of zero.
    """

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    nan_fill: bool


@effect("ttng.tensormap_create")
def _tensormap_create(op: Op) -> Meaning:
    """Writes a descriptor; the driver's order is innermost first."""
    _, _, _, dims, strides, _ = op.segments()
    nan_fill = op.attrs["fill_mode"] == 1

    def create(agent: Agent, *operands: Any) -> None:
        agent.machine.tensor_maps[operands[0]] = TensorMap(
            operands[1],
            tuple(operands[i] for i in reversed(dims)),
            tuple(operands[i] for i in reversed(strides)),
            nan_fill,
        )

    return create


@effect("ttng.tensormap_fenceproxy_acquire", visible=False)
def _tensormap_fenceproxy_acquire(op: Op) -> Meaning:
    """A descriptor is visible to TMA as soon as it is written."""
    return lambda agent, pointer: None


@effect("ttng.reinterpret_tensor_descriptor", visible=False)
def _reinterpret_tensor_descriptor(op: Op) -> Meaning:
    type = op.result_types[0]
    assert isinstance(type, Descriptor)
    dtype = type.element.dtype

    def reinterpret(agent: Agent, pointer: int) -> TensorDescriptor:
        found = agent.machine.tensor_maps.get(pointer)
        if found is None:
            raise OutOfRange(
                "no descriptor has been written to this address", location=op.loc
            )
        strides = (*(stride // dtype.itemsize for stride in found.strides), 1)
        return TensorDescriptor(
            found.address, found.shape, strides, type.shape, dtype, found.nan_fill
        )

    return reinterpret


def _rows(
    agent: Agent, op: Op, desc: TensorDescriptor, rows: Array, column: int
) -> list[Box]:
    """Returns a box for each row."""
    width = desc.block_shape[-1:]
    memory = agent.machine.memory
    return [Box(memory, desc, (row, column), width, op) for row in rows.tolist()]


@effect("ttng.async_tma_gather")
def _async_tma_gather(op: Op) -> Meaning:
    """Loads the rows at the offsets; their bytes complete on the barrier."""
    if op.attrs.get("multicast"):
        raise UnsupportedError(
            "the simulator cannot run TMA copies with multicast", location=op.loc
        )

    def run(
        agent: Agent,
        desc: TensorDescriptor,
        rows: Array,
        column: int,
        barrier: View,
        result: View,
        pred: int,
    ) -> None:
        if not pred:
            return
        boxes = _rows(agent, op, desc, rows, column)

        def read() -> Array:
            return np.stack([box.read() for box in boxes])

        sources = [region for box in boxes for region in box.regions()]
        target = find(agent, op, barrier)
        copies.start_load(agent, op, "tma", sources, result, read, target)

    return run


@effect("ttng.async_tma_scatter")
def _async_tma_scatter(op: Op) -> Meaning:
    """Stores rows to the offsets."""

    def run(
        agent: Agent, desc: TensorDescriptor, rows: Array, column: int, source: View
    ) -> None:
        boxes = _rows(agent, op, desc, rows, column)

        def write(values: Array) -> None:
            for box, row in zip(boxes, values, strict=True):
                box.write(row)

        targets = [region for box in boxes for region in box.regions()]
        copies.start_store(agent, op, "tma", targets, source, write)

    return run
