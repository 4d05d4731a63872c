# SPDX-License-Identifier: MIT
"""What all findings of the simulator have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tlx.errors import TLXError

if TYPE_CHECKING:
    from tlx.simulator.timeline.model import Timeline


def times(count: int) -> str:
    """Says how often."""
    return "once" if count == 1 else f"{count} times"


class SimulationError(TLXError):
    """A fault of a kernel that its simulation has shown.

    The message is one line; notes below it name the other places of the user's source
    that take part.

    Attributes:
        timeline: What had happened until then, if it was recorded.
    """

    timeline: Timeline | None = None
