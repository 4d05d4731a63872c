# SPDX-License-Identifier: MIT
"""Threads of a task that have gone different ways.

Where a branch differs by thread, each side becomes a path with the threads that take
it. Paths run one after the other, each as far as it can, and come together where the
ways from the branch meet (`tlx.simulator.code.reconvergence`). A path that waits lets
the others go on. If they all wait, whole warps go on from where they would have met the
others, as on hardware, where warps do not wait for one another; at the next operation
of the whole task they do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from tlx.simulator.code.instructions import (
    Call,
    Compute,
    Effect,
    Instruction,
    Jump,
    JumpUnless,
    Return,
)
from tlx.simulator.code.reconvergence import reconvergence
from tlx.simulator.code.registry import BLOCKED, Threads
from tlx.simulator.findings.deadlock import StepLimit
from tlx.simulator.findings.divergence import DivergentOperation
from tlx.simulator.ir.program import Op
from tlx.simulator.machine import by_thread
from tlx.simulator.machine.frame import Frame
from tlx.simulator.machine.paths import Meeting, Path
from tlx.simulator.machine.per_thread import groups

if TYPE_CHECKING:
    from tlx.simulator.machine.agent import Agent

Array = np.ndarray[Any, Any]


class Divergence:
    """The paths of a task, from where they part to where all have come together.

    Args:
        agent: The task. The instruction that it is at makes its threads part.
    """

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        everybody = np.ones(agent.threads, np.bool_)
        calls = tuple((frame, frame.place) for frame in agent.calls)
        path = Path(agent.frame, agent.frame.place, calls, everybody)
        self._paths = [path]
        self._is_waiting = False
        self._jumps = 0
        instruction = path.frame.instructions[path.place]
        try:
            if isinstance(instruction, JumpUnless):
                self._jump_unless(path, instruction)
            elif isinstance(instruction, Effect):
                self._part_by_operands(path, instruction)
        except Exception as error:
            agent.machine.locate(error, instruction.op, agent)
            raise

    def run(self, *, may_act: bool) -> bool | None:
        """Runs the paths until they are one, or to the next visible operation.

        Args:
            may_act: A visible operation at the present place is done first.

        Returns:
            Whether such an operation may still be done, now that all threads are
            together; None if the agent stops here.
        """
        agent = self._agent
        self._jumps = 0
        while True:
            path = self._paths[0]
            agent.frame = path.frame
            if path.meeting is None:
                self._leave(path)
                return may_act
            if path.frame is path.meeting.frame and path.place == path.meeting.place:
                if not self._arrive(path, path.meeting):
                    return None
                continue
            instruction = path.frame.instructions[path.place]
            if isinstance(instruction, Effect) and instruction.is_visible:
                if not may_act:
                    agent.current = instruction.op
                    agent.machine.enable(agent)
                    agent.is_spinning = False
                    return None
                may_act = False
            if not self._do(path, instruction):
                return None

    def wake(self) -> bool:
        """Lets paths that wait try again; returns whether the agent was stopped."""
        for path in self._paths:
            path.is_blocked = path.wants_all
        was_waiting, self._is_waiting = self._is_waiting, False
        return was_waiting

    # Paths.

    def _arrive(self, path: Path, meeting: Meeting) -> bool:
        """Takes a path to its meeting, and all threads on from there if it is the last.

        Returns:
            False if nobody can go on.
        """
        self._paths.remove(path)
        meeting.arrived = meeting.arrived | path.active
        if not (meeting.arrived == meeting.expected).all():
            return self._choose()
        return self._go_on_from(meeting, meeting.expected)

    def _go_on_from(self, meeting: Meeting, threads: Array) -> bool:
        path = Path(meeting.frame, meeting.place, meeting.calls, threads, meeting.after)
        self._paths.insert(0, path)
        if not meeting.is_end:
            return True
        returned, meeting.returned = meeting.returned, []
        return self._end_function(path, returned)

    def _choose(self) -> bool:
        """Puts a path that can go on to the front; returns False if there is none."""
        for number, path in enumerate(self._paths):
            if not path.is_blocked:
                self._paths.insert(0, self._paths.pop(number))
                return True
        if self._gather() or self._release():
            return True
        if all(path.wants_all for path in self._paths):
            path = self._paths[0]
            self._refuse(path, path.frame.instructions[path.place])
        self._is_waiting = True
        return False

    def _gather(self) -> bool:
        """Joins the paths if all threads are at one operation of the whole task."""
        first = self._paths[0]
        here = [
            path
            for path in self._paths
            if path.wants_all and (path.frame, path.place) == (first.frame, first.place)
        ]
        if not here or not np.logical_or.reduce([p.active for p in here]).all():
            return False
        everybody = np.ones_like(first.active)
        self._paths = [first.at(first.place, everybody, None)]
        return True

    def _release(self) -> bool:
        """Lets whole warps go on that wait for others where their ways meet."""
        for path in self._paths:
            meeting = path.meeting
            while meeting is not None:
                threads = meeting.whole_warps()
                if threads.any() and (meeting.calls or not meeting.is_end):
                    self._release_from(meeting, threads)
                    return True
                meeting = meeting.after
        return False

    def _release_from(self, meeting: Meeting, threads: Array) -> None:
        if meeting.after is None:
            end, nobody = len(meeting.frame.instructions), np.zeros_like(threads)
            meeting.after = Meeting(
                meeting.frame,
                end,
                meeting.calls,
                meeting.expected,
                nobody,
                meeting.branch,
                None,
                is_loose=True,
            )
        meeting.expected = meeting.expected & ~threads
        meeting.arrived = meeting.arrived & ~threads
        self._go_on_from(meeting, threads)

    def _part(
        self, path: Path, sides: list[tuple[int, Array]], place: int, branch: Op | None
    ) -> None:
        """Makes several paths of one, which meet again at a place."""
        meeting = path.meeting
        if meeting is None or (meeting.frame, meeting.place) != (path.frame, place):
            arrived = np.zeros_like(path.active)
            meeting = Meeting(
                path.frame,
                place,
                path.calls,
                path.active,
                arrived,
                branch,
                path.meeting,
            )
        self._paths[:1] = [path.at(start, flags, meeting) for start, flags in sides]

    def _leave(self, path: Path) -> None:
        """Ends the divergence: all threads are together."""
        agent = self._agent
        for frame, place in path.calls:
            frame.place = place
        agent.calls = [frame for frame, _ in path.calls]
        path.frame.place = path.place
        agent.divergence = None

    # Instructions.

    def _do(self, path: Path, instruction: Instruction) -> bool:
        """Does an instruction; returns False if nobody can go on."""
        agent = self._agent
        if isinstance(instruction, Effect):
            return self._effect(path, instruction)
        if isinstance(instruction, Return):
            return self._return(path, instruction)
        if isinstance(instruction, Compute) and instruction.together:
            return self._take_all(path, instruction)
        if isinstance(instruction, Compute | JumpUnless):
            try:
                self._compute(path, instruction)
            except Exception as error:
                agent.machine.locate(error, instruction.op, agent)
                raise
        elif isinstance(instruction, Jump):
            path.place = instruction.target
            self._jumps += 1
            limit = agent.machine.options.max_steps
            if self._jumps > limit:
                agent.current = instruction.op
                raise StepLimit.of(agent.machine, limit)
        elif isinstance(instruction, Call):
            self._call(path, instruction)
        else:
            return self._take_all(path, instruction)
        return True

    def _take_all(self, path: Path, instruction: Instruction) -> bool:
        """Lets a path wait for all threads, which would be together on hardware.

        Returns:
            False if nobody can go on.

        Raises:
            DivergentOperation: Others have gone different ways.
        """
        if path.meeting is None or not path.meeting.is_loose:
            self._refuse(path, instruction)
        path.is_blocked = path.wants_all = True
        return self._choose()

    def _compute(self, path: Path, instruction: Compute | JumpUnless) -> None:
        if isinstance(instruction, JumpUnless):
            self._jump_unless(path, instruction)
            return
        by_thread.compute(self._agent, instruction, path.active)
        self._agent.now += instruction.cost
        path.place += 1

    def _refuse(self, path: Path, instruction: Instruction) -> NoReturn:
        """Reports what takes all threads, where they have parted."""
        agent, op = self._agent, instruction.op
        assert op is not None
        branch = None if path.meeting is None else path.meeting.branch
        count = int(path.active.sum())
        error = DivergentOperation.of(agent.label, op, count, agent.threads, branch)
        error.subject = agent.cta.label
        raise error

    def _jump_unless(self, path: Path, instruction: JumpUnless) -> None:
        self._agent.now += instruction.cost
        condition = path.frame.values[instruction.condition]
        by_thread.check_own(self._agent, instruction.op, [condition])
        sides: dict[int, Array] = {}
        for flags, (value,) in groups([condition], path.active):
            place = path.place + 1 if value else instruction.target
            sides[place] = sides[place] | flags if place in sides else flags
        if len(sides) == 1:
            (path.place,) = sides
            return
        # The side that the branch does not jump to goes first.
        ordered = sorted(sides.items(), key=lambda side: side[0] != path.place + 1)
        meet = reconvergence(path.frame.code, path.place)
        self._part(path, ordered, meet, instruction.op)

    def _part_by_operands(self, path: Path, instruction: Effect) -> None:
        """Lets threads with different operands do an effect one after the other."""
        operands = [path.frame.values[place] for place in instruction.operands]
        by_thread.check_own(self._agent, instruction.op, operands)
        sides = [(path.place, flags) for flags, _ in groups(operands, path.active)]
        self._part(path, sides, path.place + 1, instruction.op)

    def _effect(self, path: Path, instruction: Effect) -> bool:
        """Does an effect; returns False if nobody can go on."""
        agent = self._agent
        agent.current = instruction.op
        before = agent.now
        if instruction.threads in (Threads.TASK, Threads.LEADER):
            return self._take_all(path, instruction)
        agent.state = path.state
        try:
            if instruction.threads is Threads.WARPS:
                if by_thread.differ(agent, instruction, path.active):
                    self._part_by_operands(path, instruction)
                    return True
            result = by_thread.perform(agent, instruction, path.active)
        except Exception as error:
            agent.machine.locate(error, instruction.op, agent)
            raise
        finally:
            path.state, agent.state = agent.state, None
        if result is BLOCKED:
            path.is_blocked = True
            return self._choose()
        agent.now += instruction.cost
        path.place += 1
        timeline = agent.machine.timeline
        if timeline is not None and instruction.is_visible:
            timeline.effect(agent, instruction, before)
        if agent.is_spinning:
            # What it asks for may come from others of the task.
            self._paths.append(self._paths.pop(0))
            return self._choose()
        return True

    # Calls.

    def _call(self, path: Path, instruction: Call) -> None:
        outer, code = path.frame, self._agent.machine.code[instruction.callee]
        calls = (*path.frame.path, instruction.op)
        inner = Frame(code, [None] * code.size, path=calls)
        for param, operand in zip(code.params, instruction.operands, strict=True):
            inner.values[param] = outer.values[operand]
        inner.results = instruction.results
        path.calls = (*path.calls, (outer, path.place + 1))
        path.frame, path.place = inner, 0

    def _return(self, path: Path, instruction: Return) -> bool:
        """Ends a function for the threads of a path, or for all if it is the last."""
        values = [path.frame.values[place] for place in instruction.operands]
        meeting = path.meeting
        if meeting is None or meeting.frame is not path.frame or not meeting.is_end:
            return self._end_function(path, [(path.active, values)])
        meeting.returned.append((path.active, values))
        path.place = meeting.place
        return True

    def _end_function(
        self, path: Path, returned: list[tuple[Array, list[Any]]]
    ) -> bool:
        """Goes on in the caller; returns False if there is none."""
        agent, inner = self._agent, path.frame
        if not path.calls:
            agent.divergence = None
            return agent.end()
        *calls, (outer, place) = path.calls
        path.frame, path.place, path.calls = outer, place, tuple(calls)
        agent.frame = outer
        for number, result in enumerate(inner.results):
            parts = [(flags, values[number]) for flags, values in returned]
            by_thread.assign(agent, result, parts)
        return True
