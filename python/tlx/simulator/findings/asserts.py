# SPDX-License-Identifier: MIT
"""Findings that a kernel states itself."""

from __future__ import annotations

from tlx.simulator.findings.base import SimulationError


class AssertionFailed(SimulationError):
    """A `tl.device_assert` or `tl.assume` whose condition is false."""
