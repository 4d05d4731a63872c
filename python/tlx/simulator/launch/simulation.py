# SPDX-License-Identifier: MIT
"""Runs launches in the simulator and keeps their reports."""

from __future__ import annotations

import dataclasses
import warnings
from pathlib import Path
from typing import Any

from tlx.backend import aot, binding, isolation, tuning
from tlx.backend.failures import is_config_failure
from tlx.errors import ArgumentError, TLXError, TLXWarning, UnsupportedError
from tlx.simulator import execute as machine
from tlx.simulator.execute import Report
from tlx.simulator.findings.base import SimulationError
from tlx.simulator.launch import grid as grids
from tlx.simulator.launch.arguments import Arguments, parameter_values
from tlx.simulator.launch.compiled import Compiled, compile_kernel
from tlx.simulator.launch.progress import ProgressBar
from tlx.simulator.launch.settings import WRITERS
from tlx.simulator.options import Options
from tlx.simulator.timeline.model import Timeline


@dataclasses.dataclass(frozen=True)
class SimulatedKernel:
    """What a simulated launch returns.

    Attributes:
        name: The kernel's.
        asm: Text of each stage that was made, such as `tlxir`.
        report: What the run has found; None if the kernel was only compiled.
    """

    name: str
    asm: dict[str, str]
    report: Report | None


class Simulation:
    """Launches that run in the simulator, and what they have shown.

    Attributes:
        options: How kernels are run.
        target: GPU that is compiled for, like `sm_90a`.
        gpu: The same, as Triton calls it.
        reports: One report for each launch that was run, also if it was ended by a
            finding.
        findings: Everything found so far, also what was raised.
        warnings: What may be a fault, or may be meant; each is a TLXWarning, too.
        launches: Launches that were started.
        ctas: Their CTAs.
    """

    def __init__(
        self, options: Options, target: str, trace: Path | None = None
    ) -> None:
        self.options = options
        self.target = target
        self.gpu = aot.parse_target(target)
        self.reports: list[Report] = []
        self.findings: list[TLXError] = []
        self.warnings: list[TLXError] = []
        self.launches = 0
        self.ctas = 0
        self._trace = trace
        self._shown: Any = {}

    def launch(
        self,
        kernel: Any,
        args: tuple[Any, ...],
        keywords: dict[str, Any],
        grid: Any,
        warmup: bool,
    ) -> SimulatedKernel:
        """Runs a kernel; see `tlx.backend.interception.Launcher`."""
        if kernel.is_gluon() and self.options.level != "stock_ttgir":
            raise UnsupportedError(
                f"expects 'level' to be stock_ttgir for '{kernel.__name__}', a kernel "
                f"of Gluon, but got {self.options.level}"
            )
        for hook in kernel.pre_run_hooks:
            hook(*args, **keywords)
        named = binding.named_arguments(kernel, args, keywords)
        arguments = Arguments(kernel, named)
        bound = binding.bind(kernel, arguments.values, keywords, self.gpu)
        compiled = compile_kernel(bound, self.options.level)
        report = None
        if not warmup:
            size = grids.normalize(grid, {**bound.values, **arguments.original})
            report = self._execute(bound, compiled, arguments, size)
        return SimulatedKernel(kernel.__name__, dict(compiled.asm), report)

    def _execute(
        self,
        bound: binding.Bound,
        compiled: Compiled,
        arguments: Arguments,
        grid: tuple[int, int, int],
    ) -> Report:
        self.launches += 1
        self.ctas += grid[0] * grid[1] * grid[2]
        name = bound.kernel.__name__
        try:
            with ProgressBar(name) as progress:
                report = machine.execute(
                    compiled.program,
                    grid,
                    parameter_values(bound, compiled.takes_descriptors),
                    arguments.memory,
                    self.options,
                    progress=progress,
                    code=compiled.code,
                )
        except SimulationError as error:
            if error.report is not None:
                self._keep(error.report)
            raise
        self._keep(report)
        return report

    def _keep(self, report: Report) -> None:
        self.reports.append(report)
        self.findings.extend(report.findings)
        self.warnings.extend(report.warnings)
        if self._trace is not None and report.timeline is not None:
            self._write(report.timeline, self._trace_file(self._trace))
        for warning in report.warnings:
            self._warn(warning)

    @staticmethod
    def _write(timeline: Timeline, path: Path) -> None:
        try:
            WRITERS[path.suffix](timeline, path)
        except OSError as error:
            raise ArgumentError(
                "expects 'trace' to be a file that can be written, but got "
                f"'{path}': {error.strerror}"
            ) from None

    def _warn(self, warning: TLXError) -> None:
        """Shows a warning at its line of the kernel, once unless a filter says more."""
        text = warning.headline
        for note, place in warning.notes:
            text += f"; {note}" if place is None else f"; {note}: line {place.line}"
        warnings.warn_explicit(
            text,
            TLXWarning,
            warning.file or "<unknown>",
            warning.line or 1,
            registry=self._shown,
        )

    def _trace_file(self, path: Path) -> Path:
        """Returns the file of this launch: the second one gets `-2`."""
        number = f"-{self.launches}" if self.launches > 1 else ""
        return path.with_name(f"{path.stem}{number}{path.suffix}")

    def tune(self, tuner: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Runs an autotuned kernel with the first configuration that compiles.

        The simulator has no times to compare. Hooks of a configuration run as usual;
        those of the tuner, which undo what measuring did, have nothing to undo.
        """
        tuner.nargs = dict(zip(tuner.arg_names, args, strict=False))
        first: Exception | None = None
        try:
            configs = tuner.configs
            if len(configs) > 1:
                configs = tuner.prune_configs(keywords)
            for config in configs:
                try:
                    with isolation.wanted():
                        result = self._run_config(tuner, config, args, keywords)
                except Exception as error:
                    if not is_config_failure(error):
                        raise
                    first = first or error
                    tuning.warn(config, error)
                    continue
                tuner.best_config = config
                return result
            raise first or ArgumentError("expects a configuration, but got none")
        finally:
            tuner.nargs = None

    @staticmethod
    def _run_config(
        tuner: Any, config: Any, args: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        values = config.all_kwargs()
        for name in config.kwargs:
            if name in keywords:
                raise ArgumentError(
                    f"expects '{name}' to come from the configuration alone, but the "
                    "launch sets it too"
                )
        if config.pre_hook is not None:
            config.pre_hook({**tuner.nargs, **keywords, **values})
        return tuner.fn.run(*args, **keywords, **values)
