# SPDX-License-Identifier: MIT
"""Findings about kernels that do not end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tlx.errors import SourceLocation, TLXError
from tlx.simulator.code.registry import Role
from tlx.simulator.findings.arrivers import Arriver, arrivers, named_arrivers
from tlx.simulator.findings.base import SimulationError, times
from tlx.simulator.machine.mbarrier import MBarrier
from tlx.simulator.machine.named_barrier import NamedBarrier

if TYPE_CHECKING:
    from tlx.simulator.machine.agent import Agent
    from tlx.simulator.machine.cta import Cta
    from tlx.simulator.machine.machine import Machine

_MAX_CTAS = 4
"""CTAs that a table shows."""

_MAX_ARRIVERS = 6
"""Operations per barrier that could still come."""


class Deadlock(SimulationError):
    """All agents wait, and nothing is on its way that could wake one.

    Attributes:
        table: Who waits for what, as text; printed below the notes.
    """

    table: str = ""

    def __str__(self) -> str:
        text = super().__str__()
        return f"{text}\n{self.table}" if self.table else text

    @classmethod
    def of(cls, machine: Machine) -> TLXError:
        """Describes who waits for what."""
        waiting = [a for cta in machine.live for a in cta.agents if a.is_running]
        first = next((a for a in waiting if _waits_for_more_than_a_task(a)), waiting[0])
        noun = "task waits" if len(waiting) == 1 else "tasks wait"
        error = cls(
            f"deadlock: {len(waiting)} {noun}, and nothing is on its way",
            location=_place(first),
        )
        error.subject = first.cta.label
        explained: set[int] = set()
        for agent in first.cta.agents:
            if agent.is_running:
                _explain(error, machine, agent, explained)
        ctas = list(dict.fromkeys([first.cta, *(a.cta for a in waiting)]))
        _add_hints(error, ctas)
        rows: list[tuple[str, ...]] = [("CTA", "task", "waits for", "missing")]
        rows += [_row(agent) for cta in ctas[:_MAX_CTAS] for agent in cta.agents]
        error.table = _table(rows)
        return error


def _add_hints(error: TLXError, ctas: list[Cta]) -> None:
    """Adds notes on all that wait."""
    waits = [a.waits_for for a in ctas[0].agents]
    new = [f"'{w.label}'" for w in waits if isinstance(w, MBarrier) and w.is_untouched]
    if len(new) > 1:
        error.add_note(
            f"no phase of {' and '.join(dict.fromkeys(new))} is over; only a wait for "
            "parity 1 passes on a new barrier"
        )
    if len(ctas) == 2:
        error.add_note("1 more CTA waits")
    elif len(ctas) > 2:
        error.add_note(f"{len(ctas) - 1} more CTAs wait")


def _row(agent: Agent) -> tuple[str, ...]:
    state = agent.waits_what or "spins" if agent.is_running else "is over"
    index = ", ".join(map(str, agent.cta.index))
    return index, agent.label, state, _missing(agent)


def _waits_for_more_than_a_task(agent: Agent) -> bool:
    return "end of" not in agent.waits_what


def _place(agent: Agent) -> SourceLocation | None:
    return agent.current.loc if agent.current else None


def _missing(agent: Agent) -> str:
    waits_for = agent.waits_for
    return waits_for.missing() if agent.is_running and waits_for is not None else ""


def _explain(
    error: TLXError, machine: Machine, agent: Agent, explained: set[int]
) -> None:
    """Adds notes on one agent that waits."""
    waits_for = agent.waits_for
    if waits_for is None:
        error.add_note(f"{agent.label} asks in vain for a value", _place(agent))
        return
    error.add_note(
        f"{agent.label} waits for {agent.waits_what}; missing: {waits_for.missing()}",
        _place(agent),
    )
    if id(waits_for) in explained:
        return
    explained.add(id(waits_for))
    for other, op, count in waits_for.came_so_far():
        error.add_note(f"{other} arrived {times(count)} in this phase", op.loc)
    if isinstance(waits_for, MBarrier):
        could = arrivers(machine.program, waits_for.origin)
    elif isinstance(waits_for, NamedBarrier):
        could = named_arrivers(machine.program, waits_for.number)
    else:
        return
    if all(arriver.role is Role.SENDS for arriver in could):
        hint = "; its copies bring bytes, barrier_expect_bytes arrives" if could else ""
        error.add_note(f"nothing in the kernel arrives on '{waits_for.label}'{hint}")
    for arriver in could[:_MAX_ARRIVERS]:
        if arriver.op is not agent.current:
            error.add_note(_could_come(agent, arriver), arriver.op.loc)


def _could_come(agent: Agent, arriver: Arriver) -> str:
    """Says who could still arrive, and why they do not."""
    if arriver.task == agent.label:
        return f"{agent.label} itself {arriver.role} here"
    same = [other for other in agent.cta.agents if other.label == arriver.task]
    if not same:
        state = "has not begun"
    elif not same[-1].is_running:
        state = "is over"
    else:
        state = "waits itself" if same[-1].waits_for else "spins"
    return f"{arriver.task}, which {state}, {arriver.role} here"


def _table(rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
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
                    state = (
                        f"waits for {agent.waits_what}" if agent.waits_for else "runs"
                    )
                    error.add_note(f"{agent.label} {state}", _place(agent))
        return error
