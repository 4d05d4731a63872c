# SPDX-License-Identifier: MIT
"""Findings about threads of a task that do not do the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tlx.errors import TLXError
from tlx.simulator.findings.base import SimulationError

if TYPE_CHECKING:
    from tlx.simulator.ir.program import Op


def _name(op: Op) -> str:
    return f"'{op.attrs.get('intrin', op.name)}'"


class DivergentOperation(SimulationError):
    """An operation of the whole task that only some of its threads reach."""

    @classmethod
    def of(
        cls, who: str, op: Op, reached: int, threads: int, branch: Op | None
    ) -> TLXError:
        """Some threads reach the operation, and others have gone elsewhere."""
        error = cls(
            f"{_name(op)} expects all threads of {who} to reach it together, but "
            f"{reached} of {threads} do",
            location=op.loc,
        )
        return _with_branch(error, branch)

    @classmethod
    def of_warp(cls, who: str, op: Op, warp: int, reached: int) -> TLXError:
        """Some threads of a warp reach an operation of whole warps."""
        return cls(
            f"{_name(op)} expects all threads of a warp to reach it together, but "
            f"{reached} of 32 do in warp {warp} of {who}",
            location=op.loc,
        )

    @classmethod
    def vote(cls, who: str, op: Op, warp: int, reached: int, mask: int) -> TLXError:
        """Other threads vote than the mask of the vote says."""
        return cls(
            f"{_name(op)} expects 'mask' to be the threads that reach it, "
            f"{reached:#010x} in warp {warp} of {who}, but got {mask:#010x}",
            location=op.loc,
        )


class DivergentValue(SimulationError):
    """A value that differs by thread where all threads must have the same."""

    @classmethod
    def operand(cls, who: str, op: Op, number: int) -> TLXError:
        """An operand of an operation of the whole task."""
        return cls(
            f"{_name(op)} expects operand {number} to be the same for all threads of "
            f"{who}, but it differs by thread",
            location=op.loc,
        )

    @classmethod
    def in_tensor(cls, op: Op) -> TLXError:
        """A value by thread that becomes part of a tensor."""
        error = cls(
            f"{_name(op)} expects what becomes a tensor to be the same for all "
            "threads, but it differs by thread",
            location=op.loc,
        )
        error.add_note(
            "the compiler chooses which thread holds an element; number elements with "
            "'tl.arange', not with threads"
        )
        return error

    @classmethod
    def foreign(cls, who: str, op: Op) -> TLXError:
        """A value of the threads around a task."""
        return cls(
            f"{_name(op)} expects a value that differs by thread to be made in the "
            f"task that uses it, but {who} gets it from outside",
            location=op.loc,
        )


def _with_branch(error: TLXError, branch: Op | None) -> TLXError:
    if branch is not None:
        error.add_note("the threads go different ways here", branch.loc)
    return error
