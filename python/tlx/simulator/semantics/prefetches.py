# SPDX-License-Identifier: MIT
"""Prefetches, which are hints: the simulated machine has no caches."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tlx.simulator.code.registry import Meaning
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Tensor

_PREFETCH = re.compile(
    r"(\{ \.reg \.pred p; setp\.ne\.b32 p, \$2, 0; @p )?"
    r"prefetch\.(global\.L[12]|tensormap) \[\$1\]; mov\.b32 \$0, 0;(?(1) \})"
)


def is_prefetch(assembly: str) -> bool:
    """Tells whether PTX is what `tlx.prefetch` becomes."""
    return _PREFETCH.fullmatch(assembly) is not None


def of_pointers(op: Op) -> Meaning:
    """Returns the prefetch as the PTX has it: a result of zeros, and nothing else."""
    type = op.result_types[0]
    shape = type.shape if isinstance(type, Tensor) else None

    def run(*args: Any) -> Any:
        return 0 if shape is None else np.zeros(shape, np.int32)

    return run
