# SPDX-License-Identifier: MIT
"""An agent: the warps of one task, which run the same code together.

An agent stops before each operation that others can see; the schedule chooses who goes
next. All that lies between two such operations happens at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from tlx.simulator.code.instructions import (
    Call,
    Compute,
    Effect,
    EndTask,
    Fork,
    Instruction,
    Join,
    Jump,
    JumpUnless,
    Return,
)
from tlx.simulator.code.registry import BLOCKED, Threads
from tlx.simulator.findings.deadlock import StepLimit
from tlx.simulator.ir.program import Op
from tlx.simulator.machine import by_thread, races
from tlx.simulator.machine.access import Access
from tlx.simulator.machine.clock import Knowledge
from tlx.simulator.machine.divergence import Divergence
from tlx.simulator.machine.frame import Frame, Path
from tlx.simulator.machine.issued import Engines
from tlx.simulator.machine.per_thread import FOREIGN, DiffersByThread, PerThread
from tlx.simulator.machine.scope import Scope
from tlx.simulator.machine.waiting import Waitable

if TYPE_CHECKING:
    from tlx.simulator.machine.by_thread import Array
    from tlx.simulator.machine.cta import Cta
    from tlx.simulator.machine.engine import Transfer
    from tlx.simulator.machine.machine import Machine


class Agent(Waitable):
    """The warps of a task.

    Attributes:
        number: Its place among all actors.
        key: The same on every schedule: its CTA, and its place there.
        issued: Operations of engines it has issued.
        label: How findings call it.
        num_warps: Its warps.
        knowledge: What has happened before its next operation.
        now: Cycle it is at.
        cause: What its last wait waited for; timelines take it.
        current: The operation it is at.
        released: What the last fence of each scope has made ready for relaxed atomics
            to release.
        unacquired: What relaxed atomics have read from each CTA and a fence would
            acquire.
        active: The threads that do its present operation, as flags; None for all.
        divergence: Its threads, while they are at different places.
        is_spinning: Its last operation polled a value that did not help; it goes on
            when nobody else can.
    """

    __slots__ = (
        "active",
        "calls",
        "cause",
        "children",
        "cta",
        "current",
        "divergence",
        "engines",
        "frame",
        "is_running",
        "is_spinning",
        "issued",
        "key",
        "knowledge",
        "label",
        "machine",
        "now",
        "num_warps",
        "number",
        "parent",
        "released",
        "state",
        "unacquired",
        "waits_for",
        "waits_what",
    )

    def __init__(
        self,
        machine: Machine,
        cta: Cta,
        frame: Frame,
        *,
        label: str,
        num_warps: int,
        parent: Agent | None = None,
    ) -> None:
        super().__init__()
        self.machine = machine
        self.cta = cta
        self.number = machine.new_number()
        self.key: tuple[int, ...] = (cta.number, len(cta.agents))
        self.issued = 0
        self.label = label
        self.num_warps = num_warps
        self.frame = frame
        self.calls: list[Frame] = []
        self.parent = parent
        self.children: list[Agent] = []
        self.knowledge = Knowledge()
        self.now = 0
        self.cause: Any = None
        if parent is not None:
            self.now = parent.now
            parent.release_into(self.knowledge)
        self.knowledge.clock[self.number] = 1
        self.engines = Engines()
        self.is_running = True
        self.is_spinning = False
        self.released: dict[Scope, Knowledge] = {}
        self.unacquired: dict[Cta, Knowledge] = {}
        self.current: Op | None = None
        self.state: Any = None
        self.active: Array | None = None
        self.divergence: Divergence | None = None
        self.waits_for: Waitable | None = None
        self.waits_what = ""
        cta.agents.append(self)
        if machine.timeline is not None:
            machine.timeline.begin(self)

    @property
    def threads(self) -> int:
        """Its threads."""
        return 32 * self.num_warps

    @property
    def active_threads(self) -> int:
        """The threads that do its present operation."""
        return self.threads if self.active is None else int(self.active.sum())

    @property
    def active_warps(self) -> int:
        """The warps that do its present operation, as bits."""
        if self.active is None:
            return -1
        warps = self.active.reshape(self.num_warps, -1)
        return sum(1 << i for i in range(self.num_warps) if warps[i].any())

    @property
    def first_thread(self) -> int:
        """Index of its first thread in the CTA.

        Tasks are laid out in the order in which they start, each on whole warps.
        """
        before = self.cta.agents[: self.cta.agents.index(self)]
        return 32 * sum(agent.num_warps for agent in before)

    def path_to(self, op: Op) -> Path:
        """Returns the calls that lead to an operation, and the operation.

        Whoever comes to it by the same calls again, also another agent, finds what it
        has allocated before: functions are inlined, and each copy of an allocation has
        an address of its own for as long as the kernel runs.
        """
        return (*self.frame.path, op)

    def new_key(self) -> tuple[int, ...]:
        """Returns the key of the next operation of an engine."""
        self.issued += 1
        return (*self.key, self.issued)

    # Order of events.

    @property
    def time(self) -> int:
        """Its own count of releases."""
        return self.knowledge.clock[self.number]

    def release_into(self, target: Knowledge) -> None:
        """Makes known what it has done so far."""
        target.learn(self.knowledge)
        self.knowledge.clock[self.number] += 1

    def learn(self, other: Knowledge) -> None:
        """Adds what others have made known."""
        self.knowledge.learn(other)

    def wait_until(self, time: int, cause: Any) -> None:
        """Goes on no earlier than at a cycle.

        Args:
            time: The cycle.
            cause: What was over then: a barrier, a transfer or an agent.
        """
        if self.cause is None or time > self.now:
            self.cause = cause
        self.now = max(self.now, time)

    def fence_proxy(self) -> None:
        """Makes all that it knows visible to the async proxy; what follows is not."""
        self.knowledge.fence()
        self.knowledge.clock[self.number] += 1

    def observe(self, access: Access) -> None:
        """Notes that it has seen an asynchronous access complete."""
        if access.observers is not None:
            access.observers.append((self.number, self.time))

    def touch(
        self,
        region: races.Region,
        op: Op,
        *,
        is_write: bool,
        is_async_proxy: bool = False,
        is_bulk: bool = False,
        is_asynchronous: bool = False,
        atomic: Scope | None = None,
        must_be_written: bool = True,
        values: Any = None,
    ) -> Access:
        """Records an access and reports what is wrong with it.

        Args:
            region: What it touches.
            op: The operation.
            is_write: It writes; else it reads.
            is_async_proxy: It goes through the async proxy.
            is_bulk: It is by a bulk copy.
            is_asynchronous: It is over only when a wait says so.
            atomic: Scope of an atomic operation.
            must_be_written: It must not read bytes that nobody has written.
            values: What a write by ordinary stores writes, in the region's order.
        """
        if atomic is not None:
            kind = "write" if is_write else "read"
            self.machine.touched(region.memory, kind)
        access = Access(
            self.number,
            self.time,
            op,
            self.label,
            is_write=is_write,
            is_async_proxy=is_async_proxy,
            is_bulk=is_bulk,
            is_asynchronous=is_asynchronous,
            atomic=atomic,
            cta=self.cta,
        )
        if not self.machine.options.races:
            return access
        if not is_write and must_be_written:
            finding = races.check_written(region, access)
            if finding is not None:
                self.machine.report(finding)
        handling = self.machine.options.same_value_writes
        if values is not None and handling == "error":
            values = None
        finding = races.check(region, access, self.knowledge, values)
        if finding is not None and finding.severity == "warning":
            finding = finding if handling == "warn" else None
        if finding is not None:
            self.machine.report(finding)
        return access

    def start(self, transfer: Transfer, after: Iterable[Transfer] = ()) -> None:
        """Hands an operation to its engine.

        Args:
            transfer: The operation.
            after: Operations that must be done first.
        """
        self.knowledge.clock[self.number] += 1
        self.machine.touched(transfer, "write")
        self.cta.in_flight.add(transfer)
        transfer.reserve()
        for earlier in after:
            if not earlier.is_done:
                earlier.followers.append(transfer)
                transfer.missing += 1
        if not transfer.missing:
            self.machine.enable(transfer)

    def forget(self) -> None:
        """Drops its values; accesses in global memory refer to it and its CTA."""
        self.frame.values = []
        self.calls = []
        self.engines = Engines()

    # Running.

    def step(self) -> None:
        """Does the operation it is at and goes on to the next visible one."""
        self.machine.touched(self, "write")
        self.run(may_act=True)

    def run(self, *, may_act: bool) -> None:
        """Runs to the next visible operation.

        Args:
            may_act: A visible operation at the present place is done first.
        """
        going_on: bool | None = may_act
        while going_on is not None:
            if self.divergence is not None:
                going_on = self.divergence.run(may_act=going_on)
            if going_on is not None:
                going_on = self._run_together(going_on)

    def _run_together(self, may_act: bool) -> bool | None:  # noqa: C901
        """Runs all threads, which are at one place; calls would double its cost.

        Args:
            may_act: A visible operation at the present place is done first.

        Returns:
            None at the next visible operation. Where threads part, whether a visible
            operation may be done.
        """
        machine = self.machine
        frame = self.frame
        instructions, values, place = frame.instructions, frame.values, frame.place
        now = self.now
        jumps, limit = 0, machine.options.max_steps
        while True:
            instruction = instructions[place]
            kind = type(instruction)
            if kind is Compute:
                try:
                    instruction.step(values)  # type: ignore[attr-defined]
                except DiffersByThread:
                    self._compute(instruction)  # type: ignore[arg-type]
                except Exception as error:
                    machine.locate(error, instruction.op, self)
                    raise
                now += instruction.cost
                place += 1
            elif kind is Effect:
                if instruction.is_visible:  # type: ignore[attr-defined]
                    if not may_act:
                        frame.place, self.now = place, now
                        self.current = instruction.op
                        machine.enable(self)
                        self.is_spinning = False
                        return None
                    may_act = False
                frame.place, self.now = place, now
                self.current = instruction.op
                if not self._act(instruction):  # type: ignore[arg-type]
                    return None if self.divergence is None else True
                now = self.now + instruction.cost
                place += 1
            elif kind is JumpUnless:
                try:
                    place = (
                        place + 1
                        if values[instruction.condition]  # type: ignore[attr-defined]
                        else instruction.target  # type: ignore[attr-defined]
                    )
                except DiffersByThread:
                    frame.place, self.now = place, now
                    self.divergence = Divergence(self)
                    return may_act
                now += instruction.cost
            elif kind is Jump:
                place = instruction.target  # type: ignore[attr-defined]
                jumps += 1
                if jumps > limit:
                    self.frame.place, self.current = place, instruction.op
                    raise StepLimit.of(machine, limit)
            else:
                frame.place, self.now = place, now
                if not self._CONTROL[kind](self, instruction):
                    return None
                frame = self.frame
                instructions, values = frame.instructions, frame.values
                place, now = frame.place, self.now

    def _act(self, instruction: Effect) -> bool:
        """Does an effect; returns False if the agent is blocked."""
        values = self.frame.values
        operands = [values[o] for o in instruction.operands]
        if PerThread in map(type, operands):
            return self._act_by_thread(instruction)
        before = self.now
        try:
            result = instruction.meaning(self, *operands)
        except Exception as error:
            self.machine.locate(error, instruction.op, self)
            raise
        if result is BLOCKED:
            return False
        results = instruction.results
        if len(results) == 1:
            values[results[0]] = result
        elif results:
            for place, value in zip(results, result, strict=True):
                values[place] = value
        timeline = self.machine.timeline
        if timeline is not None and instruction.is_visible:
            timeline.effect(self, instruction, before)
        return True

    def _compute(self, instruction: Compute) -> None:
        """Works on values that differ by thread."""
        try:
            by_thread.compute(self, instruction, None)
        except Exception as error:
            self.machine.locate(error, instruction.op, self)
            raise

    def _act_by_thread(self, instruction: Effect) -> bool:
        """Does an effect with operands that differ by thread.

        Returns:
            False if the agent is blocked, or if its threads do it in different ways.
        """
        if instruction.threads is Threads.WARPS:
            self.divergence = Divergence(self)
            return False
        before = self.now
        try:
            result = by_thread.perform(self, instruction, None)
        except Exception as error:
            self.machine.locate(error, instruction.op, self)
            raise
        timeline = self.machine.timeline
        if timeline is not None and instruction.is_visible and result is not BLOCKED:
            timeline.effect(self, instruction, before)
        return result is not BLOCKED

    def _call(self, instruction: Call) -> bool:
        frame, code = self.frame, self.machine.code[instruction.callee]
        path = (*frame.path, instruction.op)
        inner = Frame(code, [None] * code.size, path=path)
        for param, operand in zip(code.params, instruction.operands, strict=True):
            inner.values[param] = frame.values[operand]
        inner.results = instruction.results
        frame.place += 1
        self.calls.append(frame)
        self.frame = inner
        return True

    def _return(self, instruction: Return) -> bool:
        if not self.calls:
            return self.end()
        frame, outer = self.frame, self.calls.pop()
        for result, operand in zip(frame.results, instruction.operands, strict=True):
            outer.values[result] = frame.values[operand]
        self.frame = outer
        return True

    def _fork(self, instruction: Fork) -> bool:
        frame = self.frame
        self.now += instruction.cost
        for task in instruction.tasks:
            values = [FOREIGN if type(v) is PerThread else v for v in frame.values]
            child = Frame(frame.code, values, task.entry, frame.path)
            for target, source in task.captures:
                child.values[target] = values[source]
            agent = Agent(
                self.machine,
                self.cta,
                child,
                label=task.label,
                num_warps=task.num_warps,
                parent=self,
            )
            self.children.append(agent)
            self.machine.touched(agent, "write")
        for agent in self.children:
            agent.run(may_act=False)
        frame.place += 1
        return True

    def _join(self, instruction: Join) -> bool:
        self.current = instruction.op
        before = self.now
        running = [child for child in self.children if child.is_running]
        if running:
            running[0].block(self, f"the end of {running[0].label}")
            return False
        for child in self.children:
            child.release_into(self.knowledge)
            self.wait_until(child.now, child)
        self.children = []
        if self.machine.timeline is not None:
            self.machine.timeline.effect(self, instruction, before)
        self.frame.place += 1
        return True

    def _end_task(self, instruction: EndTask) -> bool:
        return self.end()

    _CONTROL: ClassVar[dict[type[Instruction], Callable[..., bool]]] = {
        Call: _call,
        Return: _return,
        Fork: _fork,
        Join: _join,
        EndTask: _end_task,
    }

    def end(self) -> bool:
        """Ends the agent; returns False, as it stops."""
        self.is_running = False
        if self.machine.timeline is not None:
            self.machine.timeline.end(self)
        self.machine.check_end_of(self)
        self.wake()
        self.cta.check_exit()
        return False

    def missing(self) -> str:
        """What its waiters need."""
        return f"the end of {self.label}"
