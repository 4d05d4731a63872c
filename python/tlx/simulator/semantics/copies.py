# SPDX-License-Identifier: MIT
"""Asynchronous copies, for both levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tlx.simulator.code import cost
from tlx.simulator.code.registry import BLOCKED
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.boxes import Box
from tlx.simulator.machine.descriptor import TensorDescriptor
from tlx.simulator.machine.engine import Transfer
from tlx.simulator.machine.gather import resolve
from tlx.simulator.machine.mbarrier import MBarrier
from tlx.simulator.machine.memory import View
from tlx.simulator.machine.races import Region
from tlx.simulator.semantics.memory_updates import DESCRIPTOR

Array = np.ndarray[Any, Any]


def _cycles(size: int) -> int:
    return size // cost.GLOBAL_BYTES


def load_box(
    agent: Agent,
    op: Op,
    desc: TensorDescriptor,
    coords: Sequence[int],
    view: View,
    barrier: MBarrier,
) -> None:
    """Copies a box to a buffer; all its bytes complete on the barrier."""
    box = Box(agent.machine.memory, desc, coords, view.shape, op)
    if box.view is not None:
        agent.touch(
            Region.of_view(box.view),
            op,
            is_write=False,
            is_async_proxy=True,
            is_asynchronous=True,
        )
    access = agent.touch(
        Region.of_view(view),
        op,
        is_write=True,
        is_async_proxy=True,
        is_asynchronous=True,
    )

    def deliver() -> None:
        view.array()[...] = box.read()
        barrier.complete_bytes(view.nbytes, access, transfer.time)

    transfer = Transfer(agent, op, "tma", [deliver], [access], _cycles(view.nbytes))
    transfer.latency = cost.GLOBAL_LATENCY
    agent.start(transfer)


def store_box(
    agent: Agent,
    op: Op,
    desc: TensorDescriptor,
    coords: Sequence[int],
    view: View,
    reduce: int | None,
) -> None:
    """Copies a buffer to a box, or combines it with what is there."""
    box = Box(agent.machine.memory, desc, coords, view.shape, op)
    source = agent.touch(
        Region.of_view(view),
        op,
        is_write=False,
        is_async_proxy=True,
        is_asynchronous=True,
    )
    if box.view is not None:
        box.view.memory.check_writable(op)
        agent.touch(
            Region.of_view(box.view),
            op,
            is_write=True,
            is_async_proxy=True,
            is_asynchronous=True,
            is_atomic=reduce is not None,
        )
    held: list[Array] = []

    def read() -> None:
        held.append(view.array().copy())

    def write() -> None:
        if reduce is None:
            box.write(held[0])
        else:
            box.update(held[0], DESCRIPTOR[reduce])

    transfer = Transfer(agent, op, "tma", [read, write], [source], _cycles(view.nbytes))
    transfer.latency = cost.GLOBAL_LATENCY
    agent.start(transfer)
    agent.engines.stores.append(transfer)


def wait_stores(agent: Agent, pendings: int) -> Any:
    """Waits until all but the last `pendings` stores have read their buffers."""
    stores = agent.engines.stores
    needed = stores[: len(stores) - pendings] if pendings else stores
    for transfer in needed:
        if len(transfer.stages) > 1:
            agent.engines.block(agent, "the reads of its stores")
            return BLOCKED
    for transfer in needed:
        for access in transfer.accesses:
            agent.observe(access)
        agent.wait_until(transfer.read_time, transfer)
    del stores[: len(needed)]
    return None


def copy_elements(
    agent: Agent, op: Op, pointers: Array, view: View, mask: Any, other: Any
) -> None:
    """Copies elements to a buffer with `cp.async`; the next group takes it."""
    dtype = view.dtype
    addresses = np.asarray(pointers, np.int64)
    chosen = None if mask is None else np.broadcast_to(mask, addresses.shape)
    parts = resolve(agent.machine.memory, op, addresses, chosen, dtype)
    for part in parts:
        region = Region.of_offsets(part.memory, part.offsets, dtype.itemsize)
        agent.touch(region, op, is_write=False, is_asynchronous=True)
    access = agent.touch(Region.of_view(view), op, is_write=True, is_asynchronous=True)

    def deliver() -> None:
        values = np.zeros(addresses.shape, dtype)
        if other is not None:
            values[...] = other
        for part in parts:
            values.reshape(-1)[part.chosen] = part.elements[part.places]
        view.array()[...] = values

    transfer = Transfer(
        agent, op, "cp.async", [deliver], [access], _cycles(view.nbytes)
    )
    transfer.latency = cost.GLOBAL_LATENCY
    agent.engines.open_copies.append(transfer)
    agent.start(transfer)


def commit_copies(agent: Agent) -> None:
    """Closes a group of `cp.async` copies."""
    engines = agent.engines
    engines.copy_groups.append(engines.open_copies)
    engines.open_copies = []


def wait_copies(agent: Agent, pendings: int) -> Any:
    """Waits until all but the last `pendings` groups have arrived."""
    groups = agent.engines.copy_groups
    needed = groups[: len(groups) - pendings] if pendings else groups
    transfers = [transfer for group in needed for transfer in group]
    if not all(transfer.is_done for transfer in transfers):
        agent.engines.block(agent, "its groups of cp.async copies")
        return BLOCKED
    for transfer in transfers:
        for access in transfer.accesses:
            agent.observe(access)
        agent.wait_until(transfer.time, transfer)
    del groups[: len(needed)]
    return None


def copy_bytes_in(
    agent: Agent, op: Op, address: int, view: View, size: int, barrier: MBarrier
) -> None:
    """Copies contiguous bytes to a buffer; they complete on the barrier."""
    target = view.reinterpret((size,), np.dtype(np.uint8))
    addresses = np.arange(address, address + size)
    (part,) = resolve(agent.machine.memory, op, addresses, None, target.dtype)
    agent.touch(
        Region.of_offsets(part.memory, part.offsets, 1),
        op,
        is_write=False,
        is_async_proxy=True,
        is_asynchronous=True,
    )
    access = agent.touch(
        Region.of_view(target),
        op,
        is_write=True,
        is_async_proxy=True,
        is_asynchronous=True,
    )

    def deliver() -> None:
        target.array()[...] = part.elements[part.places]
        barrier.complete_bytes(size, access, transfer.time)

    transfer = Transfer(agent, op, "bulk", [deliver], [access], _cycles(size))
    transfer.latency = cost.GLOBAL_LATENCY
    agent.start(transfer)


def copy_bytes_out(agent: Agent, op: Op, view: View, address: int, size: int) -> None:
    """Copies the first bytes of a buffer to global memory."""
    source = view.reinterpret((size,), np.dtype(np.uint8))
    addresses = np.arange(address, address + size)
    (part,) = resolve(agent.machine.memory, op, addresses, None, source.dtype)
    part.memory.check_writable(op)
    access = agent.touch(
        Region.of_view(source),
        op,
        is_write=False,
        is_async_proxy=True,
        is_asynchronous=True,
    )
    agent.touch(
        Region.of_offsets(part.memory, part.offsets, 1),
        op,
        is_write=True,
        is_async_proxy=True,
        is_asynchronous=True,
    )
    held: list[Array] = []

    def read() -> None:
        held.append(source.array().copy())

    def write() -> None:
        part.elements[part.places] = held[0]

    transfer = Transfer(agent, op, "bulk", [read, write], [access], _cycles(size))
    transfer.latency = cost.GLOBAL_LATENCY
    agent.start(transfer)
    agent.engines.stores.append(transfer)
