# SPDX-License-Identifier: MIT
"""Operations of the copy and matrix engines, as actors of the schedule.

An operation is issued by an agent and done later, when the schedule chooses: copies in
any order, the products of one agent one after the other. A store has two stages, as two
different waits know them: its source has been read; its data are in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tlx.simulator.ir.program import Op
from tlx.simulator.machine.access import Access
from tlx.simulator.machine.product import PendingTensor

if TYPE_CHECKING:
    from tlx.simulator.machine.agent import Agent

Stage = Callable[[], None]


class Transfer:
    """One operation of an engine.

    Attributes:
        number: Its place among all actors.
        agent: Who issued it.
        engine: `tma`, `bulk`, `cp.async` or `wgmma`.
        stages: What is left to do.
        accesses: What it touches; a wait marks them as observed.
        cost: Cycles for which a stage keeps the engine busy.
        latency: Cycles after that until its effect is seen.
        time: Cycle at which the last stage done was over.
        result: Accumulator of a product.
        follower: Operation that may start only when this one is done.
    """

    __slots__ = (
        "accesses",
        "agent",
        "cost",
        "engine",
        "follower",
        "issued",
        "latency",
        "number",
        "op",
        "result",
        "stages",
        "time",
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
        self.agent = agent
        self.op = op
        self.engine = engine
        self.stages = stages
        self.accesses = accesses
        self.cost = cost
        self.latency = 0
        self.issued = agent.now
        self.time = agent.now
        self.follower: Transfer | None = None
        self.result: PendingTensor | None = None

    @property
    def label(self) -> str:
        """How findings call it."""
        return f"{self.engine} of {self.agent.label}"

    @property
    def is_done(self) -> bool:
        """Nothing is left to do."""
        return not self.stages

    def step(self) -> None:
        """Does the next stage."""
        cta = self.agent.cta
        start = max(self.issued, cta.busy.get(self.engine, 0))
        cta.busy[self.engine] = start + self.cost
        self.time = start + self.cost + self.latency
        stage = self.stages.pop(0)
        stage()
        machine = self.agent.machine
        if machine.timeline is not None:
            machine.timeline.transfer(self, start)
        if self.stages:
            machine.enable(self)
        else:
            cta.in_flight.discard(self)
            if self.follower is not None:
                machine.enable(self.follower)
            cta.check_exit()
        self.agent.engines.wake()
