# SPDX-License-Identifier: MIT
"""Accumulators of products that may not be complete.

`wgmma` writes its accumulator registers until a wait says otherwise (PTX ISA,
`wgmma.wait_group`). Where such a value can reach an operation that reads it is known
before the run; only those operations check.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tlx.simulator.findings.products import AccumulatorRead
from tlx.simulator.ir.program import Block, Function, Op, Program
from tlx.simulator.ir.types import Tensor
from tlx.simulator.machine.product import PendingTensor

_STARTS = ("tlx.async_dot", "ttng.warp_group_dot")
_WAITS = ("tlx.async_dot_wait", "ttng.warp_group_dot_wait")


Edges = list[tuple[int, int]]


def _of_for(op: Op, blocks: list[Block]) -> Edges:
    body = op.regions[0].entry
    carried = body.args[1:]
    pairs = list(zip(op.operands[3:], carried, strict=True))
    pairs += zip(carried, op.results, strict=True)
    return pairs + list(zip(body.ops[-1].operands, carried, strict=True))


def _of_if(op: Op, blocks: list[Block]) -> Edges:
    ends = [r.entry.ops[-1] for r in op.regions if r.blocks and op.results]
    return [p for end in ends for p in zip(end.operands, op.results, strict=True)]


def _of_while(op: Op, blocks: list[Block]) -> Edges:
    before, after = (region.entry for region in op.regions)
    handed = before.ops[-1].operands[1:]
    pairs = list(zip(op.operands, before.args, strict=True))
    pairs += zip(handed, after.args, strict=True)
    pairs += zip(handed, op.results, strict=True)
    return pairs + list(zip(after.ops[-1].operands, before.args, strict=True))


def _of_branch(op: Op, blocks: list[Block]) -> Edges:
    return list(zip(op.operands, blocks[op.successors[0]].args, strict=True))


def _of_conditional_branch(op: Op, blocks: list[Block]) -> Edges:
    pairs: Edges = []
    for places, target in zip(op.segments()[1:], op.successors, strict=True):
        sources = [op.operands[i] for i in places]
        pairs += zip(sources, blocks[target].args, strict=True)
    return pairs


def _of_wait(op: Op, blocks: list[Block]) -> Edges:
    return list(zip(op.operands, op.results, strict=True))


_EDGES: dict[str, Callable[[Op, list[Block]], Edges]] = {
    "scf.for": _of_for,
    "scf.if": _of_if,
    "scf.while": _of_while,
    "cf.br": _of_branch,
    "cf.cond_br": _of_conditional_branch,
    **dict.fromkeys(_WAITS, _of_wait),
}


def _edges(block: Block, blocks: list[Block]) -> Edges:
    """Returns (source, target) pairs of values that control flow hands on."""
    pairs: Edges = []
    for op in block.ops:
        if op.name in _EDGES:
            pairs += _EDGES[op.name](op, blocks)
        for region in op.regions:
            for inner in region.blocks:
                pairs += _edges(inner, region.blocks)
    return pairs


def edges_of(function: Function) -> Edges:
    """Returns (source, target) pairs of values that control flow hands on."""
    blocks = function.body.blocks
    return [pair for block in blocks for pair in _edges(block, blocks)]


def values_that_may_be_pending(program: Program, function: Function) -> frozenset[int]:
    """Returns the values that can be the result of a product that still runs.

    Calls may hand on any tensor if the program has products.
    """
    found: set[int] = set()
    if _has_products(program):
        found.update(_handed_on_by_calls(program, function))
    edges = edges_of(function)
    clean: set[int] = set()
    for block in function.body.blocks:
        for op in block.ops:
            for inner in op.walk():
                if inner.name in _STARTS:
                    found.update(inner.results)
                elif inner.name in _WAITS and inner.attrs["pendings"] == 0:
                    clean.update(inner.results)
    changed = bool(found)
    while changed:
        changed = False
        for source, target in edges:
            if source in found and target not in found and target not in clean:
                found.add(target)
                changed = True
    return frozenset(found)


def _has_products(program: Program) -> bool:
    functions = program.functions.values()
    return any(op.name in _STARTS for f in functions for op in f.body.walk())


def _handed_on_by_calls(program: Program, function: Function) -> Iterator[int]:
    """Yields the tensors that come from callers and callees."""
    if function.name != program.kernel:
        args = function.body.entry.args
        for arg, type in zip(args, function.params, strict=True):
            if isinstance(type, Tensor):
                yield arg
    for op in function.body.walk():
        if op.name == "tt.call":
            for result, type in zip(op.results, op.result_types, strict=True):
                if isinstance(type, Tensor):
                    yield result


def _resolve(op: Op, value: Any) -> Any:
    if isinstance(value, PendingTensor):
        if not value.is_waited_for:
            raise AccumulatorRead.at(value.op, op)
        return value.value
    return value


def guarded(
    op: Op, meaning: Callable[..., Any], values: frozenset[int]
) -> Callable[..., Any]:
    """Returns the meaning with a check of the operands that may be pending."""
    if not any(o in values for o in op.operands):
        return meaning
    return lambda *operands: meaning(*[_resolve(op, v) for v in operands])


def guarded_effect(
    op: Op, meaning: Callable[..., Any], values: frozenset[int]
) -> Callable[..., Any]:
    """Does the same for an effect, whose first argument is the agent.

    Products and their waits take pending values as they are.
    """
    if op.name in (*_STARTS, *_WAITS) or not any(o in values for o in op.operands):
        return meaning
    return lambda agent, *operands: meaning(agent, *[_resolve(op, v) for v in operands])
