# SPDX-License-Identifier: MIT
"""NumPy arrays with the methods of tensors."""

import numpy as np
import pytest
from triton.tools.tensor_descriptor import TensorDescriptor

from tlx.simulator import SimulatedTensor, tensor


def test_shares_the_memory_of_the_array():
    array = np.arange(12, dtype=np.int16).reshape(3, 4)
    x = tensor(array)
    x[0, 0] = 99
    assert array[0, 0] == 99
    assert x.data_ptr() == array.ctypes.data
    assert x.element_size() == 2


def test_strides_are_in_elements():
    x = tensor(np.zeros((3, 4, 8), np.float32))
    assert x.stride() == (32, 8, 1)
    assert x[:, ::2].stride() == (32, 16, 1)
    assert (x.stride(0), x.stride(-1)) == (32, 1)
    with pytest.raises(IndexError):
        x.stride(3)


def test_new_memory():
    x = tensor(np.zeros(3, np.float16))
    for y in (x.new_empty(2, 5), x.new_empty((2, 5))):
        assert isinstance(y, SimulatedTensor)
        assert (y.shape, y.dtype) == ((2, 5), np.float16)
    assert x.new_empty(4, dtype=np.int8).dtype == np.int8
    assert x.float().dtype == np.float32


def test_descriptor():
    x = tensor(np.zeros((64, 64), np.float16))
    desc = TensorDescriptor.from_tensor(x, [16, 64])
    assert (list(desc.shape), list(desc.strides)) == ([64, 64], [64, 1])
    with pytest.raises(AttributeError):
        TensorDescriptor.from_tensor(np.zeros((64, 64), np.float16), [16, 64])
