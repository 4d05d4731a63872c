# SPDX-License-Identifier: MIT
"""Asynchronous copies, for both levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tlx.simulator.code import cost
from tlx.simulator.code.registry import BLOCKED
from tlx.simulator.findings.memory import Misaligned, OutOfRange
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.access import Access
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.boxes import Box
from tlx.simulator.machine.descriptor import Descriptor
from tlx.simulator.machine.engine import Transfer
from tlx.simulator.machine.gather import Part, resolve
from tlx.simulator.machine.issued import due
from tlx.simulator.machine.mbarrier import MBarrier
from tlx.simulator.machine.memory import View
from tlx.simulator.machine.races import Region
from tlx.simulator.machine.scope import Scope
from tlx.simulator.semantics import tensor_maps
from tlx.simulator.semantics.alignment import BULK_BYTES, WORD_BYTES, contiguous
from tlx.simulator.semantics.memory_updates import Combine

Array = np.ndarray[Any, Any]

TARGET = "the target of a TMA copy"
SOURCE = "the source of a TMA copy"


def _cycles(size: int) -> int:
    return size // cost.GLOBAL_BYTES


def _asynchronous(
    agent: Agent,
    op: Op,
    region: Region,
    engine: str,
    *,
    is_write: bool,
    atomic: Scope | None = None,
) -> Access:
    """Records an access by an engine of the async proxy."""
    return agent.touch(
        region,
        op,
        is_write=is_write,
        is_async_proxy=True,
        is_bulk=engine == "bulk",
        is_asynchronous=True,
        atomic=atomic,
    )


def start_load(
    agent: Agent,
    op: Op,
    engine: str,
    sources: Sequence[Region],
    view: View,
    read: Callable[[], Array],
    barrier: MBarrier,
) -> None:
    """Starts a copy from global memory that completes on a barrier.

    Args:
        agent: Who issues it.
        op: The operation.
        engine: `tma` or `bulk`.
        sources: What it reads.
        view: Where it writes.
        read: Returns what it writes, when it is done.
        barrier: Its bytes complete here.
    """
    accesses = [
        _asynchronous(agent, op, region, engine, is_write=False) for region in sources
    ]
    target = Region.of_view(view)
    accesses.append(_asynchronous(agent, op, target, engine, is_write=True))
    for access in accesses:
        access.completes_at(barrier)

    def deliver() -> None:
        view.array()[...] = read()
        barrier.complete_bytes(transfer, view.nbytes)

    transfer = Transfer(agent, op, engine, [deliver], accesses, _cycles(view.nbytes))
    transfer.latency = cost.GLOBAL_LATENCY
    transfer.is_load = True
    transfer.issued = agent.knowledge.copy()
    agent.start(transfer)


def start_store(
    agent: Agent,
    op: Op,
    engine: str,
    targets: Sequence[Region],
    view: View,
    write: Callable[[Array], None],
    described: Sequence[Region] = (),
    *,
    atomic: Scope | None = None,
) -> None:
    """Starts a copy to global memory; it is a bulk group of its own.

    Args:
        agent: Who issues it.
        op: The operation.
        engine: `tma` or `bulk`.
        targets: What it writes.
        view: What it reads.
        write: Writes what has been read.
        described: Descriptors that it reads; a wait for its reads is for these, too.
        atomic: Scope, if it combines each element with what is there.
    """
    sources = (Region.of_view(view), *described)
    accesses = [
        _asynchronous(agent, op, region, engine, is_write=False) for region in sources
    ]
    written = []
    for region in targets:
        region.memory.check_writable(op)
        written.append(
            _asynchronous(agent, op, region, engine, is_write=True, atomic=atomic)
        )
    held: list[Array] = []

    def read() -> None:
        held.append(view.array().copy())

    def deliver() -> None:
        write(held[0])

    transfer = Transfer(
        agent, op, engine, [read, deliver], accesses, _cycles(view.nbytes)
    )
    transfer.latency = cost.GLOBAL_LATENCY
    transfer.written = written
    agent.start(transfer)
    agent.engines.stores.append(transfer)


def load_box(
    agent: Agent,
    op: Op,
    desc: Descriptor,
    coords: Sequence[int],
    view: View,
    barrier: MBarrier,
) -> None:
    """Copies a box to a buffer; all its bytes complete on the barrier."""
    found, sources = tensor_maps.fetch(agent, op, desc)
    box = Box(agent.machine.memory, found, coords, view.shape, op)
    sources += box.regions()
    start_load(agent, op, "tma", sources, view, box.read, barrier)


def store_box(
    agent: Agent,
    op: Op,
    desc: Descriptor,
    coords: Sequence[int],
    view: View,
    combine: Combine | None,
) -> None:
    """Copies a buffer to a box, or combines it with what is there."""
    found, described = tensor_maps.fetch(agent, op, desc)
    box = Box(agent.machine.memory, found, coords, view.shape, op)

    def write(values: Array) -> None:
        if combine is None:
            box.write(values)
        else:
            box.update(values, combine)

    atomic = None if combine is None else Scope.DEVICE
    targets = box.regions()
    start_store(agent, op, "tma", targets, view, write, described, atomic=atomic)


def wait_stores(agent: Agent, pendings: int, *, read_only: bool = True) -> Any:
    """Waits for all but the last `pendings` stores.

    Args:
        agent: Who issued them.
        pendings: Stores that may be left.
        read_only: It is enough that they have read their buffers; else what they
            store must be in memory.
    """
    stores = agent.engines.stores
    needed = due(stores, pendings)
    agent.machine.touched_all(needed, "read")
    left = 1 if read_only else 0
    if any(len(transfer.stages) > left for transfer in needed):
        what = "the reads of its stores" if read_only else "its stores"
        agent.engines.block(agent, what)
        return BLOCKED
    for transfer in needed:
        for access in (*transfer.accesses, *(() if read_only else transfer.written)):
            agent.observe(access)
        over = transfer.read_time if read_only else transfer.time
        agent.wait_until(over, transfer)
    del stores[: len(needed)]
    return None


def _check_words(op: Op, part: Part, itemsize: int) -> None:
    """Checks that elements of a `cp.async` copy fill words.

    Raises:
        Misaligned: A part of a word is left out.
    """
    size = WORD_BYTES // itemsize
    offsets = part.offsets
    if offsets.size % size == 0:
        # As a rule the elements of a word follow one another.
        words = offsets.reshape(-1, size)
        steps = np.arange(0, WORD_BYTES, itemsize)
        if (
            not (words[:, 0] % WORD_BYTES).any()
            and (words == words[:, :1] + steps).all()
        ):
            return
    found, counts = np.unique(np.unique(offsets) // WORD_BYTES, return_counts=True)
    bad = np.flatnonzero(counts < size)
    if bad.size:
        raise Misaligned(
            f"expects a cp.async copy to read whole words of {WORD_BYTES} bytes, but "
            f"got {counts[bad[0]] * itemsize} bytes of the word at byte "
            f"{found[bad[0]] * WORD_BYTES} of '{part.memory.name}'",
            location=op.loc,
        )


def copy_elements(
    agent: Agent, op: Op, pointers: Array, view: View, mask: Any, other: Any
) -> None:
    """Copies elements to a buffer with `cp.async`; the next group takes it."""
    dtype = view.dtype
    addresses = np.asarray(pointers, np.int64)
    chosen = None if mask is None else np.broadcast_to(mask, addresses.shape)
    parts = resolve(agent.machine.memory, op, addresses, chosen, dtype)
    accesses = []
    contiguous(op, view, "the target of cp.async copies", WORD_BYTES)
    for part in parts:
        if dtype.itemsize < WORD_BYTES:
            _check_words(op, part, dtype.itemsize)
        region = Region.of_offsets(part.memory, part.offsets, dtype.itemsize)
        accesses.append(agent.touch(region, op, is_write=False, is_asynchronous=True))
    target = Region.of_view(view)
    accesses.append(agent.touch(target, op, is_write=True, is_asynchronous=True))

    def deliver() -> None:
        values = np.zeros(addresses.shape, dtype)
        if other is not None:
            values[...] = other
        for part in parts:
            values.reshape(-1)[part.chosen] = part.elements[part.places]
        view.array()[...] = values

    transfer = Transfer(
        agent, op, "cp.async", [deliver], accesses, _cycles(view.nbytes)
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
    needed = due(groups, pendings)
    transfers = [transfer for group in needed for transfer in group]
    agent.machine.touched_all(transfers, "read")
    if not all(transfer.is_done for transfer in transfers):
        agent.engines.block(agent, "its groups of cp.async copies")
        return BLOCKED
    for transfer in transfers:
        for access in transfer.accesses:
            agent.observe(access)
        agent.wait_until(transfer.time, transfer)
    del groups[: len(needed)]
    return None


def _bulk(
    agent: Agent, op: Op, address: int, view: View, size: int
) -> tuple[View, Part]:
    """Returns both ends of a bulk copy.

    Raises:
        OutOfRange: The buffer or the array ends before the copy.
        Misaligned: The size or one of the addresses is no multiple of 16.
    """
    if size <= 0 or size % BULK_BYTES:
        raise Misaligned(
            f"a bulk copy expects a size that is a positive multiple of {BULK_BYTES} "
            f"bytes, but got {size}",
            location=op.loc,
        )
    if size > view.nbytes:
        raise OutOfRange(
            f"a bulk copy of {size} bytes does not fit '{view.label}', which has "
            f"{view.nbytes}",
            location=op.loc,
        )
    contiguous(op, view, "one end of a bulk copy", BULK_BYTES)
    if address % BULK_BYTES:
        where = agent.machine.memory.describe(address)
        raise Misaligned(
            f"expects the global memory of a bulk copy to begin at a multiple of "
            f"{BULK_BYTES} bytes, but got {where}",
            location=op.loc,
        )
    local = view.reinterpret((size,), np.dtype(np.uint8))
    addresses = np.arange(address, address + size)
    (part,) = resolve(agent.machine.memory, op, addresses, None, local.dtype)
    return local, part


def copy_bytes_in(
    agent: Agent, op: Op, address: int, view: View, size: int, barrier: MBarrier
) -> None:
    """Copies contiguous bytes to a buffer; they complete on the barrier."""
    target, part = _bulk(agent, op, address, view, size)
    source = Region.of_offsets(part.memory, part.offsets, 1)

    def read() -> Array:
        return part.elements[part.places]

    start_load(agent, op, "bulk", [source], target, read, barrier)


def copy_bytes_out(agent: Agent, op: Op, view: View, address: int, size: int) -> None:
    """Copies the first bytes of a buffer to global memory."""
    source, part = _bulk(agent, op, address, view, size)
    target = Region.of_offsets(part.memory, part.offsets, 1)

    def write(values: Array) -> None:
        part.elements[part.places] = values

    start_store(agent, op, "bulk", [target], source, write)
