# SPDX-License-Identifier: MIT
"""Mutants that are no faults, and why.

An entry matches by kernel and by the beginning of the mutant's name. Lines are not part
of it, as they are those of the examples' source.
"""

from __future__ import annotations

from collections.abc import Iterable

_FENCE = "for accesses of one task the compiler inserts the proxy fence itself"
_GROUP = "one more empty group makes each wait cover more copies, not fewer"
_FIRST = "the first product of a tile always waits for phase 0 of slot 0"
_TURN = "the last turn is taken only to leave no hardware barrier half full at the end"

_ORDER = "turns are for speed: whose product comes first does not change the result"
_SEEN = (
    "consumer 0 has waited for the same tile before it gave the turn to consumer 1, "
    "which therefore knows that the tile is there"
)
_LEFT = "a warp that exits is held until its `cp.async` copies are over"
_LATER = "a slot of V is free only after the slot of K of the same step is"

_ONCE = "the barrier has one phase, so its parity is 0 in the kernel, too"

EQUIVALENT: tuple[tuple[str, str, int, str], ...] = (
    ("gemm_cp_async", "duplicate async_load_commit_group", 3, _GROUP),
    ("gemm_cp_async", "drop fence", 1, _FENCE),
    ("gemm_cp_async", "drop async_load_wait_group", 1, _LEFT),
    ("gemm_cp_async", "pendings+1 async_load_wait_group", 1, _LEFT),
    ("gemm_ws", "parity=0 barrier_wait", 2, _FIRST),
    ("gemm_ws", "drop fence", 2, _FENCE),
    ("gemm_ws_persistent", "drop fence", 4, _FENCE),
    ("gemm_pingpong", "drop fence", 2, _FENCE),
    ("gemm_pingpong", "drop named_barrier_wait", 2, _TURN),
    ("attention", "swap4 barrier_view", 1, _LATER),
    ("attention", "wait late named_barrier_wait", 4, _ORDER),
    ("attention", "drop fence", 2, _FENCE),
    ("attention", "drop named_barrier_wait", 1, _TURN),
    ("attention", "swap3 barrier_view", 3, _SEEN),
    ("attention", "drop barrier_wait", 3, _SEEN),
    ("attention", "wait late barrier_wait", 3, _SEEN),
    ("attention_causal", "swap4 barrier_view", 1, _LATER),
    ("attention_causal", "wait late named_barrier_wait", 4, _ORDER),
    ("attention_causal", "drop fence", 2, _FENCE),
    ("attention_causal", "drop named_barrier_wait", 1, _TURN),
    ("attention_causal", "swap3 barrier_view", 3, _SEEN),
    ("attention_causal", "drop barrier_wait", 3, _SEEN),
    ("attention_causal", "wait late barrier_wait", 3, _SEEN),
    ("relay", "parity=0 barrier_wait", 1, _ONCE),
)
"""Kernel, beginning of the mutant's name, how many there are, reason."""


def split(kernel: str, mutants: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """Splits mutants that were not found into those without a fault and the missed.

    Returns:
        The reason for each that is as good as the kernel; the others.
    """
    left = {(k, name): count for k, name, count, _ in EQUIVALENT}
    reasons = {(k, name): why for k, name, _, why in EQUIVALENT}
    good, missed = {}, []
    for mutant in mutants:
        key = next(
            (k for k in left if k[0] == kernel and mutant.startswith(k[1])), None
        )
        if key is None or left[key] == 0:
            missed.append(mutant)
            continue
        left[key] -= 1
        good[mutant] = reasons[key]
    return good, missed
