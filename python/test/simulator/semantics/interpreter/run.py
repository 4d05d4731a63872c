# SPDX-License-Identifier: MIT
"""Runs the plain kernels in Triton's interpreter and saves their results.

The interpreter copies tensors of torch; here is as much of one as it asks for.
"""

import sys

import numpy as np
import plain


class Storage:
    """Bytes of a tensor."""

    def __init__(self, array):
        self.array = array

    def data_ptr(self):
        """Address of the first byte."""
        return self.array.__array_interface__["data"][0]

    def cpu(self):
        """A copy."""
        return Storage(self.array.copy())

    def copy_(self, other):
        """Takes the bytes of another storage."""
        self.array[...] = other.array


class Tensor:
    """An array with the methods of a tensor."""

    def __init__(self, array):
        self.array = array
        self.dtype = f"torch.{array.dtype}"

    def untyped_storage(self):
        """The bytes."""
        return Storage(self.array)

    def data_ptr(self):
        """Address of the first byte."""
        return self.untyped_storage().data_ptr()

    def new_empty(self, size, device):
        """A tensor of the same type."""
        return Tensor(self.array)

    def set_(self, storage, offset, size, stride):
        """Uses the bytes of a storage."""
        self.array = storage.array

    def storage_offset(self):
        """Place of the first element."""
        return 0

    def size(self):
        """Extents."""
        return self.array.shape

    def stride(self):
        """Distances in elements."""
        return tuple(s // self.array.itemsize for s in self.array.strides)


def main(path):
    results = {}
    for name, (kernel, _) in plain.CASES.items():
        arrays = plain.arguments(name)
        kernel[(1,)](*map(Tensor, arrays))
        results[name] = arrays[-1]
    np.savez(path, **results)


main(sys.argv[1])
