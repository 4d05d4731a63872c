# SPDX-License-Identifier: MIT
"""Findings about kernels that do not end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tlx.errors import TLXError
from tlx.simulator.findings.base import SimulationError

if TYPE_CHECKING:
    from tlx.simulator.machine.machine import Machine


class Deadlock(SimulationError):
    """All agents wait, and nothing is on its way that could wake one.

    Attributes:
        table: Who waits for what, as text.
    """

    table: str = ""

    @classmethod
    def of(cls, machine: Machine) -> TLXError:
        """Describes who waits for what."""
        waiting = [a for cta in machine.live for a in cta.agents if a.is_running]
        first = next((a for a in waiting if _is_barrier_wait(a)), waiting[0])
        noun = "task waits" if len(waiting) == 1 else "tasks wait"
        error = cls(
            f"deadlock: {len(waiting)} {noun}, and nothing is on its way",
            location=first.current.loc if first.current else None,
        )
        error.subject = first.cta.label
        rows = [("task", "waits for", "missing")]
        shown = [a for a in waiting if a.cta is first.cta]
        for agent in shown:
            missing = agent.waits_for.missing() if agent.waits_for else ""
            rows.append((agent.label, agent.waits_what, missing))
            error.add_note(
                f"{agent.label} waits for {agent.waits_what}; missing: {missing}",
                agent.current.loc if agent.current else None,
            )
            for other, op, count in getattr(agent.waits_for, "arrivals", ()):
                error.add_note(f"{other} arrived {count} times in this phase", op.loc)
        for agent in first.cta.agents:
            if not agent.is_running:
                rows.append((agent.label, "is over", ""))
        if len(shown) < len(waiting):
            others = len({a.cta.number for a in waiting}) - 1
            error.add_note(f"{others} more CTAs wait")
        error.table = _table(rows)
        return error


def _is_barrier_wait(agent: object) -> bool:
    return "end of" not in getattr(agent, "waits_what", "")


def _table(rows: list[tuple[str, str, str]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines)


class StepLimit(SimulationError):
    """A run that was given up."""

    @classmethod
    def of(cls, machine: Machine, limit: int) -> TLXError:
        """Describes what goes on in the first CTA."""
        error = cls(f"the kernel has not ended after {limit} steps")
        for cta in machine.live[:1]:
            error.subject = cta.label
            for agent in cta.agents:
                if agent.is_running:
                    state = agent.waits_what if agent.waits_for else "runs"
                    place = agent.current.loc if agent.current else None
                    error.add_note(f"{agent.label}: {state}", place)
        return error
