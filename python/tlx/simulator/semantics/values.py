# SPDX-License-Identifier: MIT
"""Helpers on the values of operations: wrap, signs, scalars of arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Pointer, Scalar, Tensor, Type

Array = np.ndarray[Any, Any]

UNSIGNED: dict[np.dtype[Any], np.dtype[Any]] = {
    np.dtype(f"i{size}"): np.dtype(f"u{size}") for size in (1, 2, 4, 8)
}
"""Unsigned type of the same width."""


def element(type: Type) -> Scalar | Pointer:
    """Returns the type of one element of a tensor, or of the scalar itself."""
    if isinstance(type, Tensor):
        return type.element
    assert isinstance(type, Scalar | Pointer)
    return type


def width(type: Type) -> int:
    """Returns the bits of one element."""
    scalar = element(type)
    return scalar.width if isinstance(scalar, Scalar) else 64


def wrapper(bits: int) -> Callable[[int], int]:
    """Returns the function that wraps an integer to two's complement.

    Args:
        bits: Width. A value of one bit is 0 or 1.
    """
    if bits == 1:
        return lambda x: x & 1
    half, mask = 1 << (bits - 1), (1 << bits) - 1
    return lambda x: ((x + half) & mask) - half


def signed_i1(x: Any) -> Any:
    """Returns i1 as the signed number it is: 0 or -1."""
    if isinstance(x, int):
        return -(x & 1)
    return np.negative(np.asarray(x).view(np.int8))


def as_signed(x: Array) -> Array:
    """Returns integers as signed numbers; i1 becomes 0 or -1 in eight bits."""
    return signed_i1(x) if x.dtype == np.bool_ else x


def as_unsigned(x: Array) -> Array:
    """Returns integers as unsigned numbers, i1 as 0 or 1 in eight bits."""
    if x.dtype == np.bool_:
        return x.view(np.uint8)
    return x.view(UNSIGNED[x.dtype])


def like(x: Array, dtype: np.dtype[Any]) -> Array:
    """Returns integers in a type of any width; keeps the low bits."""
    if dtype == np.bool_:
        return (x & 1).astype(np.bool_)
    return x.astype(dtype, copy=False)


def to_scalar(x: Any, type: Type) -> Any:
    """Returns an element of an array as a scalar value of the simulator."""
    scalar = element(type)
    if isinstance(scalar, Pointer) or scalar.is_integer:
        return int(x)
    return scalar.dtype.type(x)


def to_array(x: Any, type: Type) -> Array:
    """Returns a scalar value as an array without dimensions."""
    return np.asarray(x, dtype=element(type).dtype)


def on_arrays(op: Op) -> bool:
    """Tells whether an operation works on arrays and not on scalars."""
    return op.is_elementwise_on_arrays
