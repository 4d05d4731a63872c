# SPDX-License-Identifier: MIT
"""What all findings of the simulator have in common."""

from __future__ import annotations

from tlx.errors import TLXError


class SimulationError(TLXError):
    """A fault of a kernel that its simulation has shown.

    The message is one line; notes below it name the other places of the user's source
    that take part.
    """
