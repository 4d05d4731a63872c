# SPDX-License-Identifier: MIT
"""Findings about results that differ from a reference."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tlx.errors import TLXError
from tlx.simulator.findings.base import SimulationError
from tlx.simulator.machine.global_memory import GlobalMemory

Array = np.ndarray[Any, Any]


class ResultMismatch(SimulationError, AssertionError):
    """A result that differs from what is expected.

    It points at the store that wrote the first wrong element, and says which elements
    that store wrote: the first wrong tile.
    """

    @classmethod
    def of(
        cls, message: str, result: Array, wrong: Array, memories: Iterable[GlobalMemory]
    ) -> TLXError:
        """Describes a difference.

        Args:
            message: What differs, and by how much.
            result: The result.
            wrong: Where it differs.
            memories: Global memory of the launches, in order.
        """
        error = cls(message)
        first = tuple(int(i) for i in np.argwhere(wrong)[0])
        for memory in reversed(list(memories)):
            found = memory.last_write(result, first)
            if found is None:
                continue
            access, tile = found
            error.location = access.op.loc
            where = f" of {access.cta.label}" if access.cta is not None else ""
            error.add_note(
                f"the first wrong tile is {_extent(tile)}, stored by {access.who}"
                f"{where}; {int((wrong & tile).sum())} of its {int(tile.sum())} "
                "elements are wrong"
            )
            return error
        error.add_note("no launch has stored the first wrong element")
        return error


def _extent(tile: Array) -> str:
    """Returns the smallest box around the elements of a tile, as a slice."""
    places = np.argwhere(tile)
    low, high = places.min(0), places.max(0)
    return "[" + ", ".join(f"{a}:{b + 1}" for a, b in zip(low, high, strict=True)) + "]"
