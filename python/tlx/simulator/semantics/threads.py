# SPDX-License-Identifier: MIT
"""Numbers of threads and warps."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tlx.simulator.code.registry import Meaning, Threads, effect
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.per_thread import WARP_SIZE, PerThread


@functools.cache
def _numbers(first: int, count: int, each: int) -> Any:
    """Returns a number for each thread; `each` neighbours have the same."""
    numbers = count // each
    if numbers == 1:
        return first
    return PerThread(tuple(range(first, first + numbers)), np.arange(count) // each)


def thread_ids(agent: Agent) -> Any:
    """Returns the index in the CTA of each thread."""
    return _numbers(agent.first_thread, agent.threads, 1)


@effect("nvvm.read.ptx.sreg.tid.x", visible=False, threads=Threads.EACH)
def _tid_x(op: Op) -> Meaning:
    return thread_ids


@effect(
    "nvvm.read.ptx.sreg.tid.y",
    "nvvm.read.ptx.sreg.tid.z",
    visible=False,
    threads=Threads.EACH,
)
def _tid_yz(op: Op) -> Meaning:
    """CTAs have one dimension."""
    return lambda agent: 0


@functools.cache
def _lanes(count: int) -> PerThread:
    return PerThread(tuple(range(WARP_SIZE)), np.arange(count) % WARP_SIZE)


def lane_ids(agent: Agent) -> PerThread:
    """Returns the index in its warp of each thread."""
    return _lanes(agent.threads)


@effect("nvvm.read.ptx.sreg.laneid", visible=False, threads=Threads.EACH)
def _lane_id(op: Op) -> Meaning:
    return lane_ids


@effect("ttg.warp_id", visible=False, threads=Threads.EACH)
def _warp_id(op: Op) -> Meaning:
    """Warps are counted in their task."""
    return lambda agent: _numbers(0, agent.threads, WARP_SIZE)
