# SPDX-License-Identifier: MIT
"""Buffers: allocation, views, loads and stores."""

import pytest
import triton
import triton.language as tl

import tlx
from tlx import local_alloc, storage_kind, swizzled_layout
from tlx.errors import (
    ArgumentError,
    DTypeError,
    ResourceError,
    ShapeError,
    TargetError,
    UnsupportedError,
)
from tlx.language.warp_spec import get_bufidx_phase


def test_allocate_view_load_store(tlxir):
    @triton.jit
    def kernel(i):
        ring = tlx.local_alloc((64, 32), tl.float16, 3)
        tlx.local_store(ring[i], tlx.local_load(ring[2]))
        tlx.local_store(tlx.local_view(ring, 0), tlx.zeros((64, 32), tl.float16))

    text = tlxir(kernel, {"i": "i32"})
    ring = "!tlx.buffer<[3] 64x32xf16, smem>"
    one = "!tlx.buffer<64x32xf16, smem>"
    assert f"tlx.local_alloc : {ring}" in text
    assert text.count(f": {ring} -> {one}") == 3
    assert text.count(f": tensor<64x32xf16> -> {one}") == 2


def test_views(tlxir):
    @triton.jit
    def kernel():
        one = tlx.local_alloc((64, 128), tl.float16, 1)[0]
        turned = tlx.local_trans(one)
        part = tlx.local_slice(turned, [64, 32], [64, 32])
        flat = tlx.local_reshape(one, (8192,))
        words = tlx.local_reinterpret(one, tl.float32, (64, 64))
        tlx.local_store(part, tlx.zeros((64, 32), tl.float16))
        tlx.local_store(flat, tlx.zeros((8192,), tl.float16))
        tlx.local_store(words, tlx.zeros((64, 64), tl.float32))

    text = tlxir(kernel)
    assert "{order = array<i32: 1, 0>}" in text
    assert "!tlx.buffer<64x128xf16, smem> -> !tlx.buffer<128x64xf16, smem>" in text
    assert "{offsets = array<i32: 64, 32>}" in text
    assert "!tlx.buffer<128x64xf16, smem> -> !tlx.buffer<64x32xf16, smem>" in text
    assert "tlx.local_reshape" in text
    assert "!tlx.buffer<64x128xf16, smem> -> !tlx.buffer<8192xf16, smem>" in text
    assert "tlx.local_reinterpret" in text
    assert "!tlx.buffer<64x128xf16, smem> -> !tlx.buffer<64x64xf32, smem>" in text


def test_a_ring_may_be_reinterpreted(tlxir):
    @triton.jit
    def kernel():
        ring = tlx.local_alloc((64, 64), tl.float16, 2)
        words = tlx.local_reinterpret(ring, tl.float32, (64, 32))
        tlx.local_store(words[1], tlx.zeros((64, 32), tl.float32))

    text = tlxir(kernel)
    assert "!tlx.buffer<[2] 64x64xf16, smem> -> !tlx.buffer<[2] 64x32xf32" in text


def test_one_buffer_of_a_ring_of_one_needs_no_index(tlxir):
    @triton.jit
    def kernel():
        ring = tlx.local_alloc((64,), tl.float16, 1)
        tlx.local_store(ring, tlx.zeros((64,), tl.float16))

    assert "tlx.local_view" in tlxir(kernel)


def test_an_index_into_one_buffer_selects_an_element(tlxir):
    @triton.jit
    def kernel():
        one = tlx.local_alloc((64,), tl.float16, 2)[1]
        tlx.local_store(one[2], tlx.zeros((1,), tl.float16))

    text = tlxir(kernel)
    assert "{offsets = array<i32: 2>}" in text
    assert "!tlx.buffer<64xf16, smem> -> !tlx.buffer<1xf16, smem>" in text


def test_an_index_into_one_buffer_drops_the_first_dimension(tlxir):
    @triton.jit
    def kernel(i):
        one = tlx.local_alloc((4, 16, 64), tl.float16, 2)[1]
        tlx.local_store(one[i][3], tlx.zeros((64,), tl.float16))
        tlx.local_store(tlx.local_view(one, 3), tlx.zeros((16, 64), tl.float16))

    text = tlxir(kernel, {"i": "i32"})
    entry, row = "!tlx.buffer<16x64xf16, smem>", "!tlx.buffer<64xf16, smem>"
    assert text.count(f": !tlx.buffer<4x16x64xf16, smem> -> {entry}") == 2
    assert f": {entry} -> {row}" in text


def test_gather_and_scatter(tlxir):
    @triton.jit
    def kernel():
        one = tlx.local_alloc((64, 32), tl.float16, 1)[0]
        rows = tl.broadcast_to(tl.arange(0, 8)[:, None] * 8, (8, 32))
        some = tlx.local_gather(one, rows, 0)
        tlx.local_scatter(one, some, rows, axis=0)

    text = tlxir(kernel)
    one, some = "!tlx.buffer<64x32xf16, smem>", "tensor<8x32xf16>"
    assert f"{{axis = 0 : i32}} : {one}, tensor<8x32xi32> -> {some}" in text
    assert f"{{axis = 0 : i32}} : {some}, tensor<8x32xi32> -> {one}" in text


def test_pinned_layouts_reach_the_type(tlxir):
    @triton.jit
    def kernel(PIN: tl.constexpr):
        ring = tlx.local_alloc((64, 64), tl.float16, 2, layout=PIN)
        tlx.local_store(ring[0], tlx.zeros((64, 64), tl.float16))

    text = tlxir(kernel, constexprs={"PIN": tlx.swizzled_layout(3, 3, 3)})
    assert "ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8" in text


def test_names_may_be_imported_one_by_one(tlxir):
    @triton.jit
    def kernel():
        pin: tl.constexpr = swizzled_layout(0, 0, 0)
        ring = local_alloc((64,), tl.float16, 2, storage_kind.smem, layout=pin)
        slot, _ = get_bufidx_phase(tl.program_id(0), 2)
        tlx.local_store(ring[slot], tlx.zeros((64,), tl.float16))

    assert "#ttg.swizzled_shared" in tlxir(kernel) or "#shared" in tlxir(kernel)


def test_properties_are_compile_time(tlxir):
    @triton.jit
    def kernel():
        ring = tlx.local_alloc((64, 32), tl.bfloat16, 3)
        tl.static_assert(ring.num == 3)
        tl.static_assert(ring.shape[1] == 32)
        tl.static_assert(ring.dtype == tl.bfloat16)
        tl.static_assert(ring[0].num == 0)
        tl.static_assert(tlx.size_of(tlx.dtype_of(ring)) == 2)

    tlxir(kernel)


def test_buffers_in_loops_and_branches(tlxir):
    @triton.jit
    def kernel(n):
        ring = tlx.local_alloc((64,), tl.float16, 2)
        current = ring[0]
        for i in range(n):
            tlx.local_store(current, tlx.zeros((64,), tl.float16))
            current = ring[i % 2]
        if n > 3:
            current = ring[1]
        tlx.local_store(current, tlx.zeros((64,), tl.float16))

    text = tlxir(kernel, {"n": "i32"})
    assert "iter_args" in text
    assert "-> (!tlx.buffer<64xf16, smem>)" in text


def test_loops_keep_the_type_of_a_buffer(rejects):
    @triton.jit
    def kernel(n):
        view = tlx.local_alloc((64,), tl.float16, 2)[0]
        for _ in range(n):
            view = tlx.local_reinterpret(view, tl.int16)

    rejects(
        kernel,
        ArgumentError,
        "expects 'view' to keep its type in the loop, but got a buffer of fp16[64] and "
        "a buffer of int16[64]",
        "for _ in range(n):",
        signature={"n": "i32"},
    )


ALLOCATIONS = [
    ("(64, 64), tl.float16, 1", None, None),
    (
        "(64, 64), tl.float16, 0",
        ArgumentError,
        "expects 'num' to be at least 1, but got 0",
    ),
    (
        "(64, 64), tl.float16, 'x'",
        ArgumentError,
        "expects 'num' to be a constexpr integer, but got 'x'",
    ),
    (
        "(64, 96), tl.float16, 1",
        ShapeError,
        "expects 'shape' to be made of powers of two; next legal sizes of 96 are 64 "
        "and 128, but got (64, 96)",
    ),
    (
        "(64, -2), tl.float16, 1",
        ShapeError,
        "expects 'shape' to be made of powers of two, but got (64, -2)",
    ),
    ("(1, 1, 1, 1, 64), tl.float16, 1", None, None),
    (
        "(1, 1, 1, 1, 1, 64), tl.float16, 1",
        ShapeError,
        "expects 'shape' to be of rank 1 to 5, but got (1, 1, 1, 1, 1, 64)",
    ),
    ("(512, 256), tl.int8, 1", None, None),
    ("(1024,), tl.int8, 227", None, None),
    (
        "(1024,), tl.int8, 228",
        ResourceError,
        "takes 233472 bytes of shared memory, but a CTA of sm_90 can have 232448",
    ),
    (
        "(64,), tl.float32, 2**40",
        ResourceError,
        "takes 281474976710656 bytes of shared memory, but a CTA of sm_90 can have "
        "232448",
    ),
    (
        "(2048, 1024), tl.int8, 1",
        ShapeError,
        "expects 'shape' to be of at most 1048576 elements, but got (2048, 1024)",
    ),
    (
        "(64, 64), tl.int1, 1",
        DTypeError,
        "expects 'dtype' to be a dtype of at least 8 bits, but got int1",
    ),
    (
        "(64, 64), 16, 1",
        DTypeError,
        "expects 'dtype' to be a scalar dtype such as tl.float16, but got 16",
    ),
    (
        "(64, 64), tl.float16, 1, 'smem'",
        ArgumentError,
        "expects 'storage' to be a tlx.storage_kind, but got 'smem'",
    ),
    (
        "(64, 64), tl.float16, 1, tlx.storage_kind.smemCluster",
        ArgumentError,
        "expects 'storage' to be smem or tmem, but got 'smemCluster'",
    ),
    (
        "(64, 64), tl.float16, 1, tlx.storage_kind.tmem",
        TargetError,
        "needs sm_100 or sm_103 (tensor memory), but the target is sm_90",
    ),
    (
        "(64, 64), tl.float16, 1, layout=3",
        ArgumentError,
        "expects 'layout' to be a shared memory layout, but got 3",
    ),
    (
        "(64, 64), tl.float16, 1, reuse=3",
        UnsupportedError,
        "cannot take 'reuse': it needs storage aliases",
    ),
    (
        "(64, 64), tl.float16, number=1",
        ArgumentError,
        "got an unknown argument 'number', did you mean 'num'? (it takes shape, "
        "dtype, num, storage, reuse, layout)",
    ),
]


@pytest.mark.parametrize(("arguments", "error", "text"), ALLOCATIONS)
def test_allocations(arguments, error, text, one_line, tlxir, rejects):
    line = f"tlx.local_alloc({arguments})"
    kernel = one_line(line)
    if error is None:
        assert "tlx.local_alloc" in tlxir(kernel)
    else:
        rejects(kernel, error, f"'tlx.local_alloc' {text}", line)


def test_shared_memory_is_that_of_the_target(one_line, rejects, tlxir):
    line = "tlx.local_alloc((1024,), tl.int8, 100)"
    assert "tlx.local_alloc" in tlxir(one_line(line), arch=90)
    message = (
        "'tlx.local_alloc' takes 102400 bytes of shared memory, but a CTA of sm_89 can "
        "have 101376"
    )
    rejects(one_line(line), ResourceError, message, line, arch=89)


@pytest.mark.parametrize("side", [1024, 2048])
def test_tensors_of_too_many_elements(one_line, rejects, tlxir, side):
    line = f"tlx.zeros(({side}, 1024), tl.int8)"
    if side == 1024:
        assert "tensor<1024x1024xi8>" in tlxir(one_line(line))
        return
    message = (
        "'tlx.zeros' expects 'shape' to be of at most 1048576 elements, but got "
        "(2048, 1024)"
    )
    rejects(one_line(line), ShapeError, message, line)


SLICES = [
    (
        "ring[0:1]",
        "a slice; tlx.local_slice(buffer, offset, shape) is a part of a buffer",
    ),
    (
        "ring[0][:]",
        "a slice; tlx.local_slice(buffer, offset, shape) is a part of a buffer",
    ),
    ("bars[0:1]", "a slice"),
    ("bars[0, 1]", "(0, 1)"),
]


@pytest.mark.parametrize(("line", "found"), SLICES)
def test_slices(one_line, rejects, line, found):
    setup = (
        "ring = tlx.local_alloc((64,), tl.float16, 2)",
        "bars = tlx.alloc_barriers(2)",
    )
    kind = "barrier" if line.startswith("bars") else "buffer"
    message = f"'{kind}[index]' expects 'index' to be one integer, but got {found}"
    rejects(one_line(*setup, line), ArgumentError, message, line)


def test_num_at_run_time(rejects):
    @triton.jit
    def kernel(n):
        tlx.local_alloc((64,), tl.float16, n)

    rejects(
        kernel,
        ArgumentError,
        "'tlx.local_alloc' expects 'num' to be a constexpr integer (annotate it as "
        "'num: tl.constexpr'), but got a run-time value of type int32",
        signature={"n": "i32"},
    )


BUFFER = "ring = tlx.local_alloc((64, 32), tl.float16, 2)"
MISUSES = [
    (
        "ring[2]",
        ArgumentError,
        "'buffer[index]' expects 'index' to be in [0, 2), but got 2",
    ),
    (
        "ring[-1]",
        ArgumentError,
        "'buffer[index]' expects 'index' to be in [0, 2), but got -1",
    ),
    (
        "ring[0][64]",
        ArgumentError,
        "'buffer[index]' expects 'index' to be in [0, 64), but got 64",
    ),
    (
        "tlx.local_gather(ring[0], tl.full((8, 32), 0, tl.int32), 2)",
        ArgumentError,
        "'tlx.local_gather' expects 'axis' to be in [0, 2), but got 2",
    ),
    (
        "tlx.local_gather(ring[0], tl.full((8, 16), 0, tl.int32), 0)",
        ShapeError,
        "'tlx.local_gather' expects 'indices' to be of the buffer's shape (64, 32) but "
        "for dimension 0, but got (8, 16)",
    ),
    (
        "tlx.local_scatter(ring[0], 1, tl.full((64, 8), 0.0, tl.float32), 1)",
        DTypeError,
        "'tlx.local_scatter' expects 'indices' to be a tensor of integers, but got a "
        "run-time value of type fp32[64, 8]",
    ),
    (
        "tlx.local_reshape(ring[0], (2048,))[2048]",
        ArgumentError,
        "'buffer[index]' expects 'index' to be in [0, 2048), but got 2048",
    ),
    (
        "ring[0, 1]",
        ArgumentError,
        "'buffer[index]' expects 'index' to be one integer, but got (0, 1); "
        "tlx.local_slice(buffer, offset, shape) is a part of a buffer",
    ),
    (
        "ring[1.5]",
        DTypeError,
        "'buffer[index]' expects 'index' to be an integer scalar, but got 1.5",
    ),
    (
        "tlx.local_load(ring)",
        ArgumentError,
        "'tlx.local_load' expects 'src' to be one buffer, such as buf[i], but got a "
        "ring of 2 buffers",
    ),
    (
        "tlx.local_load(3)",
        ArgumentError,
        "'tlx.local_load' expects 'src' to be a buffer, but got 3",
    ),
    (
        "tlx.local_load(ring[0], token=3)",
        ArgumentError,
        "'tlx.local_load' expects 'token' to be an async token, but got 3",
    ),
    (
        "tlx.local_store(ring[0], tlx.zeros((32, 64), tl.float16))",
        ShapeError,
        "'tlx.local_store' expects 'src' to be of the shape (64, 32), but got (32, 64)",
    ),
    (
        "tlx.local_store(ring[0], tlx.zeros((64, 32), tl.float32))",
        DTypeError,
        "'tlx.local_store' expects 'src' to be of the buffer's dtype fp16 (cast with "
        ".to()), but got fp32",
    ),
    (
        "tlx.local_store(ring[0], 1.0)",
        ArgumentError,
        "'tlx.local_store' expects 'src' to be a tensor, but got 1.0",
    ),
    (
        "tlx.local_trans(ring[0], (0, 0))",
        ShapeError,
        "'tlx.local_trans' expects 'dims' to be a permutation of (0, 1), but got "
        "(0, 0)",
    ),
    (
        "tlx.local_trans(ring[0], (0, 1, 2))",
        ShapeError,
        "'tlx.local_trans' expects 'dims' to be a permutation of (0, 1), but got "
        "(0, 1, 2)",
    ),
    (
        "tlx.local_slice(ring[0], [0], [64, 32])",
        ShapeError,
        "'tlx.local_slice' expects 'offset' to be 2 constexpr integers, but got (0,)",
    ),
    (
        "tlx.local_slice(ring[0], [32, 0], [64, 32])",
        ShapeError,
        "'tlx.local_slice' expects 'offset[0] + shape[0]' to be at most 64, but got 96",
    ),
    (
        "tlx.local_slice(ring[0], [8, 0], [16, 32])",
        ShapeError,
        "'tlx.local_slice' expects 'offset[0]' to be a multiple of 16, but got 8",
    ),
    (
        "tlx.local_reshape(ring[0], (1024,))",
        ShapeError,
        "'tlx.local_reshape' expects 'shape' to be of 2048 elements, but got 1024",
    ),
    (
        "tlx.local_reinterpret(ring[0], tl.float32)",
        ShapeError,
        "'tlx.local_reinterpret' expects 'shape and dtype' to be of at most 4096 "
        "bytes, but got 8192",
    ),
    (
        "tlx.local_reinterpret(ring, tl.int8)",
        ShapeError,
        "'tlx.local_reinterpret' expects 'shape and dtype' to be of 4096 bytes as a "
        "slot of the ring, but got 2048",
    ),
    (
        "tlx.subslice(ring[0], 0, 16)",
        TargetError,
        "'tlx.subslice' needs a buffer in tensor memory (sm_100); use tlx.local_slice "
        "in shared memory",
    ),
]


@pytest.mark.parametrize(("line", "error", "text"), MISUSES)
def test_misuses(line, error, text, one_line, rejects):
    rejects(one_line(BUFFER, line), error, text, line)
