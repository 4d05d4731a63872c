# SPDX-License-Identifier: MIT
"""What the operations of both levels share: reads and writes of buffers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tlx.simulator.findings.memory import OutOfRange
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.memory import View
from tlx.simulator.machine.races import Region

Array = np.ndarray[Any, Any]


def read(agent: Agent, op: Op, view: View) -> Array:
    """Reads a buffer through the generic proxy."""
    agent.touch(Region.of_view(view), op, is_write=False)
    return view.array().copy()


def write(agent: Agent, op: Op, view: View, value: Array) -> None:
    """Writes a buffer through the generic proxy."""
    agent.touch(Region.of_view(view), op, is_write=True)
    view.array()[...] = value


def checked_index(op: Op, label: str, index: int, num: int) -> int:
    """Returns the index of a slot.

    Raises:
        OutOfRange: There is no such slot.
    """
    if not 0 <= index < num:
        raise OutOfRange(f"slot {index} of '{label}', which has {num}", location=op.loc)
    return index


def name_of(op: Op, fallback: str) -> str:
    """Returns the user's name of a result."""
    if op.name_hint:
        return op.name_hint
    return fallback if op.loc is None else f"{fallback} of line {op.loc.line}"
