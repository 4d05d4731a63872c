# SPDX-License-Identifier: MIT
"""Runs single instructions for threads that differ.

An agent comes here if a value differs by thread, or if not all of its threads are at
the same place. What the threads that take no part see stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tlx.simulator.code.instructions import Compute, Effect
from tlx.simulator.code.registry import BLOCKED, PURE, Threads
from tlx.simulator.findings.divergence import DivergentValue
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.held import put_together, settled
from tlx.simulator.machine.per_thread import (
    DiffersByThread,
    PerThread,
    among,
    classes,
    from_groups,
    from_parts,
    groups,
)

if TYPE_CHECKING:
    from tlx.simulator.machine.agent import Agent

Array = np.ndarray[Any, Any]

_OF_ELEMENTS = ("arith.", "math.", "tt.addptr", "tt.splat")
"""Operations in which each thread works on the elements that it holds."""


def check_own(agent: Agent, op: Op | None, values: Sequence[Any]) -> None:
    """Checks that values differ between the threads of this task, if they do."""
    for value in values:
        if op is not None and type(value) is PerThread and value.is_foreign:
            raise DivergentValue.foreign(agent.label, op)


def assign(agent: Agent, place: int, parts: Sequence[tuple[Array, Any]]) -> None:
    """Puts a value into the frame; other threads keep what they have there.

    Args:
        agent: Whose frame it is.
        place: Place in the frame.
        parts: Threads, as flags, and their value.
    """
    values = agent.frame.values
    old = values[place]
    if type(old) is PerThread and old.is_foreign:
        old = None
    everybody = np.ones(agent.threads, np.bool_)
    values[place] = from_parts([(everybody, old), *parts], agent.threads)


def _assign_all(
    agent: Agent, places: Sequence[int], parts: Sequence[tuple[Array, Sequence[Any]]]
) -> None:
    for number, place in enumerate(places):
        assign(agent, place, [(flags, made[number]) for flags, made in parts])


def compute(agent: Agent, instruction: Compute, active: Array | None) -> None:
    """Works on the frame for some threads, or for all if None.

    Raises:
        DivergentValue: Values that differ by thread meet in a tensor.
    """
    values, op = agent.frame.values, instruction.op
    operands = [values[place] for place in instruction.reads]
    check_own(agent, op, operands)
    on_tensors = op is not None and op.name in PURE and op.is_elementwise_on_arrays
    if active is None:
        if not on_tensors:
            _compute_all(agent, instruction, operands)
            return
        active = np.ones(agent.threads, np.bool_)
    found = groups(operands, active)
    if len(found) > 1 and on_tensors and active.all():
        assert op is not None
        types = op.operand_types
        operands = [settled(x, type) for x, type in zip(operands, types, strict=True)]
        found = groups(operands, active)
    parts = []
    for flags, mine in found:
        frame: Any = dict(zip(instruction.reads, mine, strict=True))
        instruction.step(frame)
        parts.append((flags, [frame[place] for place in instruction.writes]))
    if len(found) > 1 and on_tensors:
        assert op is not None
        parts = [(active, _tensors(op, parts, active))]
    _assign_all(agent, instruction.writes, parts)


def _compute_all(agent: Agent, instruction: Compute, operands: list[Any]) -> None:
    """Works on the frame for all threads.

    Loops come back with the same operands, such as the numbers of threads, so what was
    made last is kept.
    """
    values, known = agent.frame.values, instruction.made
    if known is not None and all(map(_is_same, known[0], operands)):
        for place, made in zip(instruction.writes, known[1], strict=True):
            values[place] = made
        return
    group, rows = classes(operands, np.ones(agent.threads, np.bool_))
    columns: list[list[Any]] = [[] for _ in instruction.writes]
    for row in rows:
        frame: Any = dict(zip(instruction.reads, row, strict=True))
        instruction.step(frame)
        for column, place in zip(columns, instruction.writes, strict=True):
            column.append(frame[place])
    results = [from_groups(group, column) for column in columns]
    for place, made in zip(instruction.writes, results, strict=True):
        values[place] = made
    if all(type(value) in (int, PerThread) for value in operands):
        instruction.made = (operands, results)


def _is_same(a: Any, b: Any) -> bool:
    return a is b or (type(a) is type(b) is int and a == b)


def _tensors(
    op: Op, parts: Sequence[tuple[Array, Sequence[Any]]], active: Array
) -> list[Array]:
    """Returns tensors that threads have made of what differs, if they can be told.

    Raises:
        DivergentValue: Only the compiler knows which thread holds an element, or
            elements get values of several threads.
    """
    results = []
    for number, type in enumerate(op.result_types):
        columns = [(flags, made[number]) for flags, made in parts]
        whole = None
        if active.all() and op.name.startswith(_OF_ELEMENTS):
            whole = put_together(columns, type)
        if whole is None:
            raise DivergentValue.in_tensor(op)
        results.append(whole)
    return results


def step(agent: Agent, instruction: Compute) -> None:
    """Works on the frame for the threads that are active."""
    if agent.active is None:
        try:
            instruction.step(agent.frame.values)
            return
        except DiffersByThread:
            pass
    compute(agent, instruction, agent.active)


def differ(agent: Agent, instruction: Effect, active: Array) -> bool:
    """Tells whether threads come with different operands."""
    values = agent.frame.values
    operands = [values[place] for place in instruction.operands]
    check_own(agent, instruction.op, operands)
    return any(type(among(value, active)) is PerThread for value in operands)


def perform(agent: Agent, instruction: Effect, active: Array | None) -> Any:
    """Does an effect for some threads, or for all if None.

    Args:
        agent: Whose threads they are.
        instruction: The effect; it does not take all threads if some have not come.
        active: The threads that have come, as flags.

    Returns:
        `BLOCKED` if it cannot happen yet; else None, and the results are in the frame.

    Raises:
        DivergentValue: An operand differs by thread, and must not.
    """
    values, op = agent.frame.values, instruction.op
    assert op is not None
    operands = [values[place] for place in instruction.operands]
    check_own(agent, op, operands)
    if active is None:
        active = np.ones(agent.threads, np.bool_)
    operands = [among(value, active) for value in operands]
    threads = instruction.threads
    if threads is Threads.TASK:
        types = op.operand_types
        operands = [settled(x, type) for x, type in zip(operands, types, strict=True)]
        for number, value in enumerate(operands):
            if type(value) is PerThread:
                raise DivergentValue.operand(agent.label, op, number)
    if threads is Threads.EACH:
        split = groups(operands, active)
    elif threads in (Threads.FIRST, Threads.LEADER):
        first = np.arange(agent.threads) == 0
        split = groups(operands, first) if active[0] else []
    else:
        split = [(active, tuple(operands))]
    parts = []
    for flags, mine in split:
        made = _do(agent, instruction, flags, mine)
        if made is BLOCKED:
            return BLOCKED
        results = (made,) if len(instruction.results) == 1 else made or ()
        # All threads learn what the first one has got.
        everywhere = active if threads is Threads.LEADER else flags
        parts.append((everywhere, results))
    _assign_all(agent, instruction.results, parts)
    return None


def _do(
    agent: Agent, instruction: Effect, flags: Array, operands: Sequence[Any]
) -> Any:
    agent.active = flags
    try:
        return instruction.meaning(agent, *operands)
    finally:
        agent.active = None
