# SPDX-License-Identifier: MIT
"""Findings about memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tlx.errors import TLXError
from tlx.simulator.findings.base import SimulationError
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.access import Access

if TYPE_CHECKING:
    from tlx.simulator.machine.memory import View


def _unseen(copy: Access, reader: str) -> str:
    """Says why the completion of an access by an engine is not known."""
    text = "nobody has waited for its completion"
    if copy.observers:
        text = f"{reader} has not waited for its completion"
    barrier = copy.barrier
    if barrier is None:
        return text
    if copy.is_late():
        return (
            f"phase {copy.phase} of '{barrier.label}' ended before its bytes came: "
            "fewer bytes were expected than the copies bring"
        )
    missing = barrier.missing() or "nothing"
    return (
        f"{text} on '{barrier.label}' (phase {barrier.phase} runs; missing: {missing})"
    )


class RaceError(SimulationError):
    """Two accesses to the same bytes, at least one a write, that nothing orders."""

    @classmethod
    def between(
        cls, earlier: Access, access: Access, buffer: str, offset: int
    ) -> TLXError:
        """Two accesses without an order."""
        first, second = earlier.who_beside(access), access.who_beside(earlier)
        error = cls(
            f"race on '{buffer}': {access.kind()} by {second} is not ordered after "
            f"the {earlier.kind()} by {first}",
            location=access.op.loc,
        )
        error.add_note(f"the {earlier.kind()} by {first}", earlier.op.loc)
        if earlier.atomic is not None and access.atomic is not None:
            reason = "an atomic with the scope of its CTA orders nothing in other CTAs"
        elif earlier.observers is None:
            reason = (
                f"no arrive, barrier, join or atomic between them tells {second} that "
                f"{first} is past this line"
            )
        else:
            reason = _unseen(earlier, second)
        error.add_note(f"{reason}; first common byte of '{buffer}': {offset}")
        return error


class DuplicateWrite(RaceError):
    """Writes of the same value to the same bytes that nothing orders."""

    severity = "warning"
    once_a_line = True

    @classmethod
    def between(  # type: ignore[override]
        cls, earlier: Access, access: Access, buffer: str
    ) -> TLXError:
        """Two writes without an order that leave the same."""
        first, second = earlier.who_beside(access), access.who_beside(earlier)
        warning = cls(
            f"{second} writes to '{buffer}' what {first} writes, and nothing orders "
            "the two",
            location=access.op.loc,
        )
        warning.add_note(f"the write by {first}", earlier.op.loc)
        return warning


class MissingFence(RaceError):
    """A generic write that the async proxy may not see."""

    @classmethod
    def between(  # type: ignore[override]
        cls, earlier: Access, access: Access, buffer: str
    ) -> TLXError:
        """A write without a fence behind it."""
        verb = "writes" if access.is_write else "reads"
        error = cls(
            f"missing proxy fence on '{buffer}': {access.who} {verb} it with the async "
            f"proxy (TMA, bulk copies, wgmma), and {earlier.who} wrote it with "
            "ordinary stores",
            location=access.op.loc,
        )
        until = "before the barrier that hands it over"
        if earlier.agent == access.agent:
            until = "before the bulk copy, where the compiler inserts none"
        error.add_note(
            f"put tlx.fence('async_shared') after this write and {until}",
            earlier.op.loc,
        )
        return error

    @classmethod
    def of_descriptor(cls, write: Access, use: Access, name: str) -> TLXError:
        """A descriptor that is used without a fence behind its write."""
        user, writer = use.who_beside(write), write.who_beside(use)
        error = cls(
            f"missing proxy fence on '{name}': {user} copies with the descriptor "
            f"there, and since {writer} wrote it no fence has made it visible to TMA",
            location=use.op.loc,
        )
        error.add_note(
            "put tlx.reinterpret_tensor_descriptor behind the barrier or the atomic "
            "that hands over what this wrote",
            write.op.loc,
        )
        return error


class UninitialisedRead(SimulationError):
    """A read of bytes that nobody has written."""

    @classmethod
    def at(cls, access: Access, buffer: str, offset: int) -> TLXError:
        """A read from a byte on."""
        return cls(
            f"{access.who} reads '{buffer}' from byte {offset} on, which nobody has "
            f"written",
            location=access.op.loc,
        )


class OutOfRange(SimulationError):
    """An index or an address outside of what it indexes."""


class Misaligned(SimulationError):
    """An address that is no multiple of what the access needs."""

    @classmethod
    def of_view(cls, view: View, use: str, unit: int, op: Op) -> TLXError:
        """A buffer that does not begin where an engine needs it to."""
        memory = view.memory
        place = f"byte {view.offset} of '{memory.name}'"
        if memory.alignment % unit:
            place += f", which may begin at any multiple of {memory.alignment}"
        return cls(
            f"expects '{view.label}', {use}, to begin at a multiple of {unit} bytes in "
            f"shared memory, but got {place}",
            location=op.loc,
        )
