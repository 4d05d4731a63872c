# SPDX-License-Identifier: MIT
"""Descriptors that lie in memory, and TMA copies of selected rows."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from tlx.errors import UnsupportedError
from tlx.simulator.code.registry import Meaning, Role, effect
from tlx.simulator.findings.memory import Misaligned, OutOfRange
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Descriptor
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.boxes import Box
from tlx.simulator.machine.descriptor import TensorDescriptor
from tlx.simulator.machine.gather import resolve
from tlx.simulator.machine.memory import View
from tlx.simulator.machine.races import Region
from tlx.simulator.semantics import copies
from tlx.simulator.semantics.ttng_barriers import find

Array = np.ndarray[Any, Any]

_BYTES = 128
"""Size of a descriptor; PTX ISA, "Tensor-map"."""

_ALIGNMENT = 64
"""Of a descriptor; CUDA driver API, `cuTensorMapEncodeTiled`."""

_NAN = 2
"""Number of `PaddingOption` for NaN."""


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


def _touch(agent: Agent, op: Op, pointer: int, *, is_write: bool) -> None:
    """Records an access to a descriptor in memory.

    Raises:
        Misaligned: The address is no multiple of 64.
        OutOfRange: No array has its bytes.
    """
    if pointer % _ALIGNMENT:
        raise Misaligned(
            f"a descriptor expects an address that is a multiple of {_ALIGNMENT}",
            location=op.loc,
        )
    places = np.arange(pointer, pointer + _BYTES)
    for part in resolve(agent.machine.memory, op, places, None, np.dtype(np.uint8)):
        region = Region.of_offsets(part.memory, part.offsets, 1)
        if is_write:
            part.memory.check_writable(op)
        agent.touch(region, op, is_write=is_write)


def _write(agent: Agent, op: Op, pointer: int, tensor_map: TensorMap) -> None:
    _touch(agent, op, pointer, is_write=True)
    agent.machine.tensor_maps[pointer] = tensor_map


def _read(agent: Agent, op: Op, pointer: int, type: Descriptor) -> TensorDescriptor:
    found = agent.machine.tensor_maps.get(pointer)
    if found is None:
        raise OutOfRange(
            "no descriptor has been written to this address", location=op.loc
        )
    _touch(agent, op, pointer, is_write=False)
    dtype = type.element.dtype
    strides = (*(stride // dtype.itemsize for stride in found.strides), 1)
    return TensorDescriptor(
        found.address, found.shape, strides, type.shape, dtype, found.nan_fill
    )


@effect("ttng.tensormap_create")
def _tensormap_create(op: Op) -> Meaning:
    """Writes a descriptor; the driver's order is innermost first."""
    _, _, _, dims, strides, _ = op.segments()
    nan_fill = op.attrs["fill_mode"] == 1

    def create(agent: Agent, *operands: Any) -> None:
        tensor_map = TensorMap(
            operands[1],
            tuple(operands[i] for i in reversed(dims)),
            tuple(operands[i] for i in reversed(strides)),
            nan_fill,
        )
        _write(agent, op, operands[0], tensor_map)

    return create


@effect("tlx.make_tensor_descriptor")
def _make_tensor_descriptor(op: Op) -> Meaning:
    """Writes a descriptor and reads it."""
    _, _, shape, strides = op.segments()
    nan_fill = op.attrs.get("padding") == _NAN
    type = op.result_types[0]
    assert isinstance(type, Descriptor)
    itemsize = type.element.dtype.itemsize

    def make(agent: Agent, *operands: Any) -> TensorDescriptor:
        tensor_map = TensorMap(
            operands[1],
            tuple(operands[i] for i in shape),
            tuple(operands[i] * itemsize for i in strides),
            nan_fill,
        )
        _write(agent, op, operands[0], tensor_map)
        return _read(agent, op, operands[0], type)

    return make


@effect("ttng.tensormap_fenceproxy_acquire", visible=False)
def _tensormap_fenceproxy_acquire(op: Op) -> Meaning:
    """A descriptor is visible to TMA as soon as it is written."""
    return lambda agent, pointer: None


@effect("ttng.reinterpret_tensor_descriptor", "tlx.reinterpret_tensor_descriptor")
def _reinterpret_tensor_descriptor(op: Op) -> Meaning:
    type = op.result_types[0]
    assert isinstance(type, Descriptor)
    return lambda agent, pointer: _read(agent, op, pointer, type)


@effect("tlx.prefetch_descriptor", visible=False)
def _prefetch_descriptor(op: Op) -> Meaning:
    """Caches are not modelled."""
    return lambda agent, desc: None


def _rows(
    agent: Agent, op: Op, desc: TensorDescriptor, rows: Array, column: int
) -> list[Box]:
    """Returns a box for each row."""
    width = desc.block_shape[-1:]
    memory = agent.machine.memory
    return [Box(memory, desc, (row, column), width, op) for row in rows.tolist()]


@effect("ttng.async_tma_gather", role=Role.SENDS)
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
