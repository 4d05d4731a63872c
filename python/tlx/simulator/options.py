# SPDX-License-Identifier: MIT
"""How a kernel is simulated."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True, slots=True)
class Options:
    """Options of a run.

    Attributes:
        seed: Seed of the schedule. The same seed gives the same run on any machine.
        schedule: Name of the schedule, as in `tlx.simulator.schedules`.
        max_runs: Runs after which the schedule `explore` gives up.
        max_steps: Steps after which a run is given up. A step is one operation that
            touches memory or a barrier, or one delivery by a copy or matrix engine.
        resident: Clusters (CTAs, if there are none) that run at the same time. More are
            started when those make no progress.
        level: IR that is run: `tlxir`, `ttgir` for the output of our lowering, or
            `stock_ttgir` for what Triton's own passes make of that, or of a kernel
            that does not use TLX.
        on_finding: `raise` stops at the first finding and raises it; `collect` goes on
            where it can, and the report has them all.
        races: Look for races, for reads of bytes that nobody has written, and for
            arrivals and waits that can meet another phase than is meant.
        same_value_writes: What writes of the same value without an order count as:
            `warn` notes them in the report's warnings, `error` takes them for races,
            `ignore` lets them pass.
        trace: Record a timeline; the schedule `earliest` gives the best one.
        trace_ctas: CTAs that the timeline shows: the first ones of the grid.
    """

    seed: int = 0
    schedule: str = "round_robin"
    max_runs: int = 1000
    max_steps: int = 100_000_000
    resident: int = 4
    level: str = "tlxir"
    on_finding: str = "raise"
    races: bool = True
    same_value_writes: str = "warn"
    trace: bool = False
    trace_ctas: int = 2
