# SPDX-License-Identifier: MIT
"""Exploration of all schedules that can differ, for small kernels.

Two steps depend on each other if one changes what the other reads: a barrier, an
operation of an engine, an atomic variable. Schedules that order all such steps alike
have the same outcome, so one of them is enough. After each run, for every two dependent
steps that nothing else orders, the run that takes them the other way round is noted for
later (dynamic partial-order reduction; Flanagan and Godefroid, POPL 2005). Steps that
have been tried from a state and that nothing since depends on are not tried again there
(sleep sets; Godefroid, 1996).

Accesses to memory do not count: those that no barrier orders are races, which one run
finds on any schedule.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from tlx.simulator.code.linear import linearize
from tlx.simulator.findings.base import SimulationError
from tlx.simulator.ir.program import Program
from tlx.simulator.machine.global_memory import GlobalMemory
from tlx.simulator.machine.machine import Footprint, Machine
from tlx.simulator.options import Options
from tlx.simulator.schedules import Actor

EXPLORE = "explore"
"""Name of the exploration among the schedules."""

Key = tuple[int, ...]
Inputs = Callable[[], tuple[Sequence[Any], GlobalMemory]]


@dataclasses.dataclass(slots=True)
class _Step:
    """One step of a run.

    Attributes:
        key: Who did it.
        enabled: Who could have.
        footprint: What it depends on.
        sleep: Who need not be tried here.
    """

    key: Key
    enabled: list[Key]
    sleep: dict[Key, Footprint]
    footprint: Footprint = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(slots=True)
class _Choice:
    """What is left to try at one step.

    Attributes:
        todo: Whom to try.
        done: Who has been tried, and what the step depended on.
    """

    todo: list[Key]
    done: dict[Key, Footprint]


def _depend(a: Footprint, b: Footprint) -> bool:
    for what, kinds in a.items():
        others = b.get(what)
        if others is not None:
            both = kinds | others
            if "write" in both or len(both) > 1:
                return True
    return False


class _Abandoned(Exception):
    """All that could go on is asleep: another run has the same outcome."""


class _Guided:
    """A schedule that begins with given choices and records all."""

    def __init__(self, prefix: list[Key], choices: list[_Choice]) -> None:
        self.prefix = prefix
        self.choices = choices
        self.steps: list[_Step] = []
        self.footprint: Footprint = {}
        self._actors: dict[Key, Actor] = {}

    def add(self, actor: Actor) -> None:
        self._actors[actor.key] = actor

    def finish(self) -> None:
        """Gives the last step what it depended on."""
        if self.steps and self.footprint:
            self.steps[-1].footprint = dict(self.footprint)
            self.footprint.clear()

    def _sleep(self) -> dict[Key, Footprint]:
        """Returns who is asleep now: those of before whom the last step left alone."""
        if not self.steps:
            return {}
        last, place = self.steps[-1], len(self.steps) - 1
        asleep = dict(last.sleep)
        if place < len(self.choices):
            asleep.update(self.choices[place].done)
        asleep.pop(last.key, None)
        return {k: f for k, f in asleep.items() if not _depend(f, last.footprint)}

    def next(self) -> Actor | None:
        self.finish()
        if not self._actors:
            return None
        place, enabled = len(self.steps), sorted(self._actors)
        sleep = self._sleep()
        if place < len(self.prefix):
            key = self.prefix[place]
        else:
            awake = [k for k in enabled if k not in sleep]
            if not awake:
                raise _Abandoned
            key = awake[0]
        self.steps.append(_Step(key, enabled, sleep))
        return self._actors.pop(key)

    def forced(self, actor: Actor) -> None:
        """Records a step that nobody has chosen: a poll when no other can go on."""
        self.finish()
        self.steps.append(_Step(actor.key, [actor.key], {}))


def _reversals(steps: list[_Step]) -> list[tuple[int, Key]]:
    """Returns (step, who): who should be tried at a step instead.

    They are the pairs of dependent steps with no other step between them in the order
    that dependence makes.
    """
    before: list[int] = []
    found = []
    touched: dict[Any, list[int]] = {}
    for i, step in enumerate(steps):
        candidates = sorted(
            {j for what in step.footprint for j in touched.get(what, ())}, reverse=True
        )
        known = 0
        for j in candidates:
            if known >> j & 1 or not _depend(steps[j].footprint, step.footprint):
                continue
            known |= before[j] | 1 << j
            earlier = steps[j]
            if earlier.key == step.key:
                continue
            if step.key in earlier.enabled:
                found.append((j, step.key))
            else:
                # Somebody who leads to this step and could go on then.
                leaders = [
                    steps[k].key
                    for k in range(j + 1, i)
                    if steps[k].key in earlier.enabled and known >> k & 1
                ]
                found += [(j, key) for key in leaders[:1]]
        before.append(known)
        for what in step.footprint:
            touched.setdefault(what, []).append(i)
    return found


@dataclasses.dataclass(slots=True)
class Exploration:
    """What an exploration has shown.

    Attributes:
        runs: Runs to the end, and those cut short as they repeat others.
        is_complete: All schedules that can differ have been covered.
        finding: The first fault, or None.
        schedule: The choices that lead to it.
    """

    runs: int
    is_complete: bool
    finding: SimulationError | None = None
    schedule: list[Key] | None = None


class _Tree:
    """The choices of the last run, and what is left to try at each."""

    def __init__(self) -> None:
        self.prefix: list[Key] = []
        self.choices: list[_Choice] = []

    def learn(self, steps: list[_Step]) -> None:
        """Notes what a run has done and what it shows to be worth trying."""
        del self.choices[len(steps) :]
        missing = len(steps) - len(self.choices)
        self.choices += [_Choice([], {}) for _ in range(missing)]
        for choice, step in zip(self.choices, steps, strict=True):
            choice.done.setdefault(step.key, step.footprint)
        for place, key in _reversals(steps):
            choice = self.choices[place]
            known = (*choice.done, *choice.todo, *steps[place].sleep)
            if key not in known:
                choice.todo.append(key)

    def advance(self, steps: list[_Step]) -> bool:
        """Goes to the next choices to try; returns False if there are none."""
        while self.choices and not self.choices[-1].todo:
            self.choices.pop()
        if not self.choices:
            return False
        place = len(self.choices) - 1
        key = self.choices[place].todo.pop()
        self.prefix = [*(step.key for step in steps[:place]), key]
        return True


Check = Callable[[], SimulationError | None]


def _run(machine: Machine, check: Check | None) -> SimulationError | None:
    """Returns what a run finds."""
    try:
        machine.run()
    except _Abandoned:
        return None
    except SimulationError as error:
        return error
    return check() if check is not None else None


def explore(
    program: Program,
    grid: tuple[int, int, int],
    inputs: Inputs,
    options: Options,
    check: Check | None = None,
) -> Exploration:
    """Runs a kernel on all schedules that can differ.

    Args:
        program: TLX IR or TTGIR.
        grid: CTAs per dimension; all of them run at the same time.
        inputs: Makes parameters and memory anew for each run.
        options: As for `execute`; gives up after `max_runs` runs.
        check: Is called after each run and may return a finding of its own.
    """
    code = linearize(program)
    resident = grid[0] * grid[1] * grid[2]
    options = dataclasses.replace(options, resident=resident, on_finding="raise")
    tree = _Tree()
    for run in range(1, options.max_runs + 1):
        guide = _Guided(tree.prefix, tree.choices)
        params, memory = inputs()
        finding = _run(
            Machine(program, code, grid, params, memory, options, schedule=guide),
            check,
        )
        guide.finish()
        if finding is not None:
            keys = [step.key for step in guide.steps]
            return Exploration(run, False, finding, keys)
        tree.learn(guide.steps)
        if not tree.advance(guide.steps):
            return Exploration(run, True)
    return Exploration(options.max_runs, False)
