# SPDX-License-Identifier: MIT
"""Descriptors in global memory: made, made visible, and read by copies.

A descriptor is 128 bytes that whoever makes it writes. TMA reads them through a proxy
of its own, at any time until the copy is over (PTX ISA, "Tensor-map", proxies): a fence
of the tensor map proxy has to come between the write and the copy, and the completion
of the copy between that and the next write.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tlx.simulator.findings.memory import Misaligned, MissingFence, OutOfRange
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.access import Access
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.descriptor import (
    Descriptor,
    StoredDescriptor,
    TensorDescriptor,
    TensorMap,
    Written,
)
from tlx.simulator.machine.gather import resolve
from tlx.simulator.machine.memory import View
from tlx.simulator.machine.races import Region
from tlx.tensormap import (
    ALIGNMENT,
    DESCRIPTOR_ALIGNMENT,
    DESCRIPTOR_BYTES,
    Fault,
    extent_faults,
    stride_faults,
)

_HINT = (
    "wait for the copies through the old descriptor first, or give each descriptor in "
    "use a slot of its own, by tlx.allocate_tensor_descriptor"
)
_BYTE = np.dtype(np.uint8)


def place(agent: Agent, op: Op, name: str, size: int, *, is_fresh: bool = False) -> int:
    """Returns the address of memory of the CTA.

    Args:
        agent: Who asks.
        op: For what; the same operation gets the same memory for the same calls.
        name: How findings call it.
        size: Its bytes.
        is_fresh: Take other memory than the last time.
    """
    scratch, path = agent.cta.scratch, agent.path_to(op)
    if is_fresh or path not in scratch:
        scratch[path] = agent.machine.memory.allocate(name, size, _HINT)
    return scratch[path]


def _check_address(agent: Agent, op: Op, name: str, address: int, unit: int) -> None:
    if address % unit:
        where = agent.machine.memory.describe(address)
        raise Misaligned(
            f"expects '{name}' to be at a multiple of {unit} bytes, but got {where}",
            location=op.loc,
        )


def check(agent: Agent, op: Op, tensor_map: TensorMap, more: Iterable[Fault]) -> None:
    """Checks that a descriptor can hold a tensor.

    Args:
        agent: Who makes it.
        op: The operation.
        tensor_map: What it makes.
        more: What else is wrong with it.

    Raises:
        Misaligned: The first address or a stride is no multiple of 16 bytes.
        OutOfRange: A number is too small or too large.
    """
    _check_address(agent, op, "base", tensor_map.address, ALIGNMENT)
    faults = (
        *extent_faults(tensor_map.shape),
        *stride_faults(tensor_map.strides),
        *more,
    )
    for fault in faults:
        kind = Misaligned if fault.is_misaligned else OutOfRange
        raise kind(
            f"expects '{fault.name}' to be {fault.rule}, but got {fault.found}",
            location=op.loc,
        )


def _region(agent: Agent, op: Op, pointer: int) -> Region:
    """Returns the bytes of a descriptor.

    Raises:
        Misaligned: The address is no multiple of 64.
        OutOfRange: No array has its bytes.
    """
    _check_address(agent, op, "desc_ptr", pointer, DESCRIPTOR_ALIGNMENT)
    memory = agent.machine.memory
    ends = np.array([pointer, pointer + DESCRIPTOR_BYTES - 1])
    (part,) = resolve(memory, op, ends, None, _BYTE)
    offset = int(part.offsets[0])
    return Region.of_view(View(part.memory, offset, (DESCRIPTOR_BYTES,), (1,), _BYTE))


def write(agent: Agent, op: Op, pointer: int, tensor_map: TensorMap) -> None:
    """Writes a descriptor to memory."""
    region = _region(agent, op, pointer)
    region.memory.check_writable(op)
    access = agent.touch(region, op, is_write=True)
    maps = agent.machine.tensor_maps
    for overlapped in (-DESCRIPTOR_ALIGNMENT, DESCRIPTOR_ALIGNMENT):
        maps.pop(pointer + overlapped, None)
    maps[pointer] = Written(tensor_map, access)


def acquire(agent: Agent, pointer: int) -> None:
    """Makes a descriptor that the agent knows of visible to TMA.

    `fence.proxy.tensormap::generic.acquire` of PTX.
    """
    written = agent.machine.tensor_maps.get(pointer)
    if written is not None and written.access.is_before(agent.knowledge.clock):
        written.fences.setdefault(agent.number, (agent.cta.number, agent.time))


def make(agent: Agent, op: Op, pointer: int, tensor_map: TensorMap) -> None:
    """Writes a descriptor and makes it visible."""
    write(agent, op, pointer, tensor_map)
    acquire(agent, pointer)


def _check_fence(agent: Agent, op: Op, written: Written, region: Region) -> None:
    """Reports a descriptor that TMA may not see."""
    clock = agent.knowledge.clock
    if not agent.machine.options.races or not written.access.is_before(clock):
        return
    if not written.is_visible(agent.cta.number, clock):
        use = Access(
            agent.number, agent.time, op, agent.label, is_write=False, cta=agent.cta
        )
        agent.machine.report(
            MissingFence.of_descriptor(written.access, use, region.label)
        )


def fetch(
    agent: Agent, op: Op, desc: Descriptor
) -> tuple[TensorDescriptor, list[Region]]:
    """Finds what a descriptor describes.

    Args:
        agent: Who copies.
        op: The copy.
        desc: The descriptor, or where it is.

    Returns:
        The tensor and the box, and the memory that the copy reads for them, which is
        for the caller to record.

    Raises:
        OutOfRange: There is no descriptor.
    """
    if isinstance(desc, TensorDescriptor):
        return desc, []
    region = _region(agent, op, desc.pointer)
    written = agent.machine.tensor_maps.get(desc.pointer)
    if written is None:
        raise OutOfRange(
            "no descriptor has been written to this address", location=op.loc
        )
    _check_fence(agent, op, written, region)
    return _described(written.tensor_map, desc), [region]


def _described(tensor_map: TensorMap, desc: StoredDescriptor) -> TensorDescriptor:
    itemsize = desc.dtype.itemsize
    return TensorDescriptor(
        tensor_map.address,
        tensor_map.shape,
        (*(stride // itemsize for stride in tensor_map.strides), 1),
        desc.block_shape,
        desc.dtype,
        tensor_map.nan_fill,
    )


def read(agent: Agent, op: Op, desc: Descriptor) -> TensorDescriptor:
    """Finds what a descriptor describes, for an operation that waits for its copy."""
    found, regions = fetch(agent, op, desc)
    for region in regions:
        agent.touch(region, op, is_write=False)
    return found
