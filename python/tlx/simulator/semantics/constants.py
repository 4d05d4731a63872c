# SPDX-License-Identifier: MIT
"""Constants, poison and choice."""

from __future__ import annotations

from typing import Any

import numpy as np

from tlx.simulator.code.registry import Meaning, pure
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Pointer, Scalar, Tensor, Type
from tlx.simulator.semantics.values import element, to_scalar

POISON_BYTE = 0xA5
"""Each byte of an integer or pointer that has no defined value. An address made of
it lies outside of all memory."""


@pure("arith.constant")
def _constant(op: Op) -> Meaning:
    value, type = op.attrs["value"], op.result_types[0]
    if isinstance(type, Tensor) and type.shape is None:
        value = np.asarray(value, dtype=type.dtype)
    return lambda: value


def poison(type: Type) -> Any:
    """Returns a value that shows in a result if it is used.

    Floats are NaN and integers consist of bytes 0xA5; i1 is 1. Zero would hide the
    use of a value that was never defined. Tokens and the like are None.
    """
    if not isinstance(type, Scalar | Pointer | Tensor):
        return None
    scalar = element(type)
    if scalar.dtype.kind in "ib":
        one = np.full(scalar.dtype.itemsize, POISON_BYTE, np.uint8)
        bits = one.view(scalar.dtype) if scalar.dtype.kind == "i" else one & 1 == 1
        value = bits[0]
    else:
        value = np.asarray(np.nan).astype(scalar.dtype)
    if not isinstance(type, Tensor):
        return to_scalar(value, type)
    filled = np.full(type.shape or (), value, dtype=type.dtype)
    filled.flags.writeable = False
    return filled


@pure("ub.poison", "llvm.mlir.poison", "llvm.mlir.undef")
def _poison(op: Op) -> Meaning:
    value = poison(op.result_types[0])
    return lambda: value


@pure("arith.select")
def _select(op: Op) -> Meaning:
    if isinstance(op.operand_types[0], Tensor):
        return np.where
    return lambda condition, a, b: a if condition else b
