# SPDX-License-Identifier: MIT
"""Pointers: addresses in bytes, as signed 64-bit integers."""

from __future__ import annotations

import numpy as np

from tlx.errors import UnsupportedError
from tlx.simulator.code.registry import Meaning, pure
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Pointer, Scalar, Type
from tlx.simulator.semantics.values import (
    as_signed,
    element,
    on_arrays,
    signed_i1,
    width,
    wrapper,
)


def pointee_bytes(type: Type) -> int:
    """Returns the bytes from one element to the next behind a pointer.

    Args:
        type: A pointer or a tensor of pointers.
    """
    pointer = element(type)
    assert isinstance(pointer, Pointer)
    if isinstance(pointer.pointee, Scalar | Pointer):
        return pointer.pointee.dtype.itemsize
    raise UnsupportedError(f"the simulator has no pointers to '{pointer.pointee}'")


@pure("tt.addptr")
def _addptr(op: Op) -> Meaning:
    """Offsets are signed and count elements."""
    size = pointee_bytes(op.result_types[0])
    if on_arrays(op):
        return lambda p, offset: p + as_signed(offset).astype(np.int64) * size
    wrap = wrapper(64)
    if width(op.operand_types[1]) == 1:
        return lambda p, offset: wrap(p + signed_i1(int(offset)) * size)
    return lambda p, offset: wrap(p + offset * size)


@pure("tt.int_to_ptr", "tt.ptr_to_int")
def _same_bits(op: Op) -> Meaning:
    return lambda x: x
