# SPDX-License-Identifier: MIT
"""How types of a kernel's parameters are spelled."""

from __future__ import annotations

import re

from tlx.errors import ArgumentError, did_you_mean

SCALARS = (
    *("i1", "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64"),
    *("fp8e4nv", "fp8e4b15", "fp8e5", "fp16", "bf16", "fp32", "fp64"),
)
_POINTER = re.compile(r"\*+k?(?P<scalar>\w+)")
_DESCRIPTOR = re.compile(r"tensordesc<(?P<scalar>\w+)\[(?P<shape>[\d\s,]+)\]>")
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
        sizes = match["shape"].split(",")
        if not all(size.strip().isdecimal() and int(size) > 0 for size in sizes):
            raise ArgumentError(
                f"expects the shape of '{name}' to be sizes like [64, 64], but got "
                f"[{match['shape']}]"
            )
