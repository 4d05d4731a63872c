# SPDX-License-Identifier: MIT
"""How types of a kernel's parameters are spelled."""

from __future__ import annotations

import math
import re

from tlx.errors import ArgumentError, did_you_mean

SCALARS = (
    *("i1", "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64"),
    *("fp8e4nv", "fp8e4b15", "fp8e5", "fp16", "bf16", "fp32", "fp64"),
)
_POINTER = re.compile(r"\*k?(?P<scalar>\w+)")
_DESCRIPTOR = re.compile(r"tensordesc<(?P<scalar>\w+)\[(?P<shape>[\d ,]+)\]>")
# CUDA driver API, cuTensorMapEncodeTiled: dimensions of a tensor map.
_MAX_RANK = 5
# What Triton takes for a tensor.
_MAX_ELEMENTS = 1 << 20
_FORMS = "like *fp16, i32 or tensordesc<fp16[64, 64]>"


def check(name: str, text: str) -> None:
    """Makes sure that a text is a type of a parameter.

    Args:
        name: The parameter.
        text: Its type, as Triton spells it.

    Raises:
        ArgumentError: It is none.
    """
    match = _POINTER.fullmatch(text) or _DESCRIPTOR.fullmatch(text)
    scalar = match["scalar"] if match else text
    if scalar not in SCALARS:
        raise ArgumentError(
            f"expects the type of '{name}' to be {_FORMS}, but got "
            f"{text!r}{did_you_mean(scalar, SCALARS)}"
        )
    if match and match.re is _DESCRIPTOR:
        sizes = [int(size or 0) for size in map(str.strip, match["shape"].split(","))]
        if len(sizes) > _MAX_RANK or any(n < 1 or n & (n - 1) for n in sizes):
            raise ArgumentError(
                f"expects the shape of '{name}' to be 1 to {_MAX_RANK} powers of two, "
                f"but got [{match['shape']}]"
            )
        if math.prod(sizes) > _MAX_ELEMENTS:
            raise ArgumentError(
                f"expects the tile of '{name}' to have at most {_MAX_ELEMENTS} "
                f"elements, but got {math.prod(sizes)}"
            )
