# SPDX-License-Identifier: MIT
"""Runs a program on the simulated machine."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import tlx.simulator.semantics  # noqa: F401  (registers the meanings)
from tlx.errors import TLXError
from tlx.simulator.code.instructions import Code
from tlx.simulator.code.linear import linearize
from tlx.simulator.explore import EXPLORE, Exploration, explore
from tlx.simulator.findings.base import SimulationError
from tlx.simulator.ir.program import Program
from tlx.simulator.machine.global_memory import GlobalMemory
from tlx.simulator.machine.machine import Machine, Progress
from tlx.simulator.options import Options
from tlx.simulator.timeline.model import Timeline
from tlx.simulator.timeline.recorder import Recorder


@dataclasses.dataclass(slots=True)
class Report:
    """What a run has shown.

    Attributes:
        kernel: Name of the kernel.
        grid: CTAs per dimension.
        findings: Faults of the kernel; empty for a good one.
        steps: Operations that others could see.
        cycles: Cycles of the cost model.
        timeline: What happened when, if it was recorded.
        exploration: What the schedule `explore` has covered.
        memory: Global memory, which knows who wrote what. It is about arrays of this
            process, so a report that comes from another one has none.
        warnings: What may be a fault, or may be meant.
    """

    kernel: str
    grid: tuple[int, int, int]
    findings: list[TLXError]
    steps: int
    cycles: int
    timeline: Timeline | None = None
    exploration: Exploration | None = None
    memory: GlobalMemory | None = None
    warnings: list[TLXError] = dataclasses.field(default_factory=list)

    def __reduce__(self) -> tuple[Any, ...]:
        values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        return Report, tuple({**values, "memory": None}.values())


def _explore(
    program: Program,
    grid: tuple[int, int, int],
    params: Sequence[Any],
    memory: GlobalMemory,
    options: Options,
) -> Exploration:
    """Explores schedules; memory is as before afterwards, unless one has a fault."""
    saved = memory.save()

    def inputs() -> tuple[Sequence[Any], GlobalMemory]:
        memory.restore(saved)
        return params, memory

    exploration = explore(program, grid, inputs, options)
    if exploration.finding is None:
        memory.restore(saved)
    return exploration


def _ended(
    exploration: Exploration,
    finding: SimulationError,
    program: Program,
    grid: tuple[int, int, int],
    options: Options,
) -> Report:
    """Returns the report of an exploration that has found a fault, or raises it."""
    steps = len(exploration.schedule or ())
    report = Report(program.kernel, grid, [finding], steps, 0, exploration=exploration)
    if exploration.runs > 1:
        finding.add_note(
            f"found on schedule {exploration.runs} of an exploration, after {steps} "
            "steps; those before it do not show it"
        )
    if options.on_finding == "raise":
        finding.report = report
        raise finding
    return report


def execute(
    program: Program,
    grid: tuple[int, int, int],
    params: Sequence[Any],
    memory: GlobalMemory,
    options: Options,
    progress: Progress | None = None,
    code: dict[str, Code] | None = None,
) -> Report:
    """Runs a kernel.

    Args:
        program: TLX IR or TTGIR.
        grid: CTAs per dimension.
        params: One value per parameter; see `tlx.simulator.code.registry`.
        memory: Where the pointers among them point.
        options: How to run it.
        progress: Is called with the CTAs done and all CTAs.
        code: The program, linearised before.

    Raises:
        SimulationError: The first finding, if `options.on_finding` is `raise`. It has
            the report of the run so far.
        UnsupportedError: The program holds what the simulator cannot run.
    """
    exploration = None
    if options.schedule == EXPLORE:
        exploration = _explore(program, grid, params, memory, options)
        if exploration.finding is not None:
            return _ended(exploration, exploration.finding, program, grid, options)
        options = dataclasses.replace(options, schedule="round_robin")
    code = linearize(program) if code is None else code
    recorder = Recorder(program.kernel, grid, options) if options.trace else None
    if recorder is not None:
        code = recorder.traced(code)
    machine = Machine(program, code, grid, params, memory, options, recorder)
    error: SimulationError | None = None
    try:
        machine.run(progress)
    except SimulationError as finding:
        error = finding
        machine.findings.append(error)
    timeline = recorder.finish(machine, error) if recorder is not None else None
    report = Report(
        program.kernel,
        grid,
        machine.findings,
        machine.steps,
        machine.cycles,
        timeline,
        exploration,
        memory,
        machine.warnings,
    )
    if error is not None and options.on_finding == "raise":
        error.report, error.timeline = report, timeline
        raise error
    return report
