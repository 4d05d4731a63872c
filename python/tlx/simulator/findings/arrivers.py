# SPDX-License-Identifier: MIT
"""Which operations of a program could complete a barrier, for the report of a deadlock.

Barriers are followed from their allocation through views, captures, calls and control
flow. Slots are not told apart.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from tlx.simulator.code.pending import edges_of
from tlx.simulator.ir.program import Function, Op, Program, Region

_SENDS = {
    "tlx.barrier_arrive": "arrives",
    "tlx.barrier_expect_bytes": "arrives",
    "tlx.async_descriptor_load": "sends bytes",
    "tlx.async_bulk_load": "sends bytes",
    "ttng.arrive_barrier": "arrives",
    "ttng.barrier_expect": "arrives",
    "ttng.async_tma_copy_global_to_local": "sends bytes",
    "ttng.async_tma_gather": "sends bytes",
    "llvm.inline_asm": "arrives",
}
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


@dataclasses.dataclass(frozen=True, slots=True)
class Arriver:
    """An operation that arrives on a barrier or sends bytes to it.

    Attributes:
        op: The operation.
        task: Number of the task that does it: 0 is the default task.
        verb: What it does.
    """

    op: Op
    task: int
    verb: str


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
    found: list[Arriver] = []
    kernel = program.functions[program.kernel]
    _collect(program, kernel, kernel.body, 0, reached, found)
    return found


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


def _collect(
    program: Program,
    function: Function,
    region: Region,
    task: int,
    reached: set[Place],
    found: list[Arriver],
) -> None:
    """Adds the operations of a region that take a value that was reached."""
    for block in region.blocks:
        for op in block.ops:
            if op.name in _SENDS:
                if any((function.name, o) in reached for o in op.operands):
                    found.append(Arriver(op, task, _SENDS[op.name]))
            elif op.name == "tt.call":
                callee = program.functions[_callee(op)]
                _collect(program, callee, callee.body, task, reached, found)
            for number, (inner, is_task) in enumerate(_regions(op)):
                who = number if is_task else task
                _collect(program, function, inner, who, reached, found)


def _regions(op: Op) -> list[tuple[Region, bool]]:
    """Returns the regions, and whether each is a task; the default task comes first."""
    if op.name == "ttg.warp_specialize":
        partitions = op.regions[1].entry.ops[0]
        return [(op.regions[0], True), *((r, True) for r in partitions.regions)]
    if op.name == "tlx.async_tasks":
        inside = op.regions[0].entry.ops
        ordered = sorted(inside, key=lambda t: not t.attrs.get("is_default"))
        return [(task.regions[0], True) for task in ordered]
    return [(region, False) for region in op.regions]
