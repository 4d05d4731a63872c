# SPDX-License-Identifier: MIT
"""Barriers and fences of Triton's `ttng` dialect."""

from __future__ import annotations

from typing import Any

from tlx.errors import TLXError
from tlx.simulator.code.registry import Meaning, Role, effect
from tlx.simulator.findings.barriers import NotABarrier
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.engine import Transfer
from tlx.simulator.machine.mbarrier import MBarrier
from tlx.simulator.machine.memory import View
from tlx.simulator.machine.phase import Event
from tlx.simulator.semantics import barriers
from tlx.simulator.semantics.alignment import BARRIER_BYTES, contiguous


def find(agent: Agent, op: Op, view: View) -> MBarrier:
    """Returns the barrier that lies in a word of shared memory, and notes its use.

    Raises:
        NotABarrier: Nobody has initialised one there, or nothing orders this after it.
    """
    barrier = agent.cta.mbarrier_at.get((id(view.memory), view.offset))
    if barrier is None:
        raise NotABarrier(
            f"'{view.label}' holds no barrier: it is used before its "
            "initialisation or after its invalidation",
            location=op.loc,
        )
    made = barrier.made
    if made is not None and not agent.knowledge.is_past(made.agent, made.time):
        _report(agent, NotABarrier.early_use(view.label, agent.label, op, made))
    barrier.uses[agent.number] = Event(agent.number, agent.time, agent.label, op)
    return barrier


def _report(agent: Agent, finding: TLXError) -> None:
    """Reports what the order of events does not rule out."""
    if agent.machine.options.races:
        agent.machine.report(finding)


@effect("ttng.init_barrier", visible=False)
def _init_barrier(op: Op) -> Meaning:
    count = op.attrs["count"]

    def init(agent: Agent, view: View) -> None:
        contiguous(op, view, "an mbarrier", BARRIER_BYTES)
        place = (id(view.memory), view.offset)
        if place in agent.cta.mbarrier_at:
            raise NotABarrier.initialised_twice(view.label, op)
        origin = next(o for memory, o in agent.cta.memories if memory is view.memory)
        barrier = MBarrier(origin, view.label, count)
        barrier.key = (agent.cta.number, view.label)
        barrier.made = Event(agent.number, agent.time, agent.label, op)
        agent.cta.mbarrier_at[place] = barrier
        agent.cta.barriers.append(barrier)

    return init


@effect("ttng.inval_barrier", visible=False)
def _inval_barrier(op: Op) -> Meaning:
    def inval(agent: Agent, view: View) -> None:
        for use in find(agent, op, view).uses.values():
            if not agent.knowledge.is_past(use.agent, use.time):
                _report(agent, NotABarrier.late_use(view.label, agent.label, op, use))
        del agent.cta.mbarrier_at[id(view.memory), view.offset]

    return inval


@effect("ttng.barrier_expect", role=Role.ARRIVES)
def _barrier_expect(op: Op) -> Meaning:
    size = op.attrs["size"]

    def expect(agent: Agent, view: View, pred: int) -> None:
        if pred:
            find(agent, op, view).arrive(agent, op, 1, expected=size)

    return expect


@effect("ttng.wait_barrier")
def _wait_barrier(op: Op) -> Meaning:
    _, _, pred, _ = op.segments()

    def wait(agent: Agent, view: View, parity: int, *rest: Any) -> Any:
        if pred and not rest[0]:
            return None
        # Triton's own passes extend an i1 with its sign; hardware looks at its bit.
        parity = 1 if parity == -1 else parity
        return barriers.wait(agent, op, find(agent, op, view), parity)

    return wait


@effect("ttng.arrive_barrier", role=Role.ARRIVES)
def _arrive_barrier(op: Op) -> Meaning:
    count = op.attrs["count"]

    def arrive(agent: Agent, view: View, pred: int = 1) -> None:
        if pred:
            find(agent, op, view).arrive(agent, op, count)

    return arrive


@effect("ttng.async_copy_mbarrier_arrive", role=Role.ARRIVES)
def _async_copy_mbarrier_arrive(op: Op) -> Meaning:
    """Each thread arrives when its `cp.async` copies so far are complete.

    Unless `noIncrement` is set, each also makes the phase wait for one arrival more
    (PTX ISA, `cp.async.mbarrier.arrive`).
    """
    counts = bool(op.attrs.get("noIncrement", False))

    def run(agent: Agent, view: View) -> None:
        barrier = find(agent, op, view)
        count = agent.num_warps * 32
        if not counts:
            barrier.await_copies(agent, op, count)
        engines = agent.engines
        groups = (engines.open_copies, *engines.copy_groups)
        earlier = [transfer for group in groups for transfer in group]
        accesses = [access for transfer in earlier for access in transfer.accesses]

        def arrive() -> None:
            barrier.complete_arrivals(arrival, count)

        arrival = Transfer(agent, op, "cp.async", [arrive], accesses, 0)
        arrival.issued = agent.knowledge.copy()
        agent.start(arrival, after=earlier)

    return run


@effect("ttng.fence_async_shared", visible=False)
def _fence_async_shared(op: Op) -> Meaning:
    return lambda agent: agent.fence_proxy()
