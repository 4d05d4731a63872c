# SPDX-License-Identifier: MIT
"""Cycles of operations: a simple model that gives timelines their axis.

It is for comparing waits and overlaps, not for predicting speed. All figures are for
Hopper and one multiprocessor.

| constant | meaning | source |
|---|---|---|
| LANES | fp32 results per cycle | CUDA programming guide, arithmetic throughput, 9.0 |
| SHARED_BYTES | bytes per cycle of shared memory | 32 banks of 4 bytes |
| GLOBAL_BYTES | bytes per cycle and multiprocessor | 3.35 TB/s, 132 units, 1.755 GHz |
| GLOBAL_LATENCY | cycles of a load that misses L2 | order of published measurements |
| MMA_FLOPS | fp16 operations per cycle | 989 TFLOP/s, 132 units, 1.83 GHz |
"""

from __future__ import annotations

import math

from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Tensor

LANES = 128
SHARED_BYTES = 128
GLOBAL_BYTES = 14
GLOBAL_LATENCY = 600
SHARED_LATENCY = 30
MMA_FLOPS = 4096
MMA_LATENCY = 60
BARRIER = 20
BRANCH = 10
FORK = 100
ISSUE = 4

_SLOW = {"math.exp": 8, "math.exp2": 8, "math.log": 8, "math.log2": 8, "math.sqrt": 8}
"""Quarter-rate functions and their kin: how much slower than an addition."""


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
    return max(1, elements * _SLOW.get(op.name, 1) // lanes)


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
