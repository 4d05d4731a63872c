# SPDX-License-Identifier: MIT
"""Findings about what a multiprocessor does not have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tlx.errors import ResourceError, TLXError
from tlx.simulator.findings.base import SimulationError
from tlx.simulator.ir.program import Op

if TYPE_CHECKING:
    from tlx.simulator.machine.memory import Memory


class SharedMemoryExceeded(SimulationError, ResourceError):
    """A kernel that allocates more shared memory than a CTA can have."""

    @classmethod
    def alone(cls, name: str, op: Op, size: int, limit: int) -> TLXError:
        """Says that one allocation is too large."""
        return cls(
            f"'{name}' takes {size} bytes of shared memory, and a CTA can have {limit}",
            location=op.loc,
        )

    @classmethod
    def by(
        cls, memories: Sequence[tuple[Memory, Op]], size: int, limit: int
    ) -> TLXError:
        """Says who takes how much."""
        error = cls(
            f"the kernel takes {size} bytes of shared memory, and a CTA can have "
            f"{limit}",
            location=memories[-1][1].loc,
        )
        for memory, op in memories:
            error.add_note(f"'{memory.name}' takes {memory.data.size} bytes", op.loc)
        return error
