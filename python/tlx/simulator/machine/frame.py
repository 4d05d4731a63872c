# SPDX-License-Identifier: MIT
"""Functions that an agent is running."""

from __future__ import annotations

from typing import Any

from tlx.simulator.code.instructions import Code


class Frame:
    """A running function."""

    __slots__ = ("code", "instructions", "place", "results", "values")

    def __init__(self, code: Code, values: list[Any], place: int = 0) -> None:
        self.code = code
        self.instructions = code.instructions
        self.values = values
        self.place = place
        self.results: tuple[int, ...] = ()
