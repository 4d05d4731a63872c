# SPDX-License-Identifier: MIT
"""Element types: what NumPy and torch call them, and what Triton does."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from tlx.errors import DTypeError, Phrase, TLXError

# Triton's name of each type that arrays can have. Types of 8 bits that Triton does not
# know, and those of less than a byte, are missing.
_NAMES: dict[str, tuple[str, Any]] = {
    "bool": ("u1", np.bool_),
    "int8": ("i8", np.int8),
    "int16": ("i16", np.int16),
    "int32": ("i32", np.int32),
    "int64": ("i64", np.int64),
    "uint8": ("u8", np.uint8),
    "uint16": ("u16", np.uint16),
    "uint32": ("u32", np.uint32),
    "uint64": ("u64", np.uint64),
    "float16": ("fp16", np.float16),
    "bfloat16": ("bf16", ml_dtypes.bfloat16),
    "float32": ("fp32", np.float32),
    "float64": ("fp64", np.float64),
    "float8_e4m3fn": ("fp8e4nv", ml_dtypes.float8_e4m3fn),
    "float8_e5m2": ("fp8e5", ml_dtypes.float8_e5m2),
}

BY_TRITON_NAME: dict[str, np.dtype[Any]] = {
    name: np.dtype(scalar) for name, scalar in _NAMES.values()
}


def _unknown(parameter: str, dtype: object) -> TLXError:
    return DTypeError.expects(
        parameter, "of an element type that the simulator has", Phrase(dtype)
    )


def triton_name(parameter: str, dtype: object) -> str:
    """Returns what Triton calls an element type.

    Args:
        parameter: Whose type it is, for the message.
        dtype: A type of NumPy, torch or `tl`.

    Raises:
        DTypeError: Kernels have no such type, or it is not in this machine's byte
            order.
    """
    if isinstance(dtype, np.dtype) and not dtype.isnative:
        raise DTypeError(
            f"expects '{parameter}' to be in this machine's byte order, but got "
            f"{dtype}; x.astype(x.dtype.newbyteorder('=')) is"
        )
    text = str(dtype).rsplit(".", 1)[-1]
    if text in BY_TRITON_NAME:
        return text
    if text not in _NAMES:
        raise _unknown(parameter, dtype)
    return _NAMES[text][0]
