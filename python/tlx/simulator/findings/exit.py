# SPDX-License-Identifier: MIT
"""Findings about what is still going on when a task ends."""

from __future__ import annotations

from tlx.errors import TLXError
from tlx.simulator.findings.base import SimulationError
from tlx.simulator.ir.program import Op


class ExitInFlight(SimulationError):
    """A task that ends before an engine is through with its shared memory.

    Shared memory is given to another CTA when this one ends (PTX ISA, `cp.async.bulk`:
    the source must stay valid until the copy has read it).
    """

    @classmethod
    def of(cls, who: str, op: Op) -> TLXError:
        """A copy that nobody has waited for."""
        return cls(
            f"{who} ends without waiting for this copy",
            location=op.loc,
        )
