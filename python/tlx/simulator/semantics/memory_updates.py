# SPDX-License-Identifier: MIT
"""How stores and atomics combine a value with what memory holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Combine = Callable[[Any, Any], Any]


def _unsigned(function: Combine) -> Combine:
    def combine(old: Any, new: Any) -> Any:
        kind = np.dtype(f"u{old.dtype.itemsize}")
        return function(old.view(kind), new.view(kind)).view(old.dtype)

    return combine


def _wrapping(old: Any, new: Any) -> Any:
    with np.errstate(all="ignore"):
        return old + new


DESCRIPTOR: dict[int, Combine] = {
    1: _wrapping,
    2: np.minimum,
    3: np.maximum,
    4: lambda old, new: _wrapping(old, 1) * (old < new),
    5: lambda old, new: np.where((old == 0) | (old > new), new, old - 1),
    6: np.bitwise_and,
    7: np.bitwise_or,
    8: np.bitwise_xor,
}
"""By the number of `DescriptorReduceKind`; integers are signed."""


def descriptor_update(kind: int, *, unsigned: bool) -> Combine:
    """Returns how a copy combines, by the number of `DescriptorReduceKind`."""
    return _unsigned(DESCRIPTOR[kind]) if unsigned else DESCRIPTOR[kind]


ATOMIC: dict[int, Combine] = {
    1: np.bitwise_and,
    2: np.bitwise_or,
    3: np.bitwise_xor,
    4: _wrapping,
    5: _wrapping,
    6: np.maximum,
    7: np.minimum,
    8: _unsigned(np.maximum),
    9: _unsigned(np.minimum),
    10: lambda old, new: new,
}
"""By the number of `RMWOp`."""
