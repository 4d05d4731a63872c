# SPDX-License-Identifier: MIT
"""What all findings of the simulator have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tlx.errors import TLXError

if TYPE_CHECKING:
    from tlx.simulator.execute import Report
    from tlx.simulator.timeline.model import Timeline


def times(count: int) -> str:
    """Says how often."""
    return "once" if count == 1 else f"{count} times"


class SimulationError(TLXError):
    """A fault of a kernel that its simulation has shown.

    The message is one line; notes below it name the other places of the user's source
    that take part.

    Attributes:
        once_a_line: Of several at one line, the first tells all.
        report: The run that it ended, if it has ended one.
        timeline: What had happened until then, if it was recorded.
    """

    once_a_line: ClassVar[bool] = False
    report: Report | None = None
    timeline: Timeline | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # The report holds this error again, and both are large.
        rebuild, (kind, state, args) = super().__reduce__()
        state.pop("report", None)
        state.pop("timeline", None)
        return rebuild, (kind, state, args)


def repeats(finding: TLXError, other: TLXError) -> bool:
    """Tells whether a finding says nothing new after another one."""
    if type(finding) is not type(other) or finding.location != other.location:
        return False
    is_enough = isinstance(finding, SimulationError) and finding.once_a_line
    return is_enough or finding.message == other.message
