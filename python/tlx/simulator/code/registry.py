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


def _check_new(name: str) -> None:
    if name in PURE or name in EFFECTS:
        raise ValueError(f"'{name}' is registered twice")


def pure(*names: str) -> Callable[[Entry], Entry]:
    """Registers what pure operations do.

    Example:
        >>> @pure("arith.negf")
        ... def negf(op):
        ...     return lambda x: -x
    """

    def register(entry: Entry) -> Entry:
        for name in names:
            _check_new(name)
            PURE[name] = entry
        return entry

    return register


def effect(
    *names: str,
    visible: bool = True,
    role: Role | Callable[[Op], Role | None] | None = None,
) -> Callable[[Entry], Entry]:
    """Registers what operations with effects do.

    Args:
        names: The operations.
        visible: Others can see when it happens, so the schedule chooses.
        role: What it does for a barrier, or a function that says so.
    """

    def register(entry: Entry) -> Entry:
        for name in names:
            _check_new(name)
            EFFECTS[name] = entry
            if not visible:
                INVISIBLE.add(name)
            if role is not None:
                ROLES[name] = role
        return entry

    return register


def unsupported(op: Op) -> UnsupportedError:
    """Returns the error for an operation without a meaning here."""
    return UnsupportedError(f"the simulator cannot run '{op.name}'", location=op.loc)
