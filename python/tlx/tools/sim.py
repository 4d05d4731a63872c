# SPDX-License-Identifier: MIT
"""`python -m tlx sim`: a Python script whose kernels run in the simulator."""

from __future__ import annotations

import argparse
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triton.errors import TritonError

from tlx.errors import TLXError
from tlx.tools import files

if TYPE_CHECKING:
    from tlx.simulator.launch.simulation import Simulation


def add_parser(commands: Any) -> None:
    """Adds the command to the command line."""
    from tlx.simulator.launch.settings import SETTINGS

    parser = commands.add_parser(
        "sim",
        help="run a Python script and its kernels without a GPU",
        description="Run a Python script; all kernels that it launches are simulated. "
        "The exit status is 1 if a kernel is at fault, else that of the script.",
    )
    for setting in SETTINGS:
        default = "none" if setting.default == "" else setting.default
        parser.add_argument(
            f"--{setting.name.replace('_', '-')}",
            metavar="|".join(setting.choices) or type(setting.default).__name__.upper(),
            help=f"{setting.help} (default: {default})",
        )
    parser.add_argument("file", metavar="FILE", type=Path, help="Python script")
    parser.add_argument(
        "arguments", metavar="ARGS", nargs=argparse.REMAINDER, help="its arguments"
    )
    parser.set_defaults(prepare=prepare, run=run)


def _simulation(options: argparse.Namespace) -> Simulation:
    from tlx.simulator.launch.settings import SETTINGS, make_options
    from tlx.simulator.launch.simulation import Simulation

    values: dict[str, Any] = {}
    for setting in SETTINGS:
        text = getattr(options, setting.name)
        if text is not None:
            flag = f"--{setting.name.replace('_', '-')}"
            values[setting.name] = setting.parse(text, flag)
    chosen, target, trace = make_options(values)
    if trace is not None:
        rule = "in a folder that can be written"
        files.make_folder(trace.parent, "--trace", rule)
    return Simulation(chosen, target, trace)


def _run_script(path: Path, arguments: list[str]) -> int:
    """Runs a script as `python FILE ARGS` does; returns its exit status."""
    try:
        files.run_script(path, arguments)
    except SystemExit as error:
        if error.code is None or isinstance(error.code, int):
            return error.code or 0
        print(error.code, file=sys.stderr)
        return 1
    except (TLXError, TritonError):
        raise
    except Exception as error:
        frames = error.__traceback__
        while frames and frames.tb_frame.f_code.co_filename != str(path):
            frames = frames.tb_next
        traceback.print_exception(error.with_traceback(frames))
        return 1
    return 0


def _summary(simulation: Simulation) -> str:
    steps = sum(report.steps for report in simulation.reports)
    counts = [
        (simulation.launches, "launch", "launches"),
        (simulation.ctas, "CTA", "CTAs"),
        (steps, "step", "steps"),
        (len(simulation.findings), "finding", "findings"),
    ]
    if simulation.warnings:
        counts.append((len(simulation.warnings), "warning", "warnings"))
    return ", ".join(f"{n} {one if n == 1 else more}" for n, one, more in counts)


@dataclass(frozen=True)
class Plan:
    """A script, and the simulation that runs its kernels."""

    simulation: Simulation
    file: Path
    arguments: list[str]


def prepare(options: argparse.Namespace) -> Plan:
    """Sets up the simulation.

    Raises:
        TLXError: The command line is at fault.
    """
    files.check_script(options.file)
    return Plan(_simulation(options), options.file, options.arguments)


def run(plan: Plan) -> int:
    """Runs a script, then lists what was found; returns the exit status."""
    from tlx.backend import interception

    simulation = plan.simulation
    status = 1
    interception.all_launches_go_to(lambda: simulation)
    try:
        status = _run_script(plan.file, plan.arguments)
    except (TLXError, TritonError) as error:
        if error not in simulation.findings:
            print(error, file=sys.stderr)
    finally:
        interception.all_launches_go_to(None)
        for finding in simulation.findings:
            print(finding, file=sys.stderr)
        print(f"simulated: {_summary(simulation)}", file=sys.stderr)
    return 1 if simulation.findings else status
