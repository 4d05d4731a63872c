# SPDX-License-Identifier: MIT
"""Matrix products as the tensor core computes them.

Products of operands of up to 16 bits are exact in fp32, and fp32 accumulates. The order
of the sum is NumPy's, not the hardware's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

TF32, TF32X3, IEEE = 0, 1, 2
"""Values of Triton's input precision."""

_TF32_MASK = np.uint32(0xFFFFE000)


def to_tf32(x: Array) -> Array:
    """Drops the 13 bits of an fp32 that the tensor core does not read."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    return (bits & _TF32_MASK).view(np.float32)


def multiply(
    a: Array, b: Array, c: Array | None, dtype: np.dtype[Any], precision: int
) -> Array:
    """Returns `a * b + c`, or `a * b` if c is None.

    Args:
        a: M x K.
        b: K x N.
        c: M x N.
        dtype: Type of the result.
        precision: How fp32 operands are read.
    """
    if a.dtype.kind in "iu":
        # Sums of products of bytes are exact in float64 for all K below 2**38.
        product = a.astype(np.float64) @ b.astype(np.float64)
        result = product.astype(np.int64).astype(np.int32)
        return result if c is None else result + c
    if a.dtype == np.float64:
        product = a @ b
    else:
        x, y = a.astype(np.float32), b.astype(np.float32)
        if a.dtype == np.float32 and precision == TF32:
            x, y = to_tf32(x), to_tf32(y)
        product = x @ y
    if c is not None:
        product = product + c.astype(product.dtype)
    return product.astype(dtype)
