# SPDX-License-Identifier: MIT
"""Intrinsics and PTX that our lowering emits where Triton has no operation.

Addresses of shared memory are views here: the casts that take a buffer apart hand them
on.
"""

from __future__ import annotations

import re
from typing import Any

from tlx.errors import UnsupportedError
from tlx.simulator.code.registry import Entry, Meaning, Role, Threads, effect, pure
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.memory import View
from tlx.simulator.machine.scope import Scope
from tlx.simulator.semantics import barriers, copies, tensor_maps
from tlx.simulator.semantics.ordering import fence
from tlx.simulator.semantics.products import wait_products
from tlx.simulator.semantics.ttng_barriers import find
from tlx.simulator.semantics.votes import ballot


@pure(
    "builtin.unrealized_conversion_cast",
    "llvm.ptrtoint",
    "llvm.inttoptr",
)
def _cast(op: Op) -> Meaning:
    """Hands on a view or an address."""
    return lambda value: value


@pure("llvm.extractvalue")
def _field(op: Op) -> Meaning:
    """The base address of a buffer, or the place of a slice along a dimension."""
    (field,) = op.attrs.get("position", [0])
    if field:
        return lambda value: value.slice_offsets()[field - 1]
    return lambda value: value.at_base() if isinstance(value, View) else value


@pure("llvm.getelementptr")
def _getelementptr(op: Op) -> Meaning:
    """An address some bytes behind another one."""
    return lambda value, offset: value.shifted(offset)


@effect("nvvm.wgmma.wait.group.sync.aligned")
def _wgmma_wait_group(op: Op) -> Meaning:
    pendings = op.attrs["group"]
    return lambda agent: wait_products(agent, pendings, ())


_SYNC = "llvm.nvvm.barrier.cta.sync.aligned.count"
_ARRIVE = "llvm.nvvm.barrier.cta.arrive.aligned.count"
_INTRINSICS = {
    _SYNC: Threads.WARPS,
    _ARRIVE: Threads.WARPS,
    "llvm.nvvm.vote.ballot.sync": Threads.LANES,
}


def _threads_of_intrinsic(op: Op, is_used: bool) -> Threads:
    return _INTRINSICS.get(op.attrs["intrin"], Threads.TASK)


def _intrinsic_role(op: Op) -> Role | None:
    return Role.MEETS if op.attrs["intrin"] in (_SYNC, _ARRIVE) else None


@effect("llvm.call_intrinsic", threads=_threads_of_intrinsic, role=_intrinsic_role)
def _call_intrinsic(op: Op) -> Meaning:
    name = op.attrs["intrin"]
    if name == _SYNC:
        return lambda agent, number, threads: barriers.named_wait(
            agent, op, number, threads
        )
    if name == _ARRIVE:

        def arrive(agent: Agent, number: int, threads: int) -> None:
            barriers.named_arrive(agent, op, number, threads)

        return arrive
    if name == "llvm.nvvm.vote.ballot.sync":
        return lambda agent, mask, pred: ballot(agent, op, mask, pred)
    raise UnsupportedError(f"the simulator cannot run '{name}'", location=op.loc)


def _arrive(op: Op) -> Meaning:
    """Each thread arrives."""

    def run(agent: Agent, view: Any, pred: int = 1) -> None:
        if pred:
            find(agent, op, view).arrive(agent, op, agent.active_threads)

    return run


def _bulk_load(op: Op) -> Meaning:
    def run(
        agent: Agent, view: Any, address: int, size: int, barrier: Any, pred: int
    ) -> None:
        if pred:
            target = find(agent, op, barrier)
            copies.copy_bytes_in(agent, op, address, view, size, target)

    return run


def _bulk_store(op: Op) -> Meaning:
    def run(agent: Agent, view: Any, address: int, size: int, pred: int) -> None:
        if pred:
            copies.copy_bytes_out(agent, op, view, address, size)

    return run


def _prefetch(op: Op) -> Meaning:
    """Caches are not modelled, but the descriptor is read."""

    def run(agent: Agent, desc: Any, *operands: Any) -> None:
        if operands[-1]:
            tensor_maps.read(agent, op, desc)

    return run


def _nothing(op: Op) -> Meaning:
    """Caches are not modelled."""
    return lambda agent, *operands: None


def _fence(op: Op) -> Meaning:
    named = re.search(r"fence\.acq_rel\.(cta|cluster)\b", op.attrs["asm_string"])
    scope = Scope[named[1].upper()] if named else Scope.DEVICE
    return lambda agent: fence(agent, scope)


def _clock(op: Op) -> Meaning:
    return lambda agent: agent.now


PTX: dict[str, tuple[Entry, Role | None]] = {
    "mbarrier.arrive.shared::cta.b64": (_arrive, Role.ARRIVES),
    "cp.async.bulk.shared::cluster.global": (_bulk_load, Role.SENDS),
    "cp.async.bulk.global.shared::cta.bulk_group": (_bulk_store, None),
    "cp.async.bulk.prefetch.tensor": (_prefetch, None),
    "prefetch.tensormap": (_nothing, None),
    "fence.acq_rel": (_fence, None),
    "%clock64": (_clock, None),
}
"""What inline PTX does, also for a barrier, by a part of its first instruction."""


def _threads_of_assembly(op: Op, is_used: bool) -> Threads:
    """A fence of some threads orders what these have done, which nobody tracks."""
    return Threads.TASK if "fence.acq_rel" in op.attrs["asm_string"] else Threads.EACH


def _find_ptx(op: Op) -> tuple[Entry, Role | None]:
    text = op.attrs["asm_string"]
    for part, found in PTX.items():
        if part in text:
            return found
    line = text.strip().split("\n")[0]
    raise UnsupportedError(f"the simulator cannot run '{line}'", location=op.loc)


def _ptx_role(op: Op) -> Role | None:
    return _find_ptx(op)[1]


@effect("llvm.inline_asm", threads=_threads_of_assembly, role=_ptx_role)
def _inline_asm(op: Op) -> Meaning:
    entry, _ = _find_ptx(op)
    return entry(op)
