# SPDX-License-Identifier: MIT
"""Functions that an agent is running."""

from __future__ import annotations

from typing import Any

from tlx.simulator.code.instructions import Code
from tlx.simulator.ir.program import Op

Path = tuple[Op | None, ...]


class Frame:
    """A running function.

    Attributes:
        path: The calls that lead to it, outermost first.
    """

    __slots__ = ("code", "instructions", "path", "place", "results", "values")

    def __init__(
        self, code: Code, values: list[Any], place: int = 0, path: Path = ()
    ) -> None:
        self.code = code
        self.instructions = code.instructions
        self.values = values
        self.place = place
        self.path = path
        self.results: tuple[int, ...] = ()
