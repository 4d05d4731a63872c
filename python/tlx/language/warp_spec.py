# SPDX-License-Identifier: MIT
"""Helpers that warp-specialised kernels share."""

from __future__ import annotations

from triton.language.core import constexpr
from triton.runtime.jit import jit

__all__ = ["get_bufidx_phase"]


@jit
def get_bufidx_phase(accum_cnt, NUM_BUFFERS: constexpr):
    """Turn a running counter into the slot of a ring and its phase parity.

    Args:
        accum_cnt: how many buffers were used so far; not negative.
        NUM_BUFFERS: length of the ring.

    Returns:
        `accum_cnt % NUM_BUFFERS` and `(accum_cnt // NUM_BUFFERS) & 1`.
    """
    buf_idx = accum_cnt % NUM_BUFFERS
    phase = (accum_cnt // NUM_BUFFERS) & 1
    return buf_idx, phase
