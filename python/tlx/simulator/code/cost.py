# SPDX-License-Identifier: MIT
"""Cycles of operations: a simple model that gives timelines their axis.

It is for comparing waits and overlaps, not for predicting speed. All figures are for
Hopper and one multiprocessor; docs/simulator-timeline.md says what the model leaves
out.
"""

from __future__ import annotations

import math

from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Tensor

LANES = 128
SLOW = 8
SHARED_BYTES = 128
SHARED_LATENCY = 30
GLOBAL_BYTES = 14
GLOBAL_LATENCY = 600
MMA_FLOPS = 4096
MMA_LATENCY = 60
BARRIER = 20
BRANCH = 10
FORK = 100
ISSUE = 4

NOTE = (
    "Cycles follow a simple published model, not a measurement: each operation costs "
    "what the table says, engines work on one operation after the other, and caches, "
    "bank conflicts, instruction issue and other CTAs cost nothing. Compare waits and "
    "overlaps within a run; do not read speed from it."
)


_SLOW = {"math.exp", "math.exp2", "math.log", "math.log2", "math.sqrt"}


def table() -> list[tuple[str, int, str, str]]:
    """Returns all constants: name, value, meaning, source."""
    return []


def _elements(op: Op) -> int:
    types = (*op.result_types, *op.operand_types)
    return max(
        (math.prod(t.shape or (1,)) for t in types if isinstance(t, Tensor)), default=0
    )


def of_pure(op: Op, num_warps: int) -> int:
    """Returns the cycles of an operation in registers."""
    if op.name == "arith.constant":
        return 0
    elements = _elements(op)
    lanes = min(LANES, num_warps * 32)
    return max(1, elements * (SLOW if op.name in _SLOW else 1) // lanes)


def of_effect(op: Op, num_warps: int) -> int:
    """Returns the cycles that the issuing task spends on an operation."""
    if op.name.endswith((".local_load", ".local_store")):
        return SHARED_LATENCY + _bytes(op) // SHARED_BYTES
    if op.name in ("tt.load", "tt.atomic_rmw", "tt.atomic_cas"):
        return GLOBAL_LATENCY + _bytes(op) // GLOBAL_BYTES
    if op.name == "tt.store":
        return ISSUE + _bytes(op) // GLOBAL_BYTES
    if "barrier" in op.name:
        return BARRIER
    return ISSUE


def of_product(m: int, n: int, k: int, itemsize: int) -> int:
    """Returns the cycles that a product keeps the tensor core busy."""
    return max(1, 2 * m * n * k * itemsize // 2 // MMA_FLOPS)


def _bytes(op: Op) -> int:
    return max(
        (
            math.prod(t.shape or (1,)) * t.dtype.itemsize
            for t in (*op.result_types, *op.operand_types)
            if isinstance(t, Tensor)
        ),
        default=4,
    )
