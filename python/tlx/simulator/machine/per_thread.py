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


class _Numbering:
    """Numbers different values."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}
        self._values: list[Any] = []

    def number(self, value: Any) -> int:
        place = self._numbers.setdefault(_key(value), len(self._values))
        if place == len(self._values):
            self._values.append(value)
        return place

    def table(self, values: Sequence[Any]) -> Array:
        return np.array([self.number(value) for value in values], np.int64)

    def value(self, which: Array) -> Any:
        """Returns the value of which each thread has a number."""
        if (which < 0).any():
            which = np.where(which < 0, self.number(None), which)
        if (which == which[0]).all():
            return self._values[which[0]]
        used = np.bincount(which, minlength=len(self._values)) > 0
        if used.all():
            return PerThread(tuple(self._values), which)
        kept = np.flatnonzero(used).tolist()
        return PerThread(
            tuple(self._values[place] for place in kept), (np.cumsum(used) - 1)[which]
        )


def from_parts(parts: Sequence[tuple[Array, Any]], threads: int) -> Any:
    """Puts a value together; it is plain if all threads have the same.

    Args:
        parts: Threads, as flags, and their value, plain or by thread. Of two parts with
            the same thread the later counts; a thread without one has None.
        threads: Threads of the task.
    """
    numbering = _Numbering()
    which = np.full(threads, -1, np.int64)
    for flags, value in parts:
        if type(value) is PerThread:
            which[flags] = numbering.table(value.choices)[value.which[flags]]
        else:
            which[flags] = numbering.number(value)
    return numbering.value(which)


def from_groups(group: Array, values: Sequence[Any]) -> Any:
    """Returns the plain values of groups, of which each thread has a number."""
    numbering = _Numbering()
    return numbering.value(numbering.table(values)[group])


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


def classes(values: Sequence[Any], active: Array) -> tuple[Array, list[list[Any]]]:
    """Splits threads such that each group has the same values.

    Args:
        values: Plain ones or by thread, of this task.
        active: The threads to split, as flags.

    Returns:
        The number of the group of each of them, in order, and the values of each group.
    """
    seen = [among(value, active) for value in values]
    differing = [place for place, v in enumerate(seen) if type(v) is PerThread]
    if len(differing) == 1 and active.all():
        (place,) = differing
        value = seen[place]
        rows = [[*seen[:place], x, *seen[place + 1 :]] for x in value.choices]
        return value.which, rows
    code = np.zeros(int(active.sum()), np.int64)
    for place in differing:
        which = seen[place].which[active]
        # Numbered anew, so that the product stays small.
        code = code * len(seen[place].choices) + which
        _, code = np.unique(code, return_inverse=True)
    first = np.unique(code, return_index=True)[1].tolist()
    threads = np.flatnonzero(active)[first].tolist()
    rows = []
    for thread in threads:
        row = list(seen)
        for place in differing:
            row[place] = seen[place].of(thread)
        rows.append(row)
    return code, rows


def groups(values: Sequence[Any], active: Array) -> list[tuple[Array, tuple[Any, ...]]]:
    """Does the same; returns for each group its threads, as flags, and its values."""
    code, rows = classes(values, active)
    if len(rows) == 1:
        return [(active, tuple(rows[0]))]
    threads = np.flatnonzero(active)
    found = []
    for number, row in enumerate(rows):
        flags = np.zeros(active.size, np.bool_)
        flags[threads] = code == number
        found.append((flags, tuple(row)))
    return found
