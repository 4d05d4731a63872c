# SPDX-License-Identifier: MIT
"""Instructions of a linearised function.

Control flow is flattened to jumps, so that the state of an agent is a place in the code
and a list of values, and it can stop anywhere.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from tlx.simulator.code.registry import Threads
from tlx.simulator.ir.program import Op

Step = Callable[[list[Any]], None]


@dataclasses.dataclass(slots=True, eq=False)
class Instruction:
    """Base of all instructions.

    Attributes:
        op: The operation it comes from.
        cost: Cycles it takes.
    """

    op: Op | None = None
    cost: int = 0


@dataclasses.dataclass(slots=True, eq=False)
class Compute(Instruction):
    """Works on the frame only.

    Attributes:
        step: What it does; if it raises, nothing has happened.
        reads: Places in the frame that it reads.
        writes: Places that it writes.
        together: Threads exchange what they hold.
        made: What it has read and written last, where threads differ.
    """

    step: Step = lambda values: None
    reads: tuple[int, ...] = ()
    writes: tuple[int, ...] = ()
    together: bool = False
    made: tuple[list[Any], list[Any]] | None = None


@dataclasses.dataclass(slots=True, eq=False)
class Effect(Instruction):
    """Touches something that others see.

    Attributes:
        meaning: Function of the agent and the operand values.
        operands: Places of the operands in the frame.
        results: Places of the results.
        is_visible: The schedule chooses when it happens.
        threads: Which threads of the task do it.
    """

    meaning: Callable[..., Any] = lambda agent: None
    operands: tuple[int, ...] = ()
    results: tuple[int, ...] = ()
    is_visible: bool = True
    threads: Threads = Threads.TASK


@dataclasses.dataclass(slots=True, eq=False)
class Jump(Instruction):
    """Goes on elsewhere."""

    target: int = -1


@dataclasses.dataclass(slots=True, eq=False)
class JumpUnless(Instruction):
    """Jumps if a value is false."""

    condition: int = -1
    target: int = -1


@dataclasses.dataclass(slots=True, eq=False)
class Call(Instruction):
    """Runs another function."""

    callee: str = ""
    operands: tuple[int, ...] = ()
    results: tuple[int, ...] = ()


@dataclasses.dataclass(slots=True, eq=False)
class Return(Instruction):
    """Ends a function."""

    operands: tuple[int, ...] = ()


@dataclasses.dataclass(slots=True, eq=False)
class TaskStart:
    """A task that runs beside the default one.

    Attributes:
        entry: Place of its first instruction.
        num_warps: Warps of it.
        label: How findings call it.
        captures: (place in the frame, place of the value it gets).
    """

    entry: int
    num_warps: int
    label: str
    captures: tuple[tuple[int, int], ...] = ()


@dataclasses.dataclass(slots=True, eq=False)
class Fork(Instruction):
    """Starts tasks; the agent goes on as the default task."""

    tasks: tuple[TaskStart, ...] = ()


@dataclasses.dataclass(slots=True, eq=False)
class Join(Instruction):
    """Waits until the tasks of the last fork are over."""


@dataclasses.dataclass(slots=True, eq=False)
class EndTask(Instruction):
    """Ends a task."""


@dataclasses.dataclass(slots=True, eq=False)
class Code:
    """A function.

    Attributes:
        params: Places of the parameters in the frame.
        size: Places of a frame.
        postdominators: Where the ways from each instruction meet, once somebody has
            asked (`tlx.simulator.code.reconvergence`).
    """

    name: str
    instructions: list[Instruction]
    params: tuple[int, ...]
    size: int
    postdominators: list[int] | None = None
