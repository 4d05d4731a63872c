# SPDX-License-Identifier: MIT
"""`tlx.simulate()`, and the simulation of a whole process."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Iterator

from tlx.backend import interception
from tlx.simulator.launch.settings import (
    DEFAULT_TARGET,
    from_environment,
    is_on,
    make_options,
)
from tlx.simulator.launch.simulation import Simulation
from tlx.simulator.options import Options

_DEFAULTS = Options()


@contextlib.contextmanager
def simulate(
    seed: int = _DEFAULTS.seed,
    schedule: str = _DEFAULTS.schedule,
    max_runs: int = _DEFAULTS.max_runs,
    max_steps: int = _DEFAULTS.max_steps,
    resident: int = _DEFAULTS.resident,
    level: str = _DEFAULTS.level,
    on_finding: str = _DEFAULTS.on_finding,
    races: bool = _DEFAULTS.races,
    same_value_writes: str = _DEFAULTS.same_value_writes,
    trace: bool | str | os.PathLike[str] = _DEFAULTS.trace,
    trace_ctas: int = _DEFAULTS.trace_ctas,
    target: str = DEFAULT_TARGET,
) -> Iterator[Simulation]:
    """Runs the kernels that are launched inside of the context in the simulator.

    Launches are written as always, `kernel[grid](...)`, with NumPy arrays or torch
    tensors on the CPU; no GPU and no driver is used. The innermost of nested contexts
    counts, and each counts for the thread that entered it.

    Args:
        seed: Seed of the schedule. The same seed gives the same run.
        schedule: Order in which tasks, copies and products go on.
        max_runs: Runs after which the schedule `explore` gives up.
        max_steps: Steps after which a run is given up.
        resident: CTAs that run at the same time.
        level: IR that is run: `tlxir`, `ttgir` for what TLX lowers it to, or
            `stock_ttgir` for what a launch on a GPU would translate to machine code,
            after Triton's own passes; with it, Gluon kernels run, too.
        on_finding: `raise` raises the first finding, `collect` goes on where it can.
        races: Look for races, for reads of bytes that nobody has written, and for
            arrivals and waits that can meet another phase than is meant.
        same_value_writes: What unordered writes of the same value to the same bytes
            are: `warn` gives a TLXWarning, `error` takes them for races, `ignore` lets
            them pass.
        trace: A file for the timeline of the first launch, a page (`.html`) or a trace
            for Perfetto (`.json`); later launches have their number in the name.
            True records timelines in the reports only.
        trace_ctas: CTAs that a timeline shows: the first ones of the grid.
        target: GPU that is compiled for.

    Yields:
        The simulation, with `reports`, `findings` and `warnings` of all launches so
        far.

    Raises:
        ArgumentError: An option has a value that is not allowed.
    """
    settings = make_options(
        {
            "seed": seed,
            "schedule": schedule,
            "max_runs": max_runs,
            "max_steps": max_steps,
            "resident": resident,
            "level": level,
            "on_finding": on_finding,
            "races": races,
            "same_value_writes": same_value_writes,
            "trace": trace,
            "trace_ctas": trace_ctas,
            "target": target,
        }
    )
    simulation = Simulation(*settings)
    with interception.launches_go_to(simulation):
        yield simulation


@functools.cache
def is_asked_for() -> bool:
    """Tells whether TLX_SIMULATE asks for the simulator; later changes do not count.

    Raises:
        ArgumentError: The value is neither 0 nor 1.
    """
    return is_on(os.environ)


@functools.cache
def process_simulation() -> Simulation:
    """Returns the simulation that runs launches outside of all contexts.

    Raises:
        ArgumentError: A variable TLX_SIMULATE_... is unknown or has a value that is
            not allowed.
    """
    return Simulation(*make_options(from_environment(os.environ)))
