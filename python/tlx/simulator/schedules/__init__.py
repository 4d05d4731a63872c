# SPDX-License-Identifier: MIT
"""Schedules: who goes next.

A schedule holds the actors that can go on: agents that are not blocked, and operations
of engines that are not done. What it chooses depends on its seed and on the numbers of
the actors only, so the same seed gives the same run on any machine.

| name | chooses |
|---|---|
| `round_robin` | the one that has waited longest |
| `random` | any, by the seed |
| `lazy_engines` | agents first; engines only when no agent can go on |
| `eager_engines` | engines first |
| `delay_task` | one task, by the seed, goes on only when nobody else can |
| `delay_cta` | one CTA, by the seed, goes on only when nobody else can |
| `reverse` | the one that came last |
| `earliest` | the one whose cycle is the lowest |

`explore` is not one of them: it runs a small kernel on all schedules that can differ
(`tlx.simulator.explore`).
"""

from __future__ import annotations

from collections.abc import Callable

from tlx.errors import ArgumentError
from tlx.simulator.schedules.adversary import (
    DelayCta,
    DelayTask,
    EagerEngines,
    LazyEngines,
)
from tlx.simulator.schedules.base import Actor, Schedule
from tlx.simulator.schedules.basic import Earliest, RandomOrder, Reverse, RoundRobin

SCHEDULES: dict[str, Callable[[int], Schedule]] = {
    "round_robin": RoundRobin,
    "random": RandomOrder,
    "lazy_engines": LazyEngines,
    "eager_engines": EagerEngines,
    "delay_task": DelayTask,
    "delay_cta": DelayCta,
    "reverse": Reverse,
    "earliest": Earliest,
}

__all__ = ["SCHEDULES", "Actor", "Schedule", "make_schedule"]


def make_schedule(name: str, seed: int) -> Schedule:
    """Returns a schedule by its name.

    Raises:
        ArgumentError: There is no such schedule.
    """
    if name not in SCHEDULES:
        raise ArgumentError.expects("schedule", f"one of {', '.join(SCHEDULES)}", name)
    return SCHEDULES[name](seed)
