# SPDX-License-Identifier: MIT
"""Tensor descriptors as values."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np


@dataclasses.dataclass(frozen=True, slots=True)
class TensorDescriptor:
    """A tensor in global memory and the box that one copy moves.

    Attributes:
        address: First byte of the tensor.
        shape: Extents in elements.
        strides: Distances in elements; the last one is 1.
        block_shape: Extents of the box.
        dtype: Type of an element.
        nan_fill: Elements outside of the tensor read as NaN instead of zero.
    """

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    block_shape: tuple[int, ...]
    dtype: np.dtype[Any]
    nan_fill: bool = False
