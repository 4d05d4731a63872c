# SPDX-License-Identifier: MIT
"""Runs a region without effects on scalars, with its branches and loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tlx.simulator.code.registry import PURE, Meaning, unsupported
from tlx.simulator.ir.program import Block, Op, Region
from tlx.simulator.ir.types import Type

Values = dict[int, Any]


class ScalarRegion:
    """A region as a function of scalars.

    Args:
        region: Its blocks branch with `cf` operations or leave with a terminator that
            returns its operands. Nested operations are those of `scf`, or pure.

    Raises:
        UnsupportedError: An operation has effects or no meaning here.
    """

    def __init__(self, region: Region) -> None:
        self._region = region
        self._meanings: dict[Op, Meaning] = {}
        self._callees: dict[Op, ScalarRegion] = {}
        self.result_types: tuple[Type, ...] = ()
        for block in region.blocks:
            self._prepare(block, outermost=True)

    def __call__(self, captured: Values, args: Sequence[Any]) -> tuple[Any, ...]:
        """Returns what the region returns for one set of arguments."""
        return self._run(self._region, dict(captured), args)[1]

    def _prepare(self, block: Block, outermost: bool) -> None:
        *body, end = block.ops
        if outermost and not end.successors:
            self.result_types = end.operand_types
        for op in body:
            if op.name in _NESTED:
                for region in op.regions:
                    for inner in region.blocks:
                        self._prepare(inner, outermost=False)
            elif op.callee:
                self._callees[op] = ScalarRegion(op.callee.body)
            elif op.name in PURE:
                self._meanings[op] = PURE[op.name](op)
            else:
                raise unsupported(op)

    def _run(
        self, region: Region, values: Values, args: Sequence[Any]
    ) -> tuple[Op, tuple[Any, ...]]:
        """Runs from the first block to a terminator; returns it and its operands."""
        block = region.entry
        while True:
            values.update(zip(block.args, args, strict=True))
            *body, end = block.ops
            for op in body:
                made = self._step(op, values)
                values.update(zip(op.results, made, strict=True))
            operands = tuple(values[o] for o in end.operands)
            if not end.successors:
                return end, operands
            target, args = _branch(end, operands)
            block = region.blocks[target]

    def _step(self, op: Op, values: Values) -> tuple[Any, ...]:
        operands = [values[o] for o in op.operands]
        if op.name in _NESTED:
            return _NESTED[op.name](self, op, values, operands)
        if op in self._callees:
            return self._callees[op]({}, operands)
        made = self._meanings[op](*operands)
        return (made,) if len(op.results) == 1 else made or ()

    def _if(self, op: Op, values: Values, operands: list[Any]) -> tuple[Any, ...]:
        region = op.regions[0 if operands[0] else 1]
        return self._run(region, values, ())[1] if region.blocks else ()

    def _for(self, op: Op, values: Values, operands: list[Any]) -> tuple[Any, ...]:
        lower, upper, step, *rest = operands
        carried = tuple(rest)
        for i in range(lower, upper, step):
            carried = self._run(op.regions[0], values, (i, *carried))[1]
        return carried

    def _while(self, op: Op, values: Values, operands: list[Any]) -> tuple[Any, ...]:
        carried = tuple(operands)
        while True:
            again, *rest = self._run(op.regions[0], values, carried)[1]
            if not again:
                return tuple(rest)
            carried = self._run(op.regions[1], values, rest)[1]


def _branch(end: Op, operands: tuple[Any, ...]) -> tuple[int, tuple[Any, ...]]:
    """Returns the block that a terminator goes to, and the block's arguments."""
    if len(end.successors) == 1:
        return end.successors[0], operands
    _, *groups = end.segments()
    taken = 0 if operands[0] else 1
    return end.successors[taken], tuple(operands[i] for i in groups[taken])


_NESTED = {
    "scf.if": ScalarRegion._if,
    "scf.for": ScalarRegion._for,
    "scf.while": ScalarRegion._while,
}
