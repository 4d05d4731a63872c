# SPDX-License-Identifier: MIT
"""Linearises functions: structured control flow becomes jumps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tlx.errors import UnsupportedError
from tlx.simulator.code import cost, pending
from tlx.simulator.code.instructions import (
    Call,
    Code,
    Compute,
    Effect,
    EndTask,
    Fork,
    Instruction,
    Join,
    Jump,
    JumpUnless,
    Return,
    Step,
    TaskStart,
)
from tlx.simulator.code.registry import (
    EFFECTS,
    INVISIBLE,
    PURE,
    TOGETHER,
    is_pure,
    threads_of,
    unsupported,
)
from tlx.simulator.ir.program import Block, Function, Op, Program, Region


def _move(sources: Sequence[int], targets: Sequence[int]) -> Step:
    """Copies values at the same time."""
    pairs = [(s, t) for s, t in zip(sources, targets, strict=True) if s != t]
    if len(pairs) == 1:
        ((source, target),) = pairs

        def one(values: list[Any]) -> None:
            values[target] = values[source]

        return one

    def many(values: list[Any]) -> None:
        taken = [values[s] for s, _ in pairs]
        for (_, target), value in zip(pairs, taken, strict=True):
            values[target] = value

    return many


def _constant_step(meaning: Callable[..., Any], result: int) -> Step:
    constant = meaning()

    def step(values: list[Any]) -> None:
        values[result] = constant

    return step


def _unary_step(meaning: Callable[..., Any], a: int, result: int) -> Step:
    def step(values: list[Any]) -> None:
        values[result] = meaning(values[a])

    return step


def _binary_step(meaning: Callable[..., Any], a: int, b: int, result: int) -> Step:
    def step(values: list[Any]) -> None:
        values[result] = meaning(values[a], values[b])

    return step


def _step(
    meaning: Callable[..., Any], operands: tuple[int, ...], results: tuple[int, ...]
) -> Step:
    """Returns a meaning as a step on the frame; the common forms have their own."""
    forms = {0: _constant_step, 1: _unary_step, 2: _binary_step}
    if len(results) == 1 and len(operands) in forms:
        return forms[len(operands)](meaning, *operands, results[0])  # type: ignore[operator, no-any-return]

    def step(values: list[Any]) -> None:
        made = meaning(*[values[o] for o in operands])
        if len(results) == 1:
            values[results[0]] = made
        else:
            for result, value in zip(results, made or (), strict=True):
                values[result] = value

    return step


class _Linearizer:
    """Linearises one function."""

    def __init__(self, program: Program, function: Function) -> None:
        self.function = function
        self.code: list[Instruction] = []
        self.size = function.num_values
        self.pending = pending.values_that_may_be_pending(program, function)
        self.num_warps = program.num_warps
        self.used = {o for op in function.body.walk() for o in op.operands}

    def _fresh(self) -> int:
        self.size += 1
        return self.size - 1

    def _emit(self, instruction: Instruction) -> Instruction:
        self.code.append(instruction)
        return instruction

    def _assign(self, op: Op | None, sources: Sequence[int], to: Sequence[int]) -> None:
        if any(s != t for s, t in zip(sources, to, strict=True)):
            move = _move(sources, to)
            self._emit(Compute(op, 0, move, tuple(sources), tuple(to)))

    def run(self) -> Code:
        blocks = self.function.body.blocks
        starts: dict[int, int] = {}
        fixes: list[tuple[Jump | JumpUnless, int]] = []
        for number, block in enumerate(blocks):
            starts[number] = len(self.code)
            for op in block.ops:
                self._op(op, blocks, fixes)
        for jump, number in fixes:
            jump.target = starts[number]
        params = blocks[0].args
        return Code(self.function.name, self.code, params, self.size)

    def _body(self, block: Block) -> Op | None:
        """Emits a block but its terminator, which is returned."""
        ends = ("scf.yield", "scf.condition", "ttg.warp_yield", "ttg.warp_return")
        for op in block.ops:
            if op.name in ends:
                return op
            self._op(op, [], [])
        return None

    def _op(
        self,
        op: Op,
        blocks: list[Block],
        fixes: list[tuple[Jump | JumpUnless, int]],
    ) -> None:
        structured = getattr(self, "_" + op.name.replace(".", "_"), None)
        if structured is not None:
            structured(op)
        elif op.name in ("cf.br", "cf.cond_br"):
            self._branch(op, blocks, fixes)
        elif is_pure(op):
            meaning = PURE[op.name](op)
            meaning = pending.guarded(op, meaning, self.pending)
            cycles = cost.of_pure(op, self.num_warps)
            step = _step(meaning, op.operands, op.results)
            places = op.operands, op.results
            self._emit(Compute(op, cycles, step, *places, op.name in TOGETHER))
        elif op.name in EFFECTS:
            meaning = pending.guarded_effect(op, EFFECTS[op.name](op), self.pending)
            visible = op.name not in INVISIBLE
            cycles = cost.of_effect(op, self.num_warps)
            threads = threads_of(op, not self.used.isdisjoint(op.results))
            places = op.operands, op.results
            self._emit(Effect(op, cycles, meaning, *places, visible, threads))
        else:
            raise unsupported(op)

    # Functions.

    def _tt_return(self, op: Op) -> None:
        self._emit(Return(op, 0, op.operands))

    def _tt_call(self, op: Op) -> None:
        callee = str(op.attrs["callee"]).lstrip("@").strip('"')
        self._emit(Call(op, 0, callee, op.operands, op.results))

    # Branches.

    def _branch(
        self, op: Op, blocks: list[Block], fixes: list[tuple[Jump | JumpUnless, int]]
    ) -> None:
        if op.name == "cf.br":
            (target,) = op.successors
            self._assign(op, op.operands, blocks[target].args)
            jump = Jump(op)
            self._emit(jump)
            fixes.append((jump, target))
            return
        condition, then, other = op.segments()
        unless = JumpUnless(op, 0, op.operands[condition[0]])
        self._emit(unless)
        for number, places in zip(op.successors, (then, other), strict=True):
            if places is other:
                unless.target = len(self.code)
            self._assign(op, [op.operands[i] for i in places], blocks[number].args)
            jump = Jump(op)
            self._emit(jump)
            fixes.append((jump, number))

    def _scf_if(self, op: Op) -> None:
        unless = JumpUnless(op, cost.BRANCH, op.operands[0])
        self._emit(unless)
        end = self._body(op.regions[0].entry)
        if end is not None:
            self._assign(op, end.operands, op.results)
        if not op.regions[1].blocks:
            unless.target = len(self.code)
            return
        leave = Jump(op)
        self._emit(leave)
        unless.target = len(self.code)
        end = self._body(op.regions[1].entry)
        if end is not None:
            self._assign(op, end.operands, op.results)
        leave.target = len(self.code)

    def _scf_for(self, op: Op) -> None:
        lower, upper, by = op.operands[:3]
        variable, *carried = op.regions[0].entry.args
        width = 64 if str(op.operand_types[0]) == "index" else 32
        unsigned = bool(op.attrs.get("unsignedCmp", False))
        mask = (1 << getattr(op.operand_types[0], "width", width)) - 1
        going = self._fresh()
        counter = self._fresh()
        self._assign(op, (lower, *op.operands[3:]), (counter, *carried))

        def test(values: list[Any]) -> None:
            i, n = values[counter], values[upper]
            if unsigned:
                i, n = i & mask, n & mask
            values[going] = i < n
            values[variable] = i - mask - 1 if i > mask // 2 else i

        def advance(values: list[Any]) -> None:
            values[counter] += values[by]

        start = len(self.code)
        self._emit(Compute(op, 0, test, (counter, upper), (going, variable)))
        leave = JumpUnless(op, cost.BRANCH, going)
        self._emit(leave)
        end = self._body(op.regions[0].entry)
        if end is not None:
            self._assign(op, end.operands, carried)
        self._emit(Compute(op, 0, advance, (counter, by), (counter,)))
        self._emit(Jump(op, 0, start))
        leave.target = len(self.code)
        self._assign(op, carried, op.results)

    def _scf_while(self, op: Op) -> None:
        before, after = (region.entry for region in op.regions)
        self._assign(op, op.operands, before.args)
        start = len(self.code)
        condition = self._body(before)
        if condition is None:
            raise unsupported(op)
        leave = JumpUnless(op, cost.BRANCH, condition.operands[0])
        self._emit(leave)
        self._assign(op, condition.operands[1:], after.args)
        end = self._body(after)
        if end is not None:
            self._assign(op, end.operands, before.args)
        self._emit(Jump(op, 0, start))
        leave.target = len(self.code)
        self._assign(op, condition.operands[1:], op.results)

    # Tasks.

    def _tlx_async_tasks(self, op: Op) -> None:
        tasks = op.regions[0].entry.ops
        default = next(t for t in tasks if t.attrs.get("is_default"))
        workers = [t for t in tasks if t is not default]
        if not workers:
            self._body(default.regions[0].entry)
            return
        regions = []
        for number, task in enumerate(workers, 1):
            warps = task.attrs["num_warps"]
            label = task_label(number, task, workers)
            regions.append((task.regions[0], warps, label, ()))
        self._fork(op, default.regions[0], regions)

    def _ttg_warp_specialize(self, op: Op) -> None:
        default, holder = op.regions
        partitions = holder.entry.ops[0]
        captures = partitions.operands or op.operands
        regions = []
        for number, region in enumerate(partitions.regions, 1):
            warps = op.attrs["partitionNumWarps"][number - 1]
            pairs = tuple(zip(region.entry.args, captures, strict=True))
            regions.append((region, warps, f"task {number}", pairs))
        self._fork(op, default, regions)

    def _fork(
        self,
        op: Op,
        default: Region,
        workers: list[tuple[Region, int, str, tuple[tuple[int, int], ...]]],
    ) -> None:
        fork = Fork(op, cost.FORK)
        self._emit(fork)
        end = self._body(default.entry)
        if end is not None:
            self._assign(op, end.operands, op.results)
        self._emit(Join(op, 0))
        leave = Jump(op)
        self._emit(leave)
        starts = []
        outer = self.num_warps
        for region, warps, label, captures in workers:
            starts.append(TaskStart(len(self.code), warps, label, captures))
            self.num_warps = warps
            self._body(region.entry)
            self._emit(EndTask(op, 0))
        self.num_warps = outer
        fork.tasks = tuple(starts)
        leave.target = len(self.code)


def task_label(number: int, task: Op, workers: list[Op]) -> str:
    """Names a task; of several copies of one, each says which it is."""
    line = "" if task.loc is None else f" (line {task.loc.line})"
    copies = [w for w in workers if task.loc is not None and w.loc == task.loc]
    copy = f" copy {task.attrs.get('replica', 0)}" if len(copies) > 1 else ""
    return f"task {number}{copy}{line}"


def linearize(program: Program) -> dict[str, Code]:
    """Linearises all functions of a program.

    Raises:
        UnsupportedError: It holds an operation that the simulator cannot run.
    """
    if program.num_ctas != 1:
        raise UnsupportedError("the simulator cannot run kernels with num_ctas > 1")
    return {
        name: _Linearizer(program, function).run()
        for name, function in program.functions.items()
    }
