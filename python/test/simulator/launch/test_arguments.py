# SPDX-License-Identifier: MIT
"""Arguments of launches: how arrays, descriptors and numbers reach the kernel."""

import collections
import decimal

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

import tlx
from tlx.errors import ArgumentError, DTypeError, UnsupportedError
from tlx.simulator.findings.memory import OutOfRange
from tlx.simulator.ir.types import parse
from tlx.simulator.machine import descriptor

DTYPES = [
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64",
    "bfloat16 float8_e4m3fn float8_e5m2",
]
ALL_DTYPES = [
    *(np.dtype(name) for name in DTYPES[0].split()),
    *(np.dtype(getattr(ml_dtypes, name)) for name in DTYPES[1].split()),
]


@triton.jit
def take(x, n):
    tl.device_assert(x is not None)


@triton.jit
def take_typed(x: tl.float16, y: tl.int64, z: tl.uint8, flag):
    pass


@triton.jit
def take_desc(desc, n):
    pass


@triton.jit
def copy(x, y, stride, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y + i * stride, tl.load(x + i * stride))


@triton.jit
def store_first(x, y):
    tl.store(y, tl.load(x))


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_every_element_type(calls, dtype):
    x = np.zeros(32, dtype)
    y = np.zeros(32, dtype)
    x.view(np.uint8)[:] = 1
    with tlx.simulate():
        take[(1,)](x, 7)
    (call,) = calls
    (kind, _) = call.program.functions["take"].params
    names = {"bool": "i1", "bfloat16": "bf16", "float16": "f16"}
    names |= {"float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2"}
    names |= {f"float{bits}": f"f{bits}" for bits in (32, 64)}
    element = names.get(dtype.name, f"i{dtype.itemsize * 8}")
    assert kind == parse(f"!tt.ptr<{element}>")
    memory, offset = call.array(0)
    assert offset == 0
    assert memory.data.tobytes() == x.tobytes() != y.tobytes()


def test_kernel_writes_to_the_array(kernels):
    x = np.arange(64).astype(ml_dtypes.bfloat16)
    y = np.zeros_like(x)
    with tlx.simulate():
        kernels.double[(1,)](x, y, BLOCK=64)
    np.testing.assert_array_equal(y, x * 2)


def test_numbers_get_the_type_of_the_parameter(calls):
    with tlx.simulate():
        take_typed[(1,)](0.1, 1 << 40, 200, True)
    x, y, z, flag = calls[0].params
    assert type(x) is np.float16
    assert x == np.float16(0.1)
    assert (y, z, flag) == (1 << 40, 200, 1)


@pytest.mark.parametrize(
    ("value", "kind", "param"),
    [
        (5, "i32", 5),
        (-16, "i32", -16),
        (1 << 40, "i64", 1 << 40),
        (1 << 63, "i64", 1 << 63),
        (True, "i1", 1),
        (2.5, "f32", np.float32(2.5)),
    ],
)
def test_numbers_choose_the_type(calls, value, kind, param):
    with tlx.simulate():
        take_desc[(1,)](None, value)
    assert calls[0].program.functions["take_desc"].params == (parse(kind),)
    assert calls[0].params == [param]


def test_ones_and_none_are_constants(calls):
    with tlx.simulate():
        take_desc[(1,)](None, 1)
    assert calls[0].params == []


@pytest.mark.parametrize("offset", [0, 1, 4])
def test_alignment_is_that_of_the_place_in_the_storage(calls, offset):
    storage = np.zeros(64, np.float32)
    with tlx.simulate():
        kernel = take[(1,)](storage[offset:], 7)
    _, place = calls[0].array(0)
    assert place == 4 * offset
    assert ("tt.divisibility = 16" in kernel.asm["tlxir"]) == (offset % 4 == 0)


def test_view_reaches_the_storage_around_it(kernels):
    storage = np.arange(64, dtype=np.int32)
    out = np.zeros(64, np.int32)
    with tlx.simulate():
        # Every second element; the kernel does the steps.
        copy[(1,)](storage[1::2], out[1::2], 2, BLOCK=32)
    np.testing.assert_array_equal(out[1::2], storage[1::2])
    assert not out[::2].any()


def test_transposed_and_reversed_views(calls):
    matrix = np.zeros((4, 8), np.int16)
    with tlx.simulate():
        take[(1,)](matrix.T, 7)
        take[(1,)](matrix[::-1], 7)
        take[(1,)](np.asfortranarray(matrix), 7)
    assert [call.array(0)[1] for call in calls] == [0, 48, 0]
    assert {call.array(0)[0].data.size for call in calls} == {64}


def test_parts_of_one_storage_share_memory(calls, kernels):
    storage = np.zeros(96, np.float32)
    other = np.zeros(96, np.float32)
    with tlx.simulate():
        kernels.add[(1,)](storage, other, storage[32:], 16, BLOCK=16)
    a, b, c = (calls[0].array(i) for i in range(3))
    assert a[0] is c[0] is not b[0]
    assert c[1] - a[1] == 128
    assert a[0].name == "a/c"
    # In the order of the parameters, wherever the arrays lie.
    assert calls[0].params[0] < calls[0].params[1]


def test_pieces_that_are_tracked_fit_all_views(calls, kernels):
    storage = np.zeros(97, np.uint8)
    with tlx.simulate():
        kernels.add[(1,)](
            storage[:96].view(np.float32), storage, storage[:96], 16, BLOCK=16
        )
    assert calls[0].array(0)[0].granule == 1


def test_empty_array(calls):
    with tlx.simulate():
        take[(1,)](np.zeros(0, np.float32), 7)
    assert len(calls[0].params) == 2


def test_tuples(calls):
    Pair = collections.namedtuple("Pair", ["x", "scale"])
    x = np.zeros(16, np.float32)
    with tlx.simulate():
        take_desc[(1,)](Pair(x, 3), 7)
        take_desc[(1,)]((1, (x, 2.5), None), 7)
    memory, offset = calls[0].array(0)
    assert memory.data.ctypes.data == x.ctypes.data
    assert (offset, calls[0].params[1:]) == (0, [3, 7])
    assert calls[1].params[1:] == [np.float32(2.5), 7]


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32])
def test_tensor_descriptor(calls, dtype):
    x = tlx.simulator.tensor(np.zeros((64, 96), dtype))[:, :64]
    assert x.stride() == (96, 1)
    with tlx.simulate():
        take_desc[(1,)](TensorDescriptor.from_tensor(x, [16, 32]), 7)
    value, *rest = calls[0].params
    assert value == descriptor.TensorDescriptor(
        value.address, (64, 64), (96, 1), (16, 32), np.dtype(dtype)
    )
    memory, offset = calls[0].memory.find(value.address)
    assert (memory.name, memory.data.size, offset) == ("desc", x.base.nbytes, 0)
    assert rest == [64, 64, 96, 1, 7]


def test_descriptor_of_the_user_is_not_changed(calls):
    x = tlx.simulator.tensor(np.zeros((16, 64), np.float32))
    desc = TensorDescriptor.from_tensor(x, [16, 32])
    desc.padding = "nan"
    with tlx.simulate():
        take_desc[(1,)](desc, 7)
    assert desc.base is x
    assert calls[0].params[0].nan_fill


DESCRIPTOR_FAULTS = [
    ("strides", [100, 1], "desc.strides[0]' to be a multiple of 16 bytes, but got 200"),
    ("strides", [1 << 39, 1], "desc.strides[0]' to be in [0, 1099511627775] bytes"),
    ("strides", [96, 2], "desc.strides[1]' to be 1, but got 2"),
    ("strides", [1], "desc.strides' to be of rank 2, but got 1"),
    ("shape", [64, 0], "desc.shape[1]' to be in [1, 4294967296], but got 0"),
    ("shape", [1] * 6, "desc.shape' to be of rank 1 to 5, but got 6"),
    ("block_shape", [16, 4], "block_shape[1]' to be a multiple of 16 bytes, but got 8"),
]


@pytest.mark.parametrize(("field", "value", "text"), DESCRIPTOR_FAULTS)
def test_descriptor_that_was_changed(calls, field, value, text):
    """Its class has checked it only when it was made."""
    x = tlx.simulator.tensor(np.zeros((64, 96), np.float16))
    desc = TensorDescriptor.from_tensor(x, [16, 32])
    setattr(desc, field, value)
    with tlx.simulate(), pytest.raises(ArgumentError) as caught:
        take_desc[(1,)](desc, 7)
    assert text in caught.value.message
    assert not calls


@pytest.mark.parametrize(("start", "distance"), [(8, 0), (4, 8)])
def test_base_of_a_descriptor(calls, start, distance):
    x = tlx.simulator.tensor(np.zeros(256, np.float16))
    desc = TensorDescriptor.from_tensor(x, [64])
    desc.base, desc.shape = x[start:], [128]
    with tlx.simulate():
        if not distance:
            take_desc[(1,)](desc, 7)
            return
        with pytest.raises(ArgumentError) as caught:
            take_desc[(1,)](desc, 7)
    assert caught.value.message == (
        "expects 'desc.base' to be at a multiple of 16 bytes, but got an address "
        f"{distance} bytes behind one"
    )


def test_reinterpreted_array(calls):
    x = tlx.simulator.tensor(np.zeros(32, np.uint8))
    # What host code passes for types that its arrays do not have.
    with tlx.simulate():
        take[(1,)](triton.reinterpret(x, tl.float8e4nv), 7)
    assert calls[0].program.functions["take"].params[0] == parse("!tt.ptr<f8E4M3FN>")


def test_array_that_is_not_writable():
    x = np.arange(4, dtype=np.float32)
    x.flags.writeable = False
    y = np.zeros(4, np.float32)
    with tlx.simulate():
        store_first[(1,)](x, y)
        with pytest.raises(OutOfRange, match="writes to 'y', which is read-only"):
            store_first[(1,)](y, x)
    assert x[0] == 0


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("text", "str"),
        (decimal.Decimal(3), "decimal.Decimal"),
        (np.int64(3), r"numpy.int64; pass int\(n\)"),
        (np.float16(3), r"numpy.float16; pass float\(n\)"),
        ([1, 2], "list"),
        (object(), "object"),
    ],
)
def test_unsupported_object(calls, value, kind):
    with (
        tlx.simulate(),
        pytest.raises(ArgumentError, match=f"'n' to be an array.* of type {kind}$"),
    ):
        take_desc[(1,)](None, value)


def test_unsupported_object_in_a_tuple(calls):
    with tlx.simulate(), pytest.raises(ArgumentError, match=r"'n\[1\]' to be an arr"):
        take_desc[(1,)](None, (1, "text"))


def test_number_that_no_integer_holds(calls):
    with tlx.simulate(), pytest.raises(ArgumentError, match="kernel 'take_desc'"):
        take_desc[(1,)](None, 1 << 65)


@pytest.mark.parametrize("dtype", ["O", "c8", "U3", "M8[s]", ml_dtypes.int4])
def test_unsupported_element_type(calls, dtype):
    with tlx.simulate(), pytest.raises(DTypeError, match="'x' to be of an element ty"):
        take[(1,)](np.zeros(4, dtype), 7)


def test_foreign_byte_order(calls):
    with tlx.simulate(), pytest.raises(DTypeError, match="this machine's byte order"):
        take[(1,)](np.zeros(4, ">f4"), 7)


def test_descriptor_that_rounds(calls):
    x = tlx.simulator.tensor(np.zeros((16, 64), np.float32))
    desc = TensorDescriptor.from_tensor(x, [16, 32])
    desc.round_f32_to_tf32 = True
    with tlx.simulate(), pytest.raises(UnsupportedError, match="not to round to tf32"):
        take_desc[(1,)](desc, 7)
