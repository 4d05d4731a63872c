# SPDX-License-Identifier: MIT
"""TMA copies and device-side descriptors: IR and errors."""

import pytest
import triton
import triton.language as tl

import tlx
from tlx.errors import (
    ArgumentError,
    DTypeError,
    ShapeError,
    TargetError,
    UnsupportedError,
)

DESC = {"d": "tensordesc<fp16[64, 32]>", "i": "i32"}


def test_host_descriptors(tlxir):
    @triton.jit
    def kernel(d, i):
        ring = tlx.local_alloc((64, 32), tl.float16, 2)
        bar = tlx.alloc_barriers(1)[0]
        tlx.barrier_expect_bytes(bar, 64 * 32 * 2)
        tlx.async_descriptor_load(d, ring[0], [i, 32], bar)
        tlx.async_descriptor_load(
            d, ring[0], (i, i), bar, i > 0, "", "evict_last", [], False
        )
        tlx.async_descriptor_prefetch_tensor(d, [i, 0])
        tlx.fence("async_shared")
        tlx.async_descriptor_store(d, ring[0], [i, 0])
        tlx.async_descriptor_store(d, ring[0], [i, 0], store_reduce="add")
        tlx.async_descriptor_store_wait(1)

    text = tlxir(kernel, DESC)
    desc, one = "!tt.tensordesc<64x32xf16>", "!tlx.buffer<64x32xf16, smem>"
    assert text.count(f": {desc}, {one}, !tlx.barrier<count = 1>") == 2
    assert text.count(f": {desc}, {one}\n") == 2
    assert " pred %" in text
    assert "eviction_policy = 3 : i32" in text
    assert "reduce = 1 : i32" in text
    assert "tlx.async_descriptor_prefetch %" in text
    assert "tlx.async_descriptor_store_wait 1" in text


def test_device_descriptors(tlxir):
    @triton.jit
    def kernel(x, m, n):
        d = tlx.make_tensor_descriptor(None, x, [m, n], [n, 1], [16, 64])
        e = tl.make_tensor_descriptor(x, [m, n], [n, 1], [16, 64])
        buf = tlx.local_alloc((16, 64), tl.float16, 1)[0]
        tlx.async_descriptor_store(d, buf, [0, 0])
        tlx.async_descriptor_store(e, buf, [0, 0])
        tl.static_assert(tlx.dtype_of(d) == tl.float16)

    text = tlxir(kernel, {"x": "*fp16", "m": "i32", "n": "i32"})
    assert text.count("tt.make_tensor_descriptor") == 2
    assert text.count("!tt.tensordesc<16x64xf16>, !tlx.buffer<16x64xf16, smem>") == 2


def test_descriptors_in_memory(tlxir):
    @triton.jit
    def kernel(x, p, m, n, i):
        ptrs = tlx.allocate_tensor_descriptor(3)
        d = tlx.make_tensor_descriptor(ptrs[2], x, [m, 64], [n, 1], [16, 64], "nan")
        tlx.make_tensor_descriptor(p, x, [m], [1], [64])
        e = tlx.reinterpret_tensor_descriptor(ptrs[i], [16, 64], tl.float16)
        buf = tlx.local_alloc((16, 64), tl.float16, 1)[0]
        tlx.async_descriptor_store(d, buf, [0, 0])
        tlx.async_descriptor_store(e, buf, [0, 0])
        tl.static_assert(d.dtype == e.dtype)

    signature = {"x": "*fp16", "p": "*i8", "m": "i32", "n": "i32", "i": "i32"}
    text = tlxir(kernel, signature)
    assert "ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 384" in text
    block = "!tt.tensordesc<16x64xf16>"
    assert f"{{padding = 2 : i32}} : !tt.ptr<i8>, !tt.ptr<f16> -> {block}" in text
    assert "[] : !tt.ptr<i8>, !tt.ptr<f16> -> !tt.tensordesc<64xf16>" in text
    assert f" : !tt.ptr<i8> -> {block}" in text
    assert text.count("tt.addptr") == 2
    assert "arith.constant 128 : i32" in text
    assert text.count("tlx.async_descriptor_store") == 2


def test_descriptor_pointers_in_functions_and_loops(tlxir):
    @triton.jit
    def store(ptr, buf):
        desc = tlx.reinterpret_tensor_descriptor(ptr, buf.shape, buf.dtype)
        tlx.async_descriptor_store(desc, buf, [0])

    @triton.jit
    def kernel(n):
        ptrs = tlx.allocate_tensor_descriptor(2)
        buf = tlx.local_alloc((64,), tl.int32, 1)[0]
        current = ptrs[0]
        for i in range(n):
            store(current, buf)
            current = ptrs[i % 2]

    text = tlxir(kernel, {"n": "i32"})
    assert "-> !tt.tensordesc<64xsi32>" in text
    assert "-> (!tt.ptr<i8>)" in text


STORAGE = [
    (
        "tlx.allocate_tensor_descriptor(16777216)",
        ArgumentError,
        "'tlx.allocate_tensor_descriptor' expects 'num' to be at most 16777215, but "
        "got 16777216",
    ),
    (
        "tlx.allocate_tensor_descriptor(0)",
        ArgumentError,
        "'tlx.allocate_tensor_descriptor' expects 'num' to be at least 1, but got 0",
    ),
    (
        "tlx.allocate_tensor_descriptor(2)[2]",
        ArgumentError,
        "'descriptor_ptr[index]' expects 'index' to be in [0, 2), but got 2",
    ),
    (
        "tlx.reinterpret_tensor_descriptor(i, [16], tl.float16)",
        ArgumentError,
        "'tlx.reinterpret_tensor_descriptor' expects 'desc_ptr' to be a result of "
        "tlx.allocate_tensor_descriptor or a pointer to int8, but got a run-time value "
        "of type int32",
    ),
    (
        "tlx.reinterpret_tensor_descriptor(tlx.allocate_tensor_descriptor(1), [4], "
        "tl.float16)",
        ShapeError,
        "'tlx.reinterpret_tensor_descriptor' expects 'block_shape[-1]' to be of at "
        "least 16 bytes, but got 8",
    ),
]


@pytest.mark.parametrize(("line", "error", "text"), STORAGE)
def test_storage_rejected(line, error, text, one_line, rejects):
    rejects(one_line(line, arguments="d, i"), error, text, line, signature=DESC)


SETUP = (
    "buf = tlx.local_alloc((64, 32), tl.float16, 1)[0]",
    "bar = tlx.alloc_barriers(1)[0]",
)
REJECTED = [
    (
        "tlx.async_descriptor_load(i, buf, [0, 0], bar)",
        ArgumentError,
        "'tlx.async_descriptor_load' expects 'desc' to be a tensor descriptor, but got "
        "a run-time value of type int32",
    ),
    (
        "tlx.async_descriptor_load(d, tlx.local_trans(buf), [0, 0], bar)",
        ShapeError,
        "'tlx.async_descriptor_load' expects 'result' to be of the descriptor's block "
        "shape (64, 32), but got (32, 64)",
    ),
    (
        "tlx.async_descriptor_load(d, tlx.local_reinterpret(buf, tl.int16), [0, 0], "
        "bar)",
        DTypeError,
        "'tlx.async_descriptor_load' expects 'result' to be of the descriptor's dtype "
        "fp16, but got int16",
    ),
    (
        "tlx.async_descriptor_load(d, buf, [0], bar)",
        ShapeError,
        "'tlx.async_descriptor_load' expects 'offsets' to be 2 integers, one for each "
        "dimension, but got 1",
    ),
    (
        "tlx.async_descriptor_load(d, buf, [0, 0.5], bar)",
        DTypeError,
        "'tlx.async_descriptor_load' expects 'offsets[1]' to be an integer scalar, but "
        "got 0.5",
    ),
    (
        "tlx.async_descriptor_load(d, buf, i, bar)",
        ArgumentError,
        "'tlx.async_descriptor_load' expects 'offsets' to be a list or tuple, but got "
        "a "
        "run-time value of type int32",
    ),
    (
        "tlx.async_descriptor_load(d, buf, [0, 0], bar, eviction_policy='first')",
        ArgumentError,
        "'tlx.async_descriptor_load' expects 'eviction_policy' to be one of '', "
        "'evict_first', 'evict_last', but got 'first', did you mean 'evict_first'?",
    ),
    (
        "tlx.async_descriptor_load(d, buf, [0, 0], bar, multicast_targets=[0, 1])",
        UnsupportedError,
        "'tlx.async_descriptor_load' cannot take 'multicast_targets': it needs "
        "clusters",
    ),
    (
        "tlx.async_descriptor_load(d, buf, [0, 0], bar, two_ctas=True)",
        TargetError,
        "'tlx.async_descriptor_load' needs sm_100 (loads for a pair of CTAs), but the "
        "target is sm_90",
    ),
    (
        "tlx.async_descriptor_store(d, buf, [0, 0], store_reduce='sub')",
        ArgumentError,
        "'tlx.async_descriptor_store' expects 'store_reduce' to be one of '', 'add', "
        "'min', 'max', 'and', 'or', 'xor', but got 'sub'",
    ),
    (
        "tlx.async_descriptor_store(d, buf, [0, 0], store_reduce='xor')",
        DTypeError,
        "'tlx.async_descriptor_store' expects 'source' to be of dtype int32, uint32, "
        "int64, uint64 to reduce with xor, but got fp16",
    ),
    (
        "tlx.async_descriptor_store_wait(-1)",
        ArgumentError,
        "'tlx.async_descriptor_store_wait' expects 'pendings' to be at least 0, but "
        "got "
        "-1",
    ),
    (
        "tlx.async_descriptor_prefetch_tensor(d, [0, 0, 0])",
        ShapeError,
        "'tlx.async_descriptor_prefetch_tensor' expects 'offsets' to be 2 integers, "
        "one "
        "for each dimension, but got 3",
    ),
]


@pytest.mark.parametrize(("line", "error", "text"), REJECTED)
def test_rejected(line, error, text, one_line, rejects):
    kernel = one_line(*SETUP, line, arguments="d, i")
    rejects(kernel, error, text, line, signature=DESC)


MAKE = "tlx.make_tensor_descriptor"
MADE = [
    ("None, x, [i, i], [i, 1], [16, 8]", None, None),
    (
        "None, x, [i, i], [i, 1], [16, 4]",
        ShapeError,
        "expects 'block_shape[-1]' to be of at least 16 bytes, but got 8",
    ),
    (
        "None, x, [i, i], [i, i], [16, 64]",
        ArgumentError,
        "expects 'strides[-1]' to be the constexpr 1, but got a run-time value of type "
        "int32",
    ),
    (
        "None, x, [i, i], [1], [16, 64]",
        ShapeError,
        "expects 'strides' to be of rank 2, but got 1",
    ),
    (
        "None, i, [i], [1], [16]",
        DTypeError,
        "expects 'base' to be a pointer, but got a run-time value of type int32",
    ),
    (
        "None, x, [i], [1], [16], 'one'",
        ArgumentError,
        "expects 'padding_option' to be one of 'zero', 'nan', but got 'one'",
    ),
    (
        "x, x, [i], [1], [16]",
        ArgumentError,
        "expects 'desc_ptr' to be a result of tlx.allocate_tensor_descriptor or a "
        "pointer to int8, but got a run-time value of type pointer<fp16>",
    ),
    (
        "None, x, [i, i, i, i, i, i], [1], [16]",
        ShapeError,
        "expects 'shape' to be of rank 1 to 5, but got 6",
    ),
    ("None, x, [1, 1 << 32], [0, 1], [16, 8]", None, None),
    ("None, x, [i, i], [(1 << 39) - 8, 1], [16, 8]", None, None),
    (
        "None, x, [i, i], [66, 1], [16, 64]",
        ArgumentError,
        "expects 'strides[0]' to be a multiple of 16 bytes, but got 132",
    ),
    (
        "None, x, [i, i, i], [i, 4, 1], [1, 16, 64]",
        ArgumentError,
        "expects 'strides[1]' to be a multiple of 16 bytes, but got 8",
    ),
    (
        "None, x, [i, i], [1 << 39, 1], [16, 64]",
        ArgumentError,
        "expects 'strides[0]' to be in [0, 1099511627775] bytes, but got 1099511627776",
    ),
    (
        "None, x, [i, 0], [i, 1], [16, 64]",
        ArgumentError,
        "expects 'shape[1]' to be in [1, 4294967296], but got 0",
    ),
    (
        "None, x, [(1 << 32) + 1, i], [i, 1], [16, 64]",
        ArgumentError,
        "expects 'shape[0]' to be in [1, 4294967296], but got 4294967297",
    ),
]


@pytest.mark.parametrize(("arguments", "error", "text"), MADE)
def test_device_descriptor_arguments(arguments, error, text, one_line, tlxir, rejects):
    line = f"{MAKE}({arguments})"
    kernel = one_line(line, arguments="x, i")
    signature = {"x": "*fp16", "i": "i32"}
    if error is None:
        tlxir(kernel, signature)
    else:
        rejects(kernel, error, f"'{MAKE}' {text}", line, signature=signature)
