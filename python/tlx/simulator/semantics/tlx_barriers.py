# SPDX-License-Identifier: MIT
"""Barriers and fences of the TLX dialect."""

from __future__ import annotations

from tlx.simulator.code.registry import (
    Meaning,
    Role,
    Threads,
    effect,
    pure,
    unsupported,
)
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Barrier
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.mbarrier import BarrierArray, MBarrier
from tlx.simulator.machine.scope import Scope
from tlx.simulator.semantics import barriers
from tlx.simulator.semantics.ordering import fence
from tlx.simulator.semantics.shared import checked_index, name_of

ASYNC_SHARED = 0
"""Value of the scope `async_shared` of `tlx.fence`."""


@effect("tlx.alloc_barriers", visible=False)
def _alloc_barriers(op: Op) -> Meaning:
    """Makes barriers, initialised and visible to all tasks and engines."""
    (type,) = op.result_types
    if not isinstance(type, Barrier):
        raise unsupported(op)
    name = name_of(op, "barrier")

    def allocate(agent: Agent) -> BarrierArray | MBarrier:
        array = agent.cta.add_barriers(agent, op, name, type.num, type.count)
        return array if type.num else array.slots[0]

    return allocate


@pure("tlx.barrier_view")
def _barrier_view(op: Op) -> Meaning:
    def select(array: BarrierArray, index: int) -> MBarrier:
        return array.slots[checked_index(op, array.label, index, len(array.slots))]

    return select


@effect("tlx.barrier_expect_bytes", role=Role.ARRIVES)
def _barrier_expect_bytes(op: Op) -> Meaning:
    """One arrival, and bytes to wait for (`mbarrier.arrive.expect_tx`)."""
    size = op.attrs["size"]

    def expect(agent: Agent, barrier: MBarrier, pred: int = 1) -> None:
        if pred:
            barrier.arrive(agent, op, 1, expected=size)

    return expect


@effect("tlx.barrier_wait")
def _barrier_wait(op: Op) -> Meaning:
    def wait(agent: Agent, barrier: MBarrier, parity: int, pred: int = 1) -> object:
        return barriers.wait(agent, op, barrier, parity) if pred else None

    return wait


def _is_per_thread(op: Op) -> bool:
    type = op.operand_types[0]
    return isinstance(type, Barrier) and type.warp


def _threads(op: Op, is_used: bool) -> Threads:
    return Threads.EACH if _is_per_thread(op) else Threads.TASK


@effect("tlx.barrier_arrive", threads=_threads, role=Role.ARRIVES)
def _barrier_arrive(op: Op) -> Meaning:
    count = op.attrs.get("count", 1)
    per_thread = _is_per_thread(op)

    def arrive(agent: Agent, barrier: MBarrier, pred: int = 1) -> None:
        if pred:
            times = agent.active_threads if per_thread else count
            barrier.arrive(agent, op, times)

    return arrive


@effect("tlx.named_barrier_wait", threads=Threads.WARPS, role=Role.MEETS)
def _named_barrier_wait(op: Op) -> Meaning:
    return lambda agent, number, threads: barriers.named_wait(
        agent, op, number, threads
    )


@effect("tlx.named_barrier_arrive", threads=Threads.WARPS, role=Role.MEETS)
def _named_barrier_arrive(op: Op) -> Meaning:
    def arrive(agent: Agent, number: int, threads: int) -> None:
        barriers.named_arrive(agent, op, number, threads)

    return arrive


@effect("tlx.fence", visible=False)
def _fence(op: Op) -> Meaning:
    """Makes what the task knows visible to the async proxy, or orders atomics."""
    if op.attrs["scope"] == ASYNC_SHARED:
        return lambda agent: agent.fence_proxy()
    return lambda agent: fence(agent, Scope.DEVICE)
