# SPDX-License-Identifier: MIT
"""What each operation does, by name.

Two kinds:

* A **pure** operation maps values to values. Its entry takes the operation and returns
  the function of the operand values, so that all decisions on types and attributes are
  made once, before the program runs.
* An **effect** touches memory, barriers or the outside. Its entry takes the operation
  and returns a function of the agent that executes it and the operand values. It may
  return `BLOCKED` (after noting on the agent what it waits for): then nothing has
  happened, and it is tried again later.

A function returns None for no result, the value for one, a tuple for more.

Values at run time:

| type | value |
|---|---|
| integer, index | Python's int, signed; i1 is 0 or 1 (or a bool) |
| float | NumPy's scalar of the type |
| pointer | Python's int, an address |
| tensor | NumPy's array, never changed in place; pointers are int64 addresses |
| any, if it differs between the threads of the task | `PerThread` |
| descriptor, buffer, barrier | the classes of `tlx.simulator.machine` |
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from tlx.errors import UnsupportedError
from tlx.simulator.ir.program import Op

Meaning = Callable[..., Any]
Entry = Callable[[Op], Meaning]

PURE: dict[str, Entry] = {}
EFFECTS: dict[str, Entry] = {}
INVISIBLE: set[str] = set()
"""Effects that the schedule need not place: nobody sees when they happen."""


TOGETHER: set[str] = set()
"""Pure operations in which threads exchange what they hold."""

SOMETIMES: dict[str, Callable[[Op], bool]] = {}
"""Tells of operations that are pure or not which are effects."""


class Threads(enum.Enum):
    """Which threads of a task do an effect, and with which operands.

    Where threads have gone different ways, only those count that have come here. A
    meaning finds them in `Agent.active`.
    """

    TASK = enum.auto()
    """All of the task together, with the same operands."""

    LEADER = enum.auto()
    """All of the task together, with the operands of its first thread."""

    FIRST = enum.auto()
    """The first one of the task, with its operands; nobody if it has not come."""

    EACH = enum.auto()
    """Each by itself, with its operands; those with the same are done at once."""

    WARPS = enum.auto()
    """Whole warps, with the same operands; others with the same come separately."""

    LANES = enum.auto()
    """The meaning tells them apart: operands may be `PerThread`."""


Chooser = Callable[[Op, bool], Threads]
"""Tells which threads do an effect, of which somebody uses a result or not."""

THREADS: dict[str, Threads | Chooser] = {}
"""For each effect."""


class Role(enum.StrEnum):
    """What an operation does with a barrier that it takes, in the words of findings."""

    ARRIVES = "arrives"
    SENDS = "sends bytes"
    MEETS = "comes to it"


ROLES: dict[str, Role | Callable[[Op], Role | None]] = {}
"""Roles of the effects that may help to complete a barrier."""


def role_of(op: Op) -> Role | None:
    """Returns what an operation does for a barrier; None if nothing."""
    role = ROLES.get(op.name)
    return role(op) if callable(role) else role


class Blocked:
    """Says that an effect cannot happen yet."""

    def __repr__(self) -> str:
        return "BLOCKED"


BLOCKED = Blocked()


def _check_new(name: str, *tables: dict[str, Any]) -> None:
    if any(name in table for table in tables):
        raise ValueError(f"'{name}' is registered twice")


def pure(*names: str, together: bool = False) -> Callable[[Entry], Entry]:
    """Registers what pure operations do.

    Args:
        names: The operations.
        together: Threads exchange what they hold, so all of a task have to be there.

    Example:
        >>> @pure("arith.negf")
        ... def negf(op):
        ...     return lambda x: -x
    """

    def register(entry: Entry) -> Entry:
        for name in names:
            _check_new(name, PURE)
            PURE[name] = entry
            if together:
                TOGETHER.add(name)
        return entry

    return register


def effect(
    *names: str,
    visible: bool = True,
    threads: Threads | Chooser = Threads.TASK,
    when: Callable[[Op], bool] | None = None,
    role: Role | Callable[[Op], Role | None] | None = None,
) -> Callable[[Entry], Entry]:
    """Registers what operations with effects do.

    Args:
        names: The operations.
        visible: Others can see when it happens, so the schedule chooses.
        threads: Which threads do it.
        when: Tells which of these operations have effects; others are pure.
        role: What it does for a barrier, or a function that says so.
    """

    def register(entry: Entry) -> Entry:
        for name in names:
            _check_new(name, EFFECTS)
            EFFECTS[name] = entry
            if when is not None:
                SOMETIMES[name] = when
            THREADS[name] = threads
            if not visible:
                INVISIBLE.add(name)
            if role is not None:
                ROLES[name] = role
        return entry

    return register


def is_pure(op: Op) -> bool:
    """Tells whether an operation only maps values to values."""
    has_effect = SOMETIMES.get(op.name)
    return op.name in PURE and (has_effect is None or not has_effect(op))


def of_scalars(threads: Threads) -> Chooser:
    """Returns which threads do an effect on scalars; one on tensors takes all."""

    def of(op: Op, is_used: bool) -> Threads:
        return Threads.TASK if op.is_elementwise_on_arrays else threads

    return of


def threads_of(op: Op, is_used: bool) -> Threads:
    """Returns which threads do an effect.

    Args:
        op: The effect.
        is_used: Somebody uses a result of it.
    """
    threads = THREADS[op.name]
    return threads if isinstance(threads, Threads) else threads(op, is_used)


def unsupported(op: Op) -> UnsupportedError:
    """Returns the error for an operation without a meaning here."""
    return UnsupportedError(f"the simulator cannot run '{op.name}'", location=op.loc)
