# SPDX-License-Identifier: MIT
"""Which operations of a program could complete a barrier, for the report of a deadlock.

Barriers are followed from their allocation through views, captures, calls and control
flow. Slots are not told apart.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from tlx.simulator.code.linear import task_label
from tlx.simulator.code.pending import edges_of
from tlx.simulator.code.registry import Role, role_of
from tlx.simulator.ir.program import Function, Op, Program, Region

_VIEWS = frozenset(
    (
        "tlx.barrier_view",
        "ttg.memdesc_index",
        "ttg.memdesc_reinterpret",
        "ttg.memdesc_subslice",
        "builtin.unrealized_conversion_cast",
        "llvm.extractvalue",
        "llvm.ptrtoint",
    )
)


DEFAULT = "the default task"
"""Label of the agent that a CTA begins with."""


@dataclasses.dataclass(frozen=True, slots=True)
class Arriver:
    """An operation that arrives on a barrier or sends bytes to it.

    Attributes:
        op: The operation.
        task: Label of the task that does it.
        role: What it does.
    """

    op: Op
    task: str
    role: Role


Place = tuple[str, int]
"""A value: function and number."""


def arrivers(program: Program, allocation: Op) -> list[Arriver]:
    """Returns who could complete the barriers of an allocation, in program order."""
    edges = [e for f in program.functions.values() for e in _edges(program, f)]
    reached: set[Place] = set()
    for function in program.functions.values():
        if any(op is allocation for op in function.body.walk()):
            reached.update((function.name, r) for r in allocation.results)
    size = 0
    while len(reached) != size:
        size = len(reached)
        reached.update(target for source, target in edges if source in reached)
    found = []
    for where, task, op in _walk(program):
        role = role_of(op)
        if role is not None and any((where, o) in reached for o in op.operands):
            found.append(Arriver(op, task, role))
    return found


def named_arrivers(program: Program, number: int) -> list[Arriver]:
    """Returns who could come to a named barrier, in program order.

    A number that is no constant may be this one.
    """
    constants = {
        (function.name, op.results[0]): op.attrs["value"]
        for function in program.functions.values()
        for op in function.body.walk()
        if op.name == "arith.constant"
    }
    found = []
    for where, task, op in _walk(program):
        if role_of(op) is Role.MEETS:
            if constants.get((where, op.operands[0]), number) == number:
                found.append(Arriver(op, task, Role.MEETS))
    return found


def _walk(program: Program) -> Iterator[tuple[str, str, Op]]:
    """Yields what runs: function, task and operation; callees at each call."""
    kernel = program.functions[program.kernel]
    return _inside(program, kernel, kernel.body, DEFAULT)


def _inside(
    program: Program, function: Function, region: Region, task: str
) -> Iterator[tuple[str, str, Op]]:
    for block in region.blocks:
        for op in block.ops:
            yield function.name, task, op
            if op.name == "tt.call":
                callee = program.functions[_callee(op)]
                yield from _inside(program, callee, callee.body, task)
            for inner, label in _regions(op):
                yield from _inside(program, function, inner, label or task)


def _edges(program: Program, function: Function) -> Iterator[tuple[Place, Place]]:
    """Yields where each value is handed on to."""
    name = function.name
    for source, target in edges_of(function):
        yield (name, source), (name, target)
    for op in function.body.walk():
        if op.name in _VIEWS:
            for source in op.operands:
                yield (name, source), (name, op.results[0])
        elif op.name == "tt.call":
            params = program.functions[_callee(op)].body.entry.args
            for source, param in zip(op.operands, params, strict=True):
                yield (name, source), (_callee(op), param)
        elif op.name == "ttg.warp_specialize":
            holder = op.regions[1].entry.ops[0]
            captures = holder.operands or op.operands
            for region in holder.regions:
                for source, arg in zip(captures, region.entry.args, strict=True):
                    yield (name, source), (name, arg)


def _callee(op: Op) -> str:
    return str(op.attrs["callee"]).lstrip("@").strip('"')


def _regions(op: Op) -> list[tuple[Region, str | None]]:
    """Returns the regions, and the labels of those that are tasks."""
    if op.name == "ttg.warp_specialize":
        partitions = op.regions[1].entry.ops[0].regions
        named = [(r, f"task {number}") for number, r in enumerate(partitions, 1)]
        return [(op.regions[0], None), *named]
    if op.name == "tlx.async_tasks":
        inside = op.regions[0].entry.ops
        workers = [task for task in inside if not task.attrs.get("is_default")]
        labels = {
            task: task_label(number, task, workers)
            for number, task in enumerate(workers, 1)
        }
        return [(task.regions[0], labels.get(task)) for task in inside]
    return [(region, None) for region in op.regions]
