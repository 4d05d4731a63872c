# SPDX-License-Identifier: MIT
"""Types, constants and options of a kernel, from a launch of it in a script."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from tlx.backend import binding, interception
from tlx.errors import ArgumentError, CompileError, did_you_mean
from tlx.simulator.launch.arguments import Arguments
from tlx.simulator.launch.settings import make_options
from tlx.simulator.launch.simulation import Simulation
from tlx.tools import files
from tlx.tools.signatures import Specialization


class _Seen(SystemExit):
    """The launch was seen; what the script, or its thread, does then is of no use."""


@dataclasses.dataclass(frozen=True)
class Launch:
    """A launch that was seen.

    Attributes:
        kernel: The `@triton.jit` function.
        special: How it was to be compiled.
    """

    kernel: Any
    special: Specialization


class _Watch(Simulation):
    """Simulates launches until one of the wanted kernel comes."""

    def __init__(self, wanted: str, target: str) -> None:
        super().__init__(make_options({})[0], target)
        self.wanted = wanted
        self.launch_seen: Launch | None = None
        self.others: list[str] = []

    def launch(
        self,
        kernel: Any,
        args: tuple[Any, ...],
        keywords: dict[str, Any],
        grid: Any,
        warmup: bool,
    ) -> Any:
        if self.wanted not in ("", kernel.__name__):
            self.others.append(kernel.__name__)
            return super().launch(kernel, args, keywords, grid, warmup)
        if self.launch_seen is None:
            for hook in kernel.pre_run_hooks:
                hook(*args, **keywords)
            arguments = Arguments(
                kernel, binding.named_arguments(kernel, args, keywords)
            )
            bound = binding.bind(kernel, arguments.values, keywords, self.gpu)
            self.launch_seen = Launch(kernel, _specialization(bound, keywords))
        raise _Seen


def _specialization(bound: binding.Bound, keywords: dict[str, Any]) -> Specialization:
    """Returns how a launch compiles a kernel."""
    kernel = bound.kernel
    return Specialization(
        signature={n: t for n, t in bound.signature.items() if t != "constexpr"},
        constexprs={
            kernel.arg_names[path[0]]: value
            for path, value in bound.constexprs.items()
            if len(path) == 1
        },
        nested={p: value for p, value in bound.constexprs.items() if len(p) > 1},
        known={path: attrs for path, attrs in bound.attrs.items() if attrs},
        options={k: v for k, v in keywords.items() if k not in kernel.arg_names},
    )


def first_launch(path: Path, arguments: list[str], kernel: str, target: str) -> Launch:
    """Runs a script until it launches a kernel.

    Launches of other kernels before that are simulated, so that what they compute is
    there; the script does not go on after it.

    Args:
        path: The script.
        arguments: Its arguments.
        kernel: Name of the kernel, empty for the first one that is launched.
        target: GPU that is compiled for, like `sm_90a`.

    Raises:
        ArgumentError: There is no such script, or it launches no such kernel.
        CompileError: The script raises something before that.
    """
    wanted = f"'{kernel}'" if kernel else "a kernel"
    watch = _Watch(kernel, target)
    interception.all_launches_go_to(lambda: watch)
    try:
        files.run_main(path, arguments, f"launch {wanted}")
    except CompileError:
        if watch.launch_seen is None:
            raise
    finally:
        interception.all_launches_go_to(None)
    if watch.launch_seen is None:
        others = list(dict.fromkeys(watch.others))
        launched = f", only {', '.join(others)}" if others else ""
        raise ArgumentError(
            f"expects '{path}' to launch {wanted}, but it did not{launched}"
            f"{did_you_mean(kernel, others)}"
        )
    return watch.launch_seen
