# SPDX-License-Identifier: MIT
"""Intrinsics and PTX that our lowering emits where Triton has no operation.

Addresses of shared memory are views here: the casts that take a buffer apart hand them
on.
"""

from __future__ import annotations

import re
from typing import Any

from tlx.errors import UnsupportedError
from tlx.simulator.code.registry import Entry, Meaning, Role, effect, pure
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.scope import Scope
from tlx.simulator.semantics import barriers, copies
from tlx.simulator.semantics.ordering import fence
from tlx.simulator.semantics.products import wait_products
from tlx.simulator.semantics.ttng_barriers import find
from tlx.simulator.semantics.votes import ballot


@pure(
    "builtin.unrealized_conversion_cast",
    "llvm.extractvalue",
    "llvm.ptrtoint",
    "llvm.inttoptr",
)
def _cast(op: Op) -> Meaning:
    """Hands on a view or an address."""
    return lambda value: value


@pure("nvvm.read.ptx.sreg.laneid", "ttg.warp_id")
def _first(op: Op) -> Meaning:
    """A task is simulated as a whole; scalars are those of its first thread."""
    return lambda: 0


@effect("nvvm.read.ptx.sreg.tid.x", visible=False)
def _tid_x(op: Op) -> Meaning:
    return lambda agent: agent.first_thread


@pure("nvvm.read.ptx.sreg.tid.y", "nvvm.read.ptx.sreg.tid.z")
def _tid_yz(op: Op) -> Meaning:
    """CTAs have one dimension."""
    return lambda: 0


@effect("nvvm.wgmma.wait.group.sync.aligned")
def _wgmma_wait_group(op: Op) -> Meaning:
    pendings = op.attrs["group"]
    return lambda agent: wait_products(agent, pendings, ())


_SYNC = "llvm.nvvm.barrier.cta.sync.aligned.count"
_ARRIVE = "llvm.nvvm.barrier.cta.arrive.aligned.count"


def _intrinsic_role(op: Op) -> Role | None:
    return Role.MEETS if op.attrs["intrin"] in (_SYNC, _ARRIVE) else None


@effect("llvm.call_intrinsic", role=_intrinsic_role)
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
        return lambda agent, mask, pred: ballot(op, mask, pred)
    raise UnsupportedError(f"the simulator cannot run '{name}'", location=op.loc)


def _arrive(op: Op) -> Meaning:
    def run(agent: Agent, view: Any, pred: int = 1) -> None:
        if pred:
            find(agent, op, view).arrive(agent, op, agent.num_warps * 32)

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
    "cp.async.bulk.prefetch": (_nothing, None),
    "prefetch.tensormap": (_nothing, None),
    "fence.acq_rel": (_fence, None),
    "%clock64": (_clock, None),
}
"""What inline PTX does, also for a barrier, by a part of its first instruction."""


def _find_ptx(op: Op) -> tuple[Entry, Role | None]:
    text = op.attrs["asm_string"]
    for part, found in PTX.items():
        if part in text:
            return found
    line = text.strip().split("\n")[0]
    raise UnsupportedError(f"the simulator cannot run '{line}'", location=op.loc)


def _ptx_role(op: Op) -> Role | None:
    return _find_ptx(op)[1]


@effect("llvm.inline_asm", role=_ptx_role)
def _inline_asm(op: Op) -> Meaning:
    entry, _ = _find_ptx(op)
    return entry(op)
