# SPDX-License-Identifier: MIT
"""Keeps a bad configuration from ending the autotuner, and says why it is left out."""

from __future__ import annotations

import functools
import os
import sys
import warnings
from pathlib import Path
from typing import Any

import triton
from triton.runtime.autotuner import Autotuner

from tlx.backend import isolation
from tlx.backend.detect import uses_tlx

# In a source checkout this folder is linked into the package.
_OWN_FOLDERS = tuple(
    f"{folder}{os.sep}"
    for folder in (
        Path(triton.__file__).parent,
        Path(__file__).parents[1],
        Path(__file__).resolve().parent,
    )
)


def _stack_level() -> int:
    """Returns how many calls above the caller's code is neither Triton's nor ours."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_code.co_filename.startswith(_OWN_FOLDERS):
        level, frame = level + 1, frame.f_back
    return level


def warn(config: Any, error: Exception) -> None:
    """Says that a configuration cannot be used."""
    from tlx.backend.failures import in_one_line
    from tlx.errors import TLXWarning

    warnings.warn(
        f"configuration '{config}' is left out: {in_one_line(error)}",
        TLXWarning,
        stacklevel=_stack_level(),
    )


def _bench(original: Any, tuner: Any, args: Any, config: Any, meta: Any) -> Any:
    """Measures a configuration of a kernel that uses TLX."""
    from tlx.backend.failures import is_config_failure

    failures: list[Exception] = []
    hook = tuner.post_hook

    def note(arguments: Any, exception: Exception | None) -> Any:
        if exception is not None:
            failures.append(exception)
        return hook(arguments, exception=exception)

    # The autotuner keeps what a configuration has raised to itself, but for this hook.
    tuner.post_hook = note
    try:
        with isolation.wanted():
            times = original(tuner, *args, config=config, **meta)
    finally:
        tuner.post_hook = hook
    if failures and is_config_failure(failures[-1]):
        warn(config, failures[-1])
    return times


def install() -> None:
    """Makes the autotuner compile TLX kernels in a process of their own.

    Further calls change nothing.
    """
    bench: Any = Autotuner._bench
    if getattr(bench, "__module__", None) == __name__:
        return
    warmup: Any = Autotuner.warmup
    assigned = ("__doc__", "__name__", "__qualname__")

    @functools.wraps(bench, assigned=assigned)
    def new_bench(self: Any, *args: Any, config: Any, **meta: Any) -> Any:
        if not uses_tlx(self, config.kwargs.values()):
            return bench(self, *args, config=config, **meta)
        return _bench(bench, self, args, config, meta)

    @functools.wraps(warmup, assigned=assigned)
    def new_warmup(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not uses_tlx(self):
            return warmup(self, *args, **kwargs)
        with isolation.wanted():
            return warmup(self, *args, **kwargs)

    Autotuner._bench = new_bench  # type: ignore[method-assign]
    Autotuner.warmup = new_warmup  # type: ignore[method-assign]
