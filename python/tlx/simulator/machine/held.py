# SPDX-License-Identifier: MIT
"""Tensors that differ by thread: each thread knows the elements that it holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tlx.simulator.ir.layouts import elements_of_threads
from tlx.simulator.ir.types import Tensor, Type
from tlx.simulator.machine.per_thread import PerThread

Array = np.ndarray[Any, Any]


def put_together(parts: Sequence[tuple[Array, Any]], type: Type) -> Array | None:
    """Returns the tensor whose elements are those of the threads that hold them.

    Args:
        parts: For each thread, as flags, the tensor that its elements are of.
        type: Type of the tensor.

    Returns:
        None if it is not known who holds an element, or if those who do disagree.
    """
    if not isinstance(type, Tensor) or type.shape is None:
        return None
    elements = elements_of_threads(type.layout, type.shape)
    if elements is None or elements.shape[0] != parts[0][0].size:
        return None
    whole = np.zeros(type.shape, type.dtype)
    flat = whole.reshape(-1)
    for flags, tensor in parts:
        if not isinstance(tensor, np.ndarray):
            return None
        places = elements[flags]
        flat[places] = tensor.reshape(-1)[places]
    bits = np.dtype(f"V{type.dtype.itemsize}")
    for flags, tensor in parts:
        places = elements[flags]
        mine = np.ascontiguousarray(tensor.reshape(-1)[places])
        if (mine.view(bits) != np.ascontiguousarray(flat[places]).view(bits)).any():
            return None
    return whole


def settled(value: Any, type: Type) -> Any:
    """Returns a value that differs by thread as one tensor, if that is possible."""
    if not isinstance(value, PerThread) or value.is_foreign:
        return value
    numbers = range(len(value.choices))
    parts = [(value.which == number, value.choices[number]) for number in numbers]
    whole = put_together(parts, type)
    return value if whole is None else whole
