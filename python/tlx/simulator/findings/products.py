# SPDX-License-Identifier: MIT
"""Findings about matrix products."""

from __future__ import annotations

from tlx.errors import TLXError
from tlx.simulator.findings.base import SimulationError
from tlx.simulator.ir.program import Op


class AccumulatorRead(SimulationError):
    """An accumulator that is read while its product may still run."""

    @classmethod
    def at(cls, product: Op, reader: Op) -> TLXError:
        """A read of the result of a product."""
        error = cls(
            "the result of a matrix product is read before a wait for it",
            location=reader.loc,
        )
        error.add_note("the product; tlx.async_dot_wait must come between", product.loc)
        return error
