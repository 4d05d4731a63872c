# SPDX-License-Identifier: MIT
"""Tests of kernels without a GPU.

`check_kernel` runs a launch with many schedules and compares with a reference;
`tlx.testing.plugin` is for pytest.
"""

from __future__ import annotations

import copy
import itertools
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import ml_dtypes
import numpy as np

from tlx.simulator import simulate
from tlx.simulator.findings.mismatch import ResultMismatch
from tlx.simulator.machine.global_memory import GlobalMemory

__all__ = ["check_kernel"]

Array = np.ndarray[Any, Any]

# Units in the last place of the largest expected value: the result is rounded, and sums
# may be in another order.
_STEPS = 4


def _tolerance(result: Array, expected: Array) -> float:
    """Returns the largest allowed difference."""
    if result.dtype.kind in "biu":
        return 0.0
    epsilon = float(ml_dtypes.finfo(result.dtype).eps)
    largest = float(np.max(np.abs(expected), initial=0.0))
    return _STEPS * epsilon * largest


def _as_array(value: Any) -> Array:
    torch: Any = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        value = value.detach()
        if value.dtype == torch.bfloat16:
            # NumPy does not know the type by itself.
            return value.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return np.asarray(value)


def _as_arrays(values: Any) -> tuple[Array, ...]:
    items = values if isinstance(values, (tuple, list)) else (values,)
    return tuple(_as_array(item) for item in items)


def _compare(
    place: str,
    result: Array,
    expected: Array,
    atol: float | None,
    memories: Sequence[GlobalMemory],
) -> None:
    if result.shape != expected.shape:
        raise AssertionError(
            f"{place}: the shape is {result.shape}, expected is {expected.shape}"
        )
    wide = np.float64 if result.dtype.kind not in "biu" else result.dtype
    left, right = result.astype(wide), expected.astype(wide)
    allowed = _tolerance(result, right) if atol is None else atol
    if result.dtype.kind in "biu":
        wrong = left != right
    else:
        same = (left == right) | (np.isnan(left) & np.isnan(right))
        wrong = ~same & ~(np.abs(left - right) <= allowed)
    if not wrong.any():
        return
    first = tuple(int(i) for i in np.argwhere(wrong)[0])
    message = (
        f"{place}: {int(wrong.sum())} of {wrong.size} elements differ by more than "
        f"{allowed:.3g}; the first is {list(first)}: {result[first]}, expected is "
        f"{expected[first]}"
    )
    raise ResultMismatch.of(message, result, wrong, memories)


def check_kernel(
    launch: Callable[..., Any],
    reference: Callable[..., Any],
    inputs: Sequence[Any] = (),
    *,
    seeds: Iterable[int] = range(3),
    schedules: Iterable[str] = ("round_robin", "random"),
    levels: Iterable[str] = ("tlxir",),
    atol: float | None = None,
    **options: Any,
) -> None:
    """Runs a launch with each seed, schedule and level, and compares the results.

    Args:
        launch: Launches kernels and returns the result, or a tuple of results. It is
            called with copies of `inputs`.
        reference: Returns the expected results for the same inputs.
        inputs: NumPy arrays, made with `tlx.simulator.tensor` if the launch wants
            tensors, and other values.
        seeds: Seeds of the schedules.
        schedules: Names of schedules. Round robin does not depend on the seed and is
            run once.
        levels: `tlxir`, `ttgir` for what TLX lowers it to, and `stock_ttgir` for what
            Triton makes of that.
        atol: Largest allowed difference. By default four units in the last place of
            the largest expected value, and none for integers.
        options: Further options of `tlx.simulate`.

    Raises:
        ResultMismatch: A result differs; it is an AssertionError, too. The message says
            under which schedule, and which store wrote the first wrong tile.
        AssertionError: The number or the shape of results differs.
        TLXError: A run has a finding.
    """
    expected = _as_arrays(reference(*copy.deepcopy(tuple(inputs))))
    seeds = list(seeds)
    for level, schedule in itertools.product(levels, schedules):
        for seed in seeds[:1] if schedule == "round_robin" else seeds:
            with simulate(seed=seed, schedule=schedule, level=level, **options) as sim:
                results = _as_arrays(launch(*copy.deepcopy(tuple(inputs))))
            if sim.findings:
                raise sim.findings[0]
            run = f"seed={seed}, schedule={schedule!r}, level={level!r}"
            if len(results) != len(expected):
                raise AssertionError(
                    f"{run}: {len(results)} results, expected are {len(expected)}"
                )
            memories = [r.memory for r in sim.reports if r.memory is not None]
            pairs = zip(results, expected, strict=True)
            for number, (result, wanted) in enumerate(pairs):
                place = f"result {number} with {run}" if number else f"with {run}"
                _compare(place, result, wanted, atol, memories)
