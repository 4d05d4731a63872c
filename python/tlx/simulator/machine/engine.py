# SPDX-License-Identifier: MIT
"""Operations of the copy and matrix engines, as actors of the schedule.

An operation is issued by an agent and done later, when the schedule chooses: copies in
any order, the products of one agent one after the other. A store has two stages, as two
different waits know them: its source has been read; its data are in memory.

The cycles of an operation do not depend on when the schedule chooses it: an engine
works on one after the other as they are issued.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tlx.simulator.ir.program import Op
from tlx.simulator.machine.access import Access
from tlx.simulator.machine.clock import Knowledge
from tlx.simulator.machine.product import PendingTensor

if TYPE_CHECKING:
    from tlx.simulator.machine.agent import Agent

Stage = Callable[[], None]

_NOTHING = Knowledge()


class Transfer:
    """One operation of an engine.

    Attributes:
        number: Its place among all actors.
        key: The same on every schedule: its agent's key, and its place among that
            agent's operations.
        agent: Who issued it.
        engine: `tma`, `bulk`, `cp.async` or `wgmma`.
        stages: What is left to do.
        accesses: What it touches; a wait marks them as observed.
        cost: Cycles for which it keeps the engine busy.
        latency: Cycles after that until its effect is seen.
        start: Cycle at which the engine begins.
        time: Cycle at which its effect is seen.
        result: Accumulator of a product.
        written: What a store writes; only a wait for more than its reads observes it.
        followers: Operations that may start only when this one is done.
        missing: Operations that must be done before this one may start.
        is_load: Its bytes complete on an mbarrier.
        issued: What its agent knew when it issued it, if it completes on an mbarrier.
    """

    __slots__ = (
        "accesses",
        "agent",
        "cost",
        "engine",
        "followers",
        "is_load",
        "issued",
        "key",
        "latency",
        "missing",
        "number",
        "op",
        "result",
        "stages",
        "start",
        "time",
        "written",
    )

    def __init__(
        self,
        agent: Agent,
        op: Op,
        engine: str,
        stages: list[Stage],
        accesses: list[Access],
        cost: int,
    ) -> None:
        self.number = agent.machine.new_number()
        self.key = agent.new_key()
        self.agent = agent
        self.op = op
        self.engine = engine
        self.stages = stages
        self.accesses = accesses
        self.cost = cost
        self.latency = 0
        self.start = agent.now
        self.time = agent.now
        self.followers: list[Transfer] = []
        self.missing = 0
        self.is_load = False
        self.issued = _NOTHING
        self.written: list[Access] = []
        self.result: PendingTensor | None = None

    @property
    def label(self) -> str:
        """How findings call it."""
        return f"{self.engine} of {self.agent.label}"

    @property
    def is_done(self) -> bool:
        """Nothing is left to do."""
        return not self.stages

    @property
    def read_time(self) -> int:
        """Cycle at which the engine is done with its source."""
        return self.start + self.cost

    @property
    def now(self) -> int:
        """Cycle at which its next stage is over."""
        return self.time if len(self.stages) == 1 else self.read_time

    def reserve(self) -> None:
        """Takes the next free cycles of the engine."""
        cta = self.agent.cta
        self.start = max(self.agent.now, cta.busy.get(self.engine, 0))
        cta.busy[self.engine] = self.start + self.cost
        self.time = self.start + self.cost + self.latency
        cta.until = max(cta.until, self.time)
        timeline = self.agent.machine.timeline
        if timeline is not None:
            timeline.transfer(self)

    def step(self) -> None:
        """Does the next stage."""
        cta = self.agent.cta
        machine = self.agent.machine
        machine.touched(self, "write")
        stage = self.stages.pop(0)
        stage()
        if self.stages:
            machine.enable(self)
        else:
            cta.in_flight.discard(self)
            for follower in self.followers:
                follower.missing -= 1
                if not follower.missing:
                    machine.enable(follower)
            cta.check_exit()
        self.agent.engines.wake()
