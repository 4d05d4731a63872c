# SPDX-License-Identifier: MIT
"""Descriptors that lie in memory, and TMA copies of selected rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tlx.errors import UnsupportedError
from tlx.simulator.code.registry import Meaning, Role, Threads, effect, pure
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Descriptor
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.boxes import Box
from tlx.simulator.machine.descriptor import StoredDescriptor, TensorMap
from tlx.simulator.machine.memory import View
from tlx.simulator.machine.races import Region
from tlx.simulator.semantics import alignment, copies, tensor_maps
from tlx.simulator.semantics.shared import name_of
from tlx.simulator.semantics.ttng_barriers import find
from tlx.tensormap import box_faults

Array = np.ndarray[Any, Any]

_NAN = 2
"""Number of `PaddingOption` for NaN."""

_ITEMSIZES = {0: 1, 1: 2, 2: 4, 3: 4, 4: 8, 5: 8, 6: 2, 7: 4, 8: 4, 9: 8, 10: 2}
_ITEMSIZES |= {11: 4, 12: 4}
"""Bytes of an element by its number; PTX ISA, `tensormap.replace`, `.elemtype`."""

_SWIZZLES = {0: 0, 1: 32, 2: 64, 3: 128}
"""Bytes of a row of the pattern by its number; the same, `.swizzle_mode`."""


@effect("ttg.global_scratch_alloc", visible=False)
def _global_scratch_alloc(op: Op) -> Meaning:
    """Memory of the CTA; the same each time."""
    size, name = op.attrs["nbytes"], name_of(op, "descriptor")
    return lambda agent: tensor_maps.place(agent, op, name, size)


@effect("ttng.tensormap_create")
def _tensormap_create(op: Op) -> Meaning:
    """Writes a descriptor; the driver's order is innermost first."""
    _, _, box, dims, strides, steps = op.segments()
    nan_fill = op.attrs["fill_mode"] == 1
    itemsize = _ITEMSIZES.get(op.attrs["elem_type"])
    swizzle = _SWIZZLES.get(op.attrs["swizzle_mode"])
    if itemsize is None or swizzle is None:
        raise UnsupportedError(
            "the simulator cannot run descriptors of this element type or swizzle",
            location=op.loc,
        )

    def create(agent: Agent, *operands: Any) -> None:
        def pick(group: range) -> tuple[int, ...]:
            return tuple(operands[i] for i in reversed(group))

        faults = box_faults(pick(box), itemsize, swizzle, pick(steps))
        tensor_map = TensorMap(operands[1], pick(dims), pick(strides), nan_fill)
        tensor_maps.check(agent, op, tensor_map, faults)
        tensor_maps.write(agent, op, operands[0], tensor_map)

    return create


@effect("tlx.make_tensor_descriptor")
def _make_tensor_descriptor(op: Op) -> Meaning:
    """Writes a descriptor and makes it visible to TMA."""
    _, _, shape, strides = op.segments()
    nan_fill = op.attrs.get("padding") == _NAN
    type = op.result_types[0]
    assert isinstance(type, Descriptor)
    dtype = type.element.dtype

    def make(agent: Agent, *operands: Any) -> StoredDescriptor:
        tensor_map = TensorMap(
            operands[1],
            tuple(operands[i] for i in shape),
            tuple(operands[i] * dtype.itemsize for i in strides),
            nan_fill,
        )
        tensor_maps.check(agent, op, tensor_map, ())
        tensor_maps.make(agent, op, operands[0], tensor_map)
        return StoredDescriptor(operands[0], type.shape, dtype)

    return make


@effect("ttng.tensormap_fenceproxy_acquire", visible=False)
def _tensormap_fenceproxy_acquire(op: Op) -> Meaning:
    return lambda agent, pointer: tensor_maps.acquire(agent, pointer)


def _stored(op: Op) -> Callable[[int], StoredDescriptor]:
    """Returns the function from an address to the descriptor there."""
    type = op.result_types[0]
    assert isinstance(type, Descriptor)
    dtype = type.element.dtype
    return lambda pointer: StoredDescriptor(pointer, type.shape, dtype)


@pure("ttng.reinterpret_tensor_descriptor")
def _reinterpret_address(op: Op) -> Meaning:
    """Only copies read the descriptor, so this may come before it is written."""
    return _stored(op)


@effect("tlx.reinterpret_tensor_descriptor", visible=False)
def _reinterpret_tensor_descriptor(op: Op) -> Meaning:
    stored = _stored(op)

    def reinterpret(agent: Agent, pointer: int) -> StoredDescriptor:
        tensor_maps.acquire(agent, pointer)
        return stored(pointer)

    return reinterpret


@effect("tlx.prefetch_descriptor", visible=False, threads=Threads.EACH)
def _prefetch_descriptor(op: Op) -> Meaning:
    """Caches are not modelled."""
    return lambda agent, desc: None


def _rows(
    agent: Agent, op: Op, desc: Any, rows: Array, column: int
) -> tuple[list[Box], list[Region]]:
    """Returns a box for each row, and what is read to know them."""
    found, regions = tensor_maps.fetch(agent, op, desc)
    width = found.block_shape[-1:]
    memory = agent.machine.memory
    boxes = [Box(memory, found, (row, column), width, op) for row in rows.tolist()]
    return boxes, regions


@effect("ttng.async_tma_gather", role=Role.SENDS)
def _async_tma_gather(op: Op) -> Meaning:
    """Loads the rows at the offsets; their bytes complete on the barrier."""
    if op.attrs.get("multicast"):
        raise UnsupportedError(
            "the simulator cannot run TMA copies with multicast", location=op.loc
        )
    check = alignment.tile(op, op.operand_types[4], copies.TARGET)

    def run(
        agent: Agent,
        desc: Any,
        rows: Array,
        column: int,
        barrier: View,
        result: View,
        pred: int,
    ) -> None:
        if not pred:
            return
        check(result)
        boxes, sources = _rows(agent, op, desc, rows, column)

        def read() -> Array:
            return np.stack([box.read() for box in boxes])

        sources += [region for box in boxes for region in box.regions()]
        target = find(agent, op, barrier)
        copies.start_load(agent, op, "tma", sources, result, read, target)

    return run


@effect("ttng.async_tma_scatter")
def _async_tma_scatter(op: Op) -> Meaning:
    """Stores rows to the offsets."""
    check = alignment.tile(op, op.operand_types[3], copies.SOURCE)

    def run(agent: Agent, desc: Any, rows: Array, column: int, source: View) -> None:
        check(source)
        boxes, described = _rows(agent, op, desc, rows, column)

        def write(values: Array) -> None:
            for box, row in zip(boxes, values, strict=True):
                box.write(row)

        targets = [region for box in boxes for region in box.regions()]
        copies.start_store(agent, op, "tma", targets, source, write, described)

    return run
