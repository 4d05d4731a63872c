# SPDX-License-Identifier: MIT
"""Triton's instrumentation of kernels: sanitizers built into the machine code.

`TRITON_INSTRUMENTATION_MODE` names them, and a launch hands the names to the compiler
as an option. Triton's stages behind TTGIR read the option themselves; what its TTGIR
stage does with it is here, as that stage of our sources is ours.
"""

from __future__ import annotations

from typing import Any

from triton import knobs

from tlx.backend.stock_passes import StockPass
from tlx.backend.versions import Version
from tlx.errors import ArgumentError, UnsupportedError, did_you_mean

OPTION = "instrumentation_mode"
VARIABLE = "TRITON_INSTRUMENTATION_MODE"
SANITIZERS = ("consan", "fpsan", "gsan", "iisan")


def current() -> str:
    """Returns what the user has asked for, empty for nothing."""
    return knobs.compilation.instrumentation_mode


def launch_options() -> dict[str, Any]:
    """Returns the options that a launch adds to those of the user."""
    options: dict[str, Any] = {OPTION: current()}
    casts = "fpsan_homomorphic_casts"
    if hasattr(knobs.compilation, casts):
        options[casts] = getattr(knobs.compilation, casts)
    return options


def _names(mode: str) -> list[str]:
    # The profiler's mode describes what it measures, like `default:metric_type=...`.
    if ":" in mode:
        return []
    return [name.strip() for name in mode.split(",") if name.strip()]


def check(mode: Any) -> None:
    """Makes sure that a mode names sanitizers of Triton, or is its profiler's.

    Raises:
        ArgumentError: It does not.
    """
    if not isinstance(mode, str):
        raise ArgumentError.expects(OPTION, "a text", mode)
    for name in _names(mode):
        if name not in SANITIZERS:
            raise ArgumentError(
                f"expects '{VARIABLE}' to name some of {', '.join(SANITIZERS)}, but "
                f"got {name!r}{did_you_mean(name, SANITIZERS)}"
            )


def check_is_off(where: str) -> None:
    """Makes sure that the user has asked for no instrumentation.

    Args:
        where: What could not honour it.

    Raises:
        UnsupportedError: The user has.
    """
    if mode := current():
        raise UnsupportedError(
            f"expects '{VARIABLE}' to be unset {where}, but got {mode!r}"
        )


def check_without_gpu(mode: str) -> None:
    """Makes sure that a kernel can be instrumented where there is no GPU.

    Raises:
        UnsupportedError: The sanitizer asks the driver for properties of the GPU.
    """
    if "gsan" in _names(mode):
        raise UnsupportedError(
            f"expects '{VARIABLE}' to be without gsan where no kernel is launched, "
            f"but got {mode!r}: it needs a GPU"
        )


def passes(options: Any, version: Version) -> tuple[StockPass, ...]:
    """Returns what Triton's TTGIR stage runs behind its other passes.

    Args:
        options: Compile options.
        version: Triton release.
    """
    if "fpsan" not in _names(getattr(options, OPTION, None) or ""):
        return ()
    has_arguments = version >= (3, 9)
    casts = getattr(options, "fpsan_homomorphic_casts", False)
    return (
        StockPass("ttgpuir.add_fp_sanitizer", (casts,) if has_arguments else ()),
        StockPass(
            "ttgpuir.add_remove_layout_conversions", (True,) if has_arguments else ()
        ),
        StockPass("common.add_canonicalizer"),
        StockPass("common.add_cse"),
    )
