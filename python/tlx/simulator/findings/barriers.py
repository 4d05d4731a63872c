# SPDX-License-Identifier: MIT
"""Findings about barriers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tlx.errors import TLXError
from tlx.simulator.findings.base import SimulationError, times
from tlx.simulator.ir.program import Op

if TYPE_CHECKING:
    from tlx.simulator.machine.mbarrier import MBarrier
    from tlx.simulator.machine.named_barrier import NamedBarrier
    from tlx.simulator.machine.phase import Event


class BarrierOverrun(SimulationError):
    """More arrivals or bytes than a phase of an mbarrier can take."""

    @classmethod
    def arrivals(cls, barrier: MBarrier, who: str, op: Op, count: int) -> TLXError:
        """More arrivals than are pending."""
        error = cls(
            f"overrun of '{barrier.label}': {who} arrives {times(count)}, and phase "
            f"{barrier.phase} waits for {barrier.pending} of {barrier.count}",
            location=op.loc,
        )
        for other, place, came in barrier.came_so_far():
            error.add_note(f"{other} arrived {times(came)} in this phase", place.loc)
        return error

    @classmethod
    def transaction(cls, barrier: MBarrier, who: str, op: Op) -> TLXError:
        """More bytes than a phase can count, expected or come too early."""
        size = barrier.bytes_pending
        what = f"expect {size}" if size > 0 else f"get, before it expects them, {-size}"
        return cls(
            f"overrun of '{barrier.label}': {who} makes phase {barrier.phase} {what} "
            "bytes, and it can count 1048575",
            location=op.loc,
        )


class NamedBarrierMismatch(SimulationError):
    """Tasks that do not agree on the threads of a named barrier."""

    @classmethod
    def counts(cls, barrier: NamedBarrier, who: str, op: Op, threads: int) -> TLXError:
        """Another number of threads than others said."""
        error = cls(
            f"named barrier {barrier.number}: {who} says that {threads} threads take "
            f"part, others say {barrier.threads}",
            location=op.loc,
        )
        for other, place, _ in barrier.came_so_far():
            error.add_note(f"{other} said {barrier.threads}", place.loc)
        return error

    @classmethod
    def too_many(cls, barrier: NamedBarrier, who: str, op: Op) -> TLXError:
        """More threads than the barrier completes with."""
        error = cls(
            f"named barrier {barrier.number}: with {who}, {barrier.arrived} threads "
            f"have come, and it completes with {barrier.threads}",
            location=op.loc,
        )
        for other, place, _ in barrier.came_so_far():
            error.add_note(f"{other} came before", place.loc)
        return error


class BadParity(SimulationError):
    """A wait for a parity that is neither 0 nor 1 (PTX ISA, `mbarrier.test_wait`)."""


class NotABarrier(SimulationError):
    """A word that is used as a barrier and is none, or is made one twice."""

    @classmethod
    def initialised_twice(cls, label: str, op: Op) -> TLXError:
        """A barrier that is made where there is one (PTX ISA, `mbarrier.init`)."""
        return cls(
            f"'{label}' is initialised twice without an invalidation between",
            location=op.loc,
        )

    @classmethod
    def early_use(cls, label: str, who: str, op: Op, made: Event) -> TLXError:
        """A use that may come before the initialisation."""
        error = cls(
            f"'{label}' may hold no barrier yet: nothing orders this use by {who} "
            "after its initialisation",
            location=op.loc,
        )
        error.add_note(f"the initialisation by {made.who}", made.op.loc)
        return error

    @classmethod
    def late_use(cls, label: str, who: str, op: Op, use: Event) -> TLXError:
        """A use that may come after the invalidation."""
        error = cls(
            f"'{label}' may still be in use: nothing orders its invalidation by {who} "
            f"after a use by {use.who}",
            location=op.loc,
        )
        error.add_note(f"the use by {use.who}", use.op.loc)
        return error
