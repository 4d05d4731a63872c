# SPDX-License-Identifier: MIT
"""Tensor descriptors of NumPy arrays while launches are simulated."""

import threading

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import (
    TensorDescriptor as GluonTensorDescriptor,
)
from triton.tools.tensor_descriptor import TensorDescriptor

import tlx
from tlx.errors import ArgumentError, DTypeError, ShapeError, TLXError

LAYOUT = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)


@triton.jit
def copy_tile(desc, y, M: tl.constexpr, N: tl.constexpr):
    buffer = tlx.local_alloc((M, N), tlx.dtype_of(desc), 1)
    bar = tlx.alloc_barriers(1)
    tlx.barrier_expect_bytes(bar[0], M * N * tlx.size_of(tlx.dtype_of(desc)))
    tlx.async_descriptor_load(desc, buffer[0], [0, 0], bar[0])
    tlx.barrier_wait(bar[0], 0)
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)
    tl.store(y + i, tlx.local_load(buffer[0]))


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.int8, np.float32])
def test_arrays(dtype):
    x = np.arange(48 * 64).reshape(48, 64).astype(dtype)
    y = np.zeros((32, 64), dtype)
    with tlx.simulate():
        copy_tile[(1,)](TensorDescriptor.from_tensor(x, [32, 64]), y, M=32, N=64)
        np.testing.assert_array_equal(y, x[:32])
        desc = TensorDescriptor(x, [16, 64], [64, 1], [32, 64], padding="zero")
        copy_tile[(1,)](desc, y, M=32, N=64)
    np.testing.assert_array_equal(y[:16], x[:16])
    assert not y[16:].any()


def test_parts_of_an_array_and_nan():
    whole = np.arange(64 * 128, dtype=np.float32).reshape(64, 128)
    y = np.zeros((32, 64), np.float32)
    with tlx.simulate():
        part = whole[::2, 64:][:16]
        desc = TensorDescriptor.from_tensor(part, [32, 64], padding="nan")
        assert desc.padding == "nan"
        copy_tile[(1,)](desc, y, M=32, N=64)
    np.testing.assert_array_equal(y[:16], part)
    assert np.isnan(y[16:]).all()


def zeros(*shape, dtype=np.float16):
    return np.zeros(shape, dtype)


REJECTED = [
    (
        lambda: TensorDescriptor.from_tensor(zeros(64, 64).T, [8, 64]),
        ArgumentError,
        "expects 'strides[-1]' to be 1, but got 64; np.ascontiguousarray(x) has "
        "contiguous rows",
    ),
    (
        lambda: TensorDescriptor.from_tensor(zeros(64, 64)[:, ::2], [8, 32]),
        ArgumentError,
        "expects 'strides[-1]' to be 1, but got 2; np.ascontiguousarray(x) has "
        "contiguous rows",
    ),
    (
        lambda: TensorDescriptor.from_tensor(zeros(64, 68), [8, 64]),
        ArgumentError,
        "expects 'strides[0]' to be a multiple of 16 bytes, but got 136 bytes",
    ),
    (
        lambda: TensorDescriptor.from_tensor(zeros(64, 64)[::-1], [8, 64]),
        ArgumentError,
        "expects 'strides[0]' to be a multiple of 16 bytes, but got -128 bytes",
    ),
    (
        lambda: TensorDescriptor.from_tensor(zeros(64, 64)[:, 4:], [8, 32]),
        ArgumentError,
        "expects 'base' to be at an address that is a multiple of 16, but got one that "
        "is 8 bytes behind it",
    ),
    (
        lambda: TensorDescriptor.from_tensor(zeros(64, 64, dtype=np.complex64), [8, 8]),
        DTypeError,
        "expects 'base' to be of an element type that the simulator has, but got "
        "complex64",
    ),
    (
        lambda: TensorDescriptor.from_tensor(zeros(64, 64, dtype=">f2"), [8, 8]),
        DTypeError,
        "expects 'base' to be in this machine's byte order, but got >f2; "
        "x.astype(x.dtype.newbyteorder('=')) is",
    ),
    (
        lambda: TensorDescriptor.from_tensor(
            np.zeros(64, [("a", "u1"), ("b", "<f4")])["b"], [8]
        ),
        ArgumentError,
        "expects 'strides[0]' to be a multiple of the 4 bytes of an element, but got 5 "
        "bytes",
    ),
    (
        lambda: TensorDescriptor.from_tensor(zeros(), []),
        ShapeError,
        "expects 'shape' to be of rank 1 to 5, but got 0",
    ),
    (
        lambda: TensorDescriptor.from_tensor(zeros(1, 1, 1, 1, 1, 8), [1] * 6),
        ShapeError,
        "expects 'shape' to be of rank 1 to 5, but got 6",
    ),
    (
        lambda: TensorDescriptor.from_tensor(zeros(0, 64), [8, 64]),
        ShapeError,
        "expects 'shape[0]' to be at least 1, but got 0",
    ),
    (
        lambda: TensorDescriptor.from_tensor(zeros(64, 64), [64]),
        ShapeError,
        "expects 'block_shape' to be of rank 2, but got 1",
    ),
    (
        lambda: TensorDescriptor(zeros(64, 64), [64, 64], [1], [8, 64]),
        ShapeError,
        "expects 'strides' to be of rank 2, but got 1",
    ),
    (
        lambda: TensorDescriptor.from_tensor(zeros(64, 64), [24, 64]),
        ShapeError,
        "expects 'block_shape[0]' to be a power of two; next are 16 and 32, but got 24",
    ),
    (
        lambda: TensorDescriptor.from_tensor(zeros(64, 64), [8, 64.0]),
        ShapeError,
        "expects 'block_shape[1]' to be an integer, but got 64.0",
    ),
    (
        lambda: TensorDescriptor.from_tensor(zeros(64, 64), [2048, 1024]),
        ShapeError,
        "expects 'block_shape' to be of at most 1048576 elements, but got 2097152",
    ),
    (
        lambda: TensorDescriptor.from_tensor(zeros(64, 64), [8, 64], padding="one"),
        ArgumentError,
        "expects 'padding' to be 'zero' or 'nan', but got 'one'",
    ),
    (
        lambda: TensorDescriptor.from_tensor(
            zeros(64, 64, dtype=np.int8), [8, 64], padding="nan"
        ),
        DTypeError,
        "expects 'base' to be made of floats with padding nan, but got int8",
    ),
    (
        lambda: TensorDescriptor.from_tensor(
            zeros(64, 64), [8, 64], round_f32_to_tf32=True
        ),
        DTypeError,
        "expects 'base' to be made of fp32 if they are rounded to tf32, but got "
        "float16",
    ),
    (
        lambda: GluonTensorDescriptor.from_tensor(zeros(64, 64), [8, 32], LAYOUT),
        ArgumentError,
        "Triton rejects the tensor descriptor: Expected block_shape[-1] to be at least "
        "64 but got 32",
    ),
]


@pytest.mark.parametrize(("make", "error", "text"), REJECTED)
def test_rejected(make, error, text):
    with tlx.simulate(), pytest.raises(TLXError) as caught:
        make()
    assert isinstance(caught.value, error)
    assert str(caught.value) == text


def test_descriptors_of_gluon():
    x = zeros(64, 64)
    with tlx.simulate():
        desc = GluonTensorDescriptor.from_tensor(x, [8, 64], LAYOUT, padding="nan")
    assert desc.base.data_ptr() == x.ctypes.data
    assert desc.padding == "nan"


def test_triton_has_its_classes_back():
    before = TensorDescriptor.__post_init__, TensorDescriptor.from_tensor
    with tlx.simulate(), tlx.simulate():
        assert TensorDescriptor.from_tensor is not before[1]
    assert (TensorDescriptor.__post_init__, TensorDescriptor.from_tensor) == before
    with pytest.raises(AttributeError):
        TensorDescriptor.from_tensor(zeros(64, 64), [8, 64])


def test_other_threads_find_the_classes_as_they_are():
    errors = []

    def make():
        try:
            TensorDescriptor.from_tensor(zeros(64, 64), [8, 64])
        except AttributeError as error:
            errors.append(error)

    with tlx.simulate():
        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
    assert len(errors) == 1
