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
SHARED_LATENCY = 23
GLOBAL_BYTES = 78
GLOBAL_LATENCY = 280
MMA_FLOPS = 4096
MMA_LATENCY = 54
WAIT = 60
NAMED_BARRIER = 28
ISSUE = 4
BRANCH = 10
FORK = 100

_SOURCES = {
    "LANES": (
        "fp32 results per cycle; each task gets them all",
        "CUDA C++ Programming Guide, Arithmetic Instructions, compute capability 9.0; "
        "measured 125",
    ),
    "SLOW": (
        "how much slower exp, exp2, log, log2 and sqrt are",
        "the same table: 16 results per cycle; measured 15.9",
    ),
    "SHARED_BYTES": (
        "bytes per cycle of shared memory",
        "32 banks of 4 bytes; CUDA C++ Programming Guide, Shared Memory, 5.x to 9.0",
    ),
    "SHARED_LATENCY": ("cycles of a load from shared memory", "measured 23.0"),
    "GLOBAL_BYTES": (
        "bytes per cycle of copies, loads and stores of one multiprocessor, from L2",
        "measured 78.5 for bulk copies, by one multiprocessor or by all at one place",
    ),
    "GLOBAL_LATENCY": (
        "cycles until the first bytes are there, from L2",
        "measured 275 to 283",
    ),
    "MMA_FLOPS": (
        "operations per cycle of a product with 16-bit operands; those of 8 bits are "
        "twice as fast, those of 32 bits half",
        "989.4 TFLOP/s, 132 multiprocessors, 1.83 GHz (NVIDIA H100 whitepaper); "
        "measured 4093",
    ),
    "MMA_LATENCY": (
        "cycles from the end of a product on the engine to the end of a wait for it",
        "measured: 182 for one m64n256k16, which keeps the engine busy for 128",
    ),
    "WAIT": (
        "cycles from the arrival that completes a phase to the end of a wait for it",
        "measured 64 to 66, less ISSUE for the arrival",
    ),
    "NAMED_BARRIER": ("cycles of a named barrier", "measured 28.0"),
    "ISSUE": (
        "cycles to start or announce something: copies, products, arrivals, stores",
        "latency of simple instructions since Volta (Jia et al., arXiv 1804.06826)",
    ),
    "BRANCH": ("cycles of a loop's or condition's branch", "chosen, not measured"),
    "FORK": ("cycles in which tasks begin", "chosen, not measured"),
}

NOTE = (
    "Cycles follow a simple model of one Hopper multiprocessor: each operation costs "
    "what the table says, and an engine works on one operation after the other. Global "
    "memory is always found in L2. Caches, bank conflicts, instruction issue, other "
    "CTAs and tasks that compute at the same time cost nothing. Compare waits and "
    "overlaps within a run; do not read speed from it. 'Measured' figures are of an "
    "H200, by benchmarks/simulator_costs.py."
)

_NAMED_BARRIERS = (
    "tlx.named_barrier_wait",
    "ttg.barrier",
    "gpu.barrier",
    "llvm.nvvm.barrier.cta.sync.aligned.count",
)
_SLOW = {"math.exp", "math.exp2", "math.log", "math.log2", "math.sqrt"}


def table() -> list[tuple[str, int, str, str]]:
    """Returns all constants: name, value, meaning, source."""
    return [(name, globals()[name], *texts) for name, texts in _SOURCES.items()]


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
    if op.name in ("tlx.barrier_wait", "ttng.wait_barrier"):
        return WAIT
    if op.attrs.get("intrin", op.name) in _NAMED_BARRIERS:
        return NAMED_BARRIER
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
