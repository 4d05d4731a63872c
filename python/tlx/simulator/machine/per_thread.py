# SPDX-License-Identifier: MIT
"""Values that differ between the threads of a task.

Almost all scalars are the same in all threads, and operations know such ones only. A
value that differs raises `DiffersByThread` wherever it is used like a number; whoever
runs the operation then takes it apart (`tlx.simulator.machine.by_thread`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

Array = np.ndarray[Any, Any]

WARP_SIZE = 32


class DiffersByThread(Exception):
    """A value that differs by thread was used where one number is needed."""


def _raise(*_: object, **__: object) -> NoReturn:
    raise DiffersByThread


class PerThread:
    """A value for each thread of a task.

    Attributes:
        choices: The values that occur, each once.
        which: For each thread the place of its value in `choices`; empty if the threads
            are those of another task.
    """

    __slots__ = ("choices", "which")

    def __init__(self, choices: tuple[Any, ...], which: Array) -> None:
        self.choices = choices
        self.which = which

    def __repr__(self) -> str:
        return f"PerThread({[self.choices[i] for i in self.which.tolist()]})"

    @property
    def is_foreign(self) -> bool:
        """Tells whether the threads are those of another task."""
        return self.which.size == 0

    def of(self, thread: int) -> Any:
        """Returns the value of one thread."""
        return self.choices[self.which[thread]]

    __hash__ = object.__hash__
    __array__ = __array_ufunc__ = __bool__ = __float__ = __index__ = __int__ = _raise
    __eq__ = __ge__ = __gt__ = __le__ = __lt__ = __ne__ = _raise  # type: ignore[assignment]
    __abs__ = __invert__ = __neg__ = __pos__ = _raise
    __add__ = __and__ = __floordiv__ = __lshift__ = __mod__ = __mul__ = _raise
    __or__ = __pow__ = __rshift__ = __sub__ = __truediv__ = __xor__ = _raise
    __radd__ = __rand__ = __rfloordiv__ = __rlshift__ = __rmod__ = __rmul__ = _raise
    __ror__ = __rpow__ = __rrshift__ = __rsub__ = __rtruediv__ = __rxor__ = _raise
    __getattr__ = _raise


FOREIGN = PerThread((), np.zeros(0, np.int64))
"""What a task sees of a value that differs between the threads of the one around it."""


def _key(value: Any) -> Any:
    """Returns what is equal for equal values."""
    if isinstance(value, int):
        return int, int(value)
    if isinstance(value, np.generic):
        return value.dtype, value.tobytes()
    return id(value)


def from_parts(parts: Sequence[tuple[Array, Any]], threads: int) -> Any:
    """Puts a value together; it is plain if all threads have the same.

    Args:
        parts: Threads, as flags, and their value, plain or by thread. Of two parts with
            the same thread the later counts; a thread without one has None.
        threads: Threads of the task.
    """
    numbers: dict[Any, int] = {}
    choices: list[Any] = []

    def number(value: Any) -> int:
        place = numbers.setdefault(_key(value), len(choices))
        if place == len(choices):
            choices.append(value)
        return place

    which = np.full(threads, -1, np.int64)
    for flags, value in parts:
        if type(value) is PerThread:
            table = np.array([number(choice) for choice in value.choices], np.int64)
            which[flags] = table[value.which[flags]]
        else:
            which[flags] = number(value)
    if (which < 0).any():
        which[which < 0] = number(None)
    used, which = np.unique(which, return_inverse=True)
    kept = tuple(choices[place] for place in used.tolist())
    return kept[0] if len(kept) == 1 else PerThread(kept, which)


def from_threads(values: Sequence[Any]) -> Any:
    """Returns the value that has one element for each thread."""
    threads = np.arange(len(values))
    parts = [(threads == thread, value) for thread, value in enumerate(values)]
    return from_parts(parts, len(values))


def among(value: Any, active: Array) -> Any:
    """Returns a value as some threads see it: plain if they have the same."""
    if type(value) is not PerThread or value.is_foreign:
        return value
    which = value.which[active]
    return value.choices[which[0]] if (which == which[0]).all() else value


def groups(values: Sequence[Any], active: Array) -> list[tuple[Array, tuple[Any, ...]]]:
    """Splits threads such that each group has the same values.

    Args:
        values: Plain ones or by thread, of this task.
        active: The threads to split, as flags.

    Returns:
        For each group its threads, as flags, and its values.
    """
    seen = [among(value, active) for value in values]
    differing = [place for place, v in enumerate(seen) if type(v) is PerThread]
    if not differing:
        return [(active, tuple(seen))]
    table = np.stack([seen[place].which for place in differing])
    columns, group = np.unique(table[:, active], axis=1, return_inverse=True)
    group = group.reshape(-1)
    threads = np.flatnonzero(active)
    found = []
    for number, column in enumerate(columns.T.tolist()):
        mine = list(seen)
        for place, choice in zip(differing, column, strict=True):
            mine[place] = seen[place].choices[choice]
        flags = np.zeros(active.size, np.bool_)
        flags[threads[group == number]] = True
        found.append((flags, tuple(mine)))
    return found
