# SPDX-License-Identifier: MIT
"""Launches with torch tensors on the CPU."""

import pytest
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

import tlx
from tlx.errors import ArgumentError, DTypeError
from tlx.testing import check_kernel

torch = pytest.importorskip("torch", reason="needs torch")


@triton.jit
def copy_tile(desc, y, M: tl.constexpr, N: tl.constexpr):
    buffer = tlx.local_alloc((M, N), tlx.dtype_of(desc), 1)
    bar = tlx.alloc_barriers(1)
    tlx.barrier_expect_bytes(bar[0], M * N * tlx.size_of(tlx.dtype_of(desc)))
    tlx.async_descriptor_load(desc, buffer[0], [0, 0], bar[0])
    tlx.barrier_wait(bar[0], 0)
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)
    tl.store(y + i, tlx.local_load(buffer[0]))


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int8", "float16"])
def test_tensors(kernels, dtype):
    x = torch.arange(64).to(getattr(torch, dtype))
    y = torch.zeros_like(x)
    with tlx.simulate():
        kernels.double[(1,)](x, y, BLOCK=64)
    assert torch.equal(y, x * 2)


@pytest.mark.parametrize(
    ("dtype", "element"),
    [("float8_e4m3fn", "f8E4M3FN"), ("bool", "i1"), ("uint16", "i16")],
)
def test_types_that_are_only_passed(kernels, dtype, element):
    x = torch.zeros(64, dtype=getattr(torch, dtype))
    with tlx.simulate():
        kernel = kernels.take.warmup(x, 7, grid=(1,))
    assert f"!tt.ptr<{element}>" in kernel.asm["tlxir"]


def test_view_reaches_its_storage(kernels, calls):
    storage = torch.zeros(4, 32)
    with tlx.simulate():
        kernels.double[(1,)](storage[1:], storage.t(), BLOCK=32)
    (x, x_place), (y, y_place) = calls[0].array(0), calls[0].array(1)
    assert x is y
    assert (x_place, y_place, x.data.size) == (128, 0, 512)


def test_tensor_descriptor():
    x = torch.arange(64 * 64).reshape(64, 64).to(torch.bfloat16)
    y = torch.zeros(32, 64, dtype=torch.bfloat16)
    with tlx.simulate():
        desc = TensorDescriptor.from_tensor(x, [32, 64])
        copy_tile[(1,)](desc, y, M=32, N=64)
    assert torch.equal(y, x[:32])


def test_tensor_and_its_numpy_view_are_one(kernels, calls):
    x = torch.zeros(32)
    with tlx.simulate():
        kernels.double[(1,)](x, x.numpy(), BLOCK=32)
    assert calls[0].params[0] == calls[0].params[1]


def test_check_kernel(kernels):
    def launch(x):
        y = torch.empty_like(x)
        kernels.double[(1,)](x, y, BLOCK=32)
        return y

    check_kernel(launch, lambda x: x * 2, [torch.arange(32).to(torch.bfloat16)])


def test_tensor_that_is_not_on_the_cpu(kernels, calls):
    x = torch.zeros(32, device="meta")
    with tlx.simulate(), pytest.raises(ArgumentError, match=r"'x' to be on the CPU"):
        kernels.double[(1,)](x, x, BLOCK=32)


def test_unsupported_element_type(kernels, calls):
    x = torch.zeros(32, dtype=torch.complex64)
    with tlx.simulate(), pytest.raises(DTypeError, match="'x' to be of an element ty"):
        kernels.double[(1,)](x, x, BLOCK=32)
