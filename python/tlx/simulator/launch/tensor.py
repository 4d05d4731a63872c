# SPDX-License-Identifier: MIT
"""NumPy arrays with the few methods of tensors that code around kernels uses."""

from __future__ import annotations

from typing import Any, overload

import numpy as np


class SimulatedTensor(np.ndarray[Any, Any]):
    """A NumPy array that host code written for torch tensors can use.

    `TensorDescriptor.from_tensor` asks for `data_ptr()` and `stride()`, and launch
    code for strides and for memory of the same kind.
    """

    def data_ptr(self) -> int:
        """Returns the address of the first element."""
        return int(self.__array_interface__["data"][0])

    def element_size(self) -> int:
        """Returns the bytes of an element."""
        return self.itemsize

    @overload
    def stride(self) -> tuple[int, ...]: ...
    @overload
    def stride(self, dim: int) -> int: ...
    def stride(self, dim: int | None = None) -> tuple[int, ...] | int:
        """Returns the distances in elements, of all dimensions or of one."""
        strides = tuple(stride // self.itemsize for stride in self.strides)
        return strides if dim is None else strides[dim]

    def new_empty(self, *shape: Any, dtype: Any = None) -> SimulatedTensor:
        """Returns a tensor with any contents.

        Args:
            shape: Extents, also as one tuple.
            dtype: Element type, by default that of this tensor.
        """
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            (shape,) = shape
        return tensor(np.empty(shape, self.dtype if dtype is None else dtype))

    def float(self) -> SimulatedTensor:
        """Returns the tensor as fp32."""
        return tensor(self.astype(np.float32))


def tensor(array: Any) -> SimulatedTensor:
    """Returns an array with the methods of a tensor; it shares the array's memory.

    Args:
        array: A NumPy array, or what NumPy makes one from.
    """
    return np.asarray(array).view(SimulatedTensor)
