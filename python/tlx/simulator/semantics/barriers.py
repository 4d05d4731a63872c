# SPDX-License-Identifier: MIT
"""What both levels do with barriers."""

from __future__ import annotations

from typing import Any

from tlx.simulator.code.registry import BLOCKED
from tlx.simulator.findings.barriers import BadParity, NamedBarrierMismatch
from tlx.simulator.findings.divergence import DivergentOperation
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.mbarrier import MBarrier
from tlx.simulator.machine.named_barrier import Round
from tlx.simulator.machine.per_thread import WARP_SIZE


def wait(agent: Agent, op: Op, barrier: MBarrier, parity: int) -> Any:
    """Waits for the end of the phase of a parity."""
    if parity not in (0, 1):
        raise BadParity(
            f"a wait for '{barrier.label}' expects a parity of 0 or 1, but got "
            f"{parity}",
            location=op.loc,
        )
    if barrier.try_wait(agent, op, parity):
        return None
    barrier.block(
        agent,
        f"'{barrier.label}', parity {parity} (phase {barrier.phase} runs)",
    )
    return BLOCKED


def named_arrive(agent: Agent, op: Op, number: int, threads: int) -> Round:
    """Arrives on a named barrier; returns its use to wait for."""
    if not 0 <= number <= 15:
        raise NamedBarrierMismatch(
            f"expects the number of a named barrier to be in [0, 15], but got {number}",
            location=op.loc,
        )
    if threads % 32 or not 32 <= threads <= 1024:
        raise NamedBarrierMismatch(
            f"expects the threads of a named barrier to be a multiple of 32 in "
            f"[32, 1024], but got {threads}",
            location=op.loc,
        )
    if agent.active is not None:
        reached = agent.active.reshape(-1, WARP_SIZE).sum(1)
        for warp, count in enumerate(reached.tolist()):
            if count not in (0, WARP_SIZE):
                raise DivergentOperation.of_warp(agent.label, op, warp, count)
    return agent.cta.named_barrier(number).arrive(agent, op, threads)


def named_wait(agent: Agent, op: Op, number: int, threads: int) -> Any:
    """Arrives on a named barrier and waits for all.

    The agent's state remembers across attempts that it has arrived.
    """
    if agent.state is None:
        agent.state = named_arrive(agent, op, number, threads)
    barrier = agent.cta.named_barrier(number)
    if not barrier.pass_on(agent, agent.state):
        barrier.block(agent, f"named barrier {number}")
        return BLOCKED
    agent.state = None
    return None
