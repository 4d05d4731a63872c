# SPDX-License-Identifier: MIT
"""Findings about phases of barriers that nothing keeps apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tlx.errors import TLXError
from tlx.simulator.findings.base import SimulationError
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.access import Access

if TYPE_CHECKING:
    from tlx.simulator.machine.phase import Event


class WrongPhase(SimulationError):
    """An arrival or a wait that can meet another phase than the one that is meant.

    It is judged by the order of events: a schedule on which it happens exists, and need
    not be the one that has been run.
    """

    once_a_line = True

    @classmethod
    def arrival(
        cls,
        label: str,
        what: str,
        who: str,
        op: Op,
        phase: int,
        missing: Event | Access,
    ) -> TLXError:
        """An arrival, or bytes, for a phase that may not have begun."""
        error = cls(
            f"the {what} by {who} for phase {phase} of '{label}' can count for phase "
            f"{phase - 1}: nothing orders it after the end of that phase",
            location=op.loc,
        )
        _add_missing(error, label, phase - 1, missing)
        return error

    @classmethod
    def early_wait(
        cls, label: str, who: str, op: Op, phase: int, missing: Event | Access
    ) -> TLXError:
        """A wait that passes if it comes before the phase before has ended."""
        error = cls(
            f"the wait by {who} for phase {phase} of '{label}' can pass before that "
            f"phase: nothing orders it after the end of phase {phase - 1}, which has "
            "the other parity",
            location=op.loc,
        )
        _add_missing(error, label, phase - 1, missing)
        return error

    @classmethod
    def late_wait(
        cls, label: str, wait: Event, phase: int, arrivals: list[Event]
    ) -> TLXError:
        """A wait that does not pass if it comes when the next phase is over, too."""
        seen = f"phase {phase} of '{label}'" if phase >= 0 else f"the new '{label}'"
        error = cls(
            f"the wait by {wait.who} for {seen} can come too late: nothing orders it "
            f"before the end of phase {phase + 1}, which has the other parity",
            location=wait.op.loc,
        )
        for event in arrivals:
            error.add_note(
                f"the arrival by {event.who} for phase {phase + 1}", event.op.loc
            )
        return error

    @classmethod
    def twice(cls, label: str, who: str, op: Op, last: Event) -> TLXError:
        """A second arrival by one task on a named barrier."""
        error = cls(
            f"{label}: {who} can arrive twice in one phase: nothing orders this "
            "arrival after the end of the phase of its last one",
            location=op.loc,
        )
        error.add_note("its last arrival", last.op.loc)
        return error

    @classmethod
    def mixed(cls, label: str, who: str, op: Op, missing: Event | Access) -> TLXError:
        """Uses of a named barrier by different tasks."""
        error = cls(
            f"{label}: two of its uses can mix: nothing orders this arrival by {who} "
            f"after that of {missing.who}, which the phase before needs",
            location=op.loc,
        )
        error.add_note(f"the arrival of {missing.who}", missing.op.loc)
        return error


def _add_missing(
    error: TLXError, label: str, phase: int, missing: Event | Access
) -> None:
    """Names what a phase needs and nothing orders."""
    what = "copy" if isinstance(missing, Access) else "arrival"
    error.add_note(
        f"the {what} by {missing.who} for phase {phase} of '{label}'",
        missing.op.loc,
    )
