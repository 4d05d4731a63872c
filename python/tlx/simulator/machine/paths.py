# SPDX-License-Identifier: MIT
"""Where the threads of a task are that have gone different ways."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from tlx.simulator.ir.program import Op
from tlx.simulator.machine.frame import Frame
from tlx.simulator.machine.per_thread import WARP_SIZE

Array = np.ndarray[Any, Any]
Calls = tuple[tuple[Frame, int], ...]


@dataclasses.dataclass(slots=True, eq=False)
class Meeting:
    """A place where paths come together.

    Attributes:
        frame: The function.
        place: The place; behind the last instruction for the end of the function.
        calls: The functions around it, and where each goes on.
        expected: Threads that come.
        arrived: Threads that have come.
        branch: Where their ways parted.
        after: The meeting that they go on to.
        returned: What they return, if it is the end of the function.
        is_loose: Threads on the way here would have been together.
    """

    frame: Frame
    place: int
    calls: Calls
    expected: Array
    arrived: Array
    branch: Op | None
    after: Meeting | None
    returned: list[tuple[Array, list[Any]]] = dataclasses.field(default_factory=list)
    is_loose: bool = False

    @property
    def is_end(self) -> bool:
        """Tells whether it is the end of the function."""
        return self.place == len(self.frame.instructions)

    def whole_warps(self) -> Array:
        """Returns the threads that have come with all others of their warp."""
        complete = (self.arrived == self.expected).reshape(-1, WARP_SIZE).all(1)
        return self.arrived & np.repeat(complete, WARP_SIZE)


@dataclasses.dataclass(slots=True, eq=False)
class Path:
    """Threads at the same place.

    Attributes:
        frame: The function they are in.
        place: Their next instruction.
        calls: The functions around it, and where each goes on.
        active: The threads, as flags.
        meeting: Where they wait for others; None if these are all threads.
        state: What the operation that they are at remembers across attempts.
        is_blocked: They wait, and nothing has changed since.
        wants_all: They wait at an operation of the whole task.
    """

    frame: Frame
    place: int
    calls: Calls
    active: Array
    meeting: Meeting | None = None
    state: Any = None
    is_blocked: bool = False
    wants_all: bool = False

    def at(self, place: int, active: Array, meeting: Meeting | None) -> Path:
        """Returns a path of some of its threads elsewhere in the function."""
        return Path(self.frame, place, self.calls, active, meeting)
