# SPDX-License-Identifier: MIT
"""Barriers and fences of Triton's `ttng` dialect."""

from __future__ import annotations

from typing import Any

from tlx.simulator.code.registry import Meaning, effect
from tlx.simulator.findings.barriers import NotABarrier
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.mbarrier import MBarrier
from tlx.simulator.machine.memory import View
from tlx.simulator.semantics import barriers


def find(agent: Agent, op: Op, view: View) -> MBarrier:
    """Returns the barrier that lies in a word of shared memory.

    Raises:
        NotABarrier: Nobody has initialised one there.
    """
    barrier = agent.cta.mbarrier_at.get((id(view.memory), view.offset))
    if barrier is None:
        raise NotABarrier(
            f"'{view.label}' holds no barrier: it is used before its "
            "initialisation or after its invalidation",
            location=op.loc,
        )
    return barrier


@effect("ttng.init_barrier", visible=False)
def _init_barrier(op: Op) -> Meaning:
    count = op.attrs["count"]

    def init(agent: Agent, view: View) -> None:
        place = (id(view.memory), view.offset)
        if place in agent.cta.mbarrier_at:
            raise NotABarrier(
                f"'{view.label}' is initialised twice without an invalidation between",
                location=op.loc,
            )
        origin = next(o for memory, o in agent.cta.memories if memory is view.memory)
        barrier = MBarrier(origin, view.label, count)
        agent.cta.mbarrier_at[place] = barrier
        agent.cta.barriers.append(barrier)

    return init


@effect("ttng.inval_barrier", visible=False)
def _inval_barrier(op: Op) -> Meaning:
    def inval(agent: Agent, view: View) -> None:
        find(agent, op, view)
        del agent.cta.mbarrier_at[id(view.memory), view.offset]

    return inval


@effect("ttng.barrier_expect")
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
        return barriers.wait(agent, op, find(agent, op, view), parity)

    return wait


@effect("ttng.arrive_barrier")
def _arrive_barrier(op: Op) -> Meaning:
    count = op.attrs["count"]

    def arrive(agent: Agent, view: View, pred: int = 1) -> None:
        if pred:
            find(agent, op, view).arrive(agent, op, count)

    return arrive


@effect("ttng.fence_async_shared", visible=False)
def _fence_async_shared(op: Op) -> Meaning:
    return lambda agent: agent.fence_proxy()
