# SPDX-License-Identifier: MIT
"""Numbers of the enums of `tt`, by the names that Triton's front end uses.

The front end passes enum objects of the wheel. They are taken by name, so that a
wheel that renumbers them changes nothing, and an unknown name is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

CACHE_MODIFIER = {
    "NONE": "none",
    "CA": "ca",
    "CG": "cg",
    "WB": "wb",
    "CS": "cs",
    "WT": "wt",
    "CV": "cv",
}
EVICTION_POLICY = {
    "NORMAL": "evict_normal",
    "EVICT_FIRST": "evict_first",
    "EVICT_LAST": "evict_last",
}
MEM_SEMANTIC = {"RELAXED": 1, "ACQUIRE": 2, "RELEASE": 3, "ACQUIRE_RELEASE": 4}
MEM_SYNC_SCOPE = {"GPU": 1, "CTA": 2, "SYSTEM": 3}
ATOMIC_OP = {
    "AND": 1,
    "OR": 2,
    "XOR": 3,
    "ADD": 4,
    "FADD": 5,
    "MAX": 6,
    "MIN": 7,
    "UMAX": 8,
    "UMIN": 9,
    "XCHG": 10,
}
DESCRIPTOR_REDUCE_KIND = {
    "ADD": 1,
    "MIN": 2,
    "MAX": 3,
    "INC": 4,
    "DEC": 5,
    "AND": 6,
    "OR": 7,
    "XOR": 8,
}
PADDING_OPTION = {"PAD_ZERO": 1, "PAD_NAN": 2}
ROUNDING_MODE = {"RTZ": 0, "RTNE": 1}
PROPAGATE_NAN = {"NONE": 0, "ALL": 65535}
INPUT_PRECISION = {"TF32": 0, "TF32x3": 1, "IEEE": 2, "BF16x3": 3, "BF16x6": 4}
SCALE_DOT_ELEM_TYPE = {
    "E4M3": 0,
    "E5M2": 1,
    "E2M3": 2,
    "E3M2": 3,
    "E2M1": 4,
    "BF16": 5,
    "FP16": 6,
}


def by_name(names: Mapping[str, Any]) -> Callable[[Any], Any]:
    """Make the conversion of a wheel's enum object; None stays None."""

    def convert(value: Any) -> Any:
        if value is None:
            return None
        if value.name not in names:
            raise ValueError(
                f"expects one of {', '.join(names)}, but got {value.name!r}"
            )
        return names[value.name]

    return convert
