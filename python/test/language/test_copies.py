# SPDX-License-Identifier: MIT
"""cp.async and 1-D bulk copies: IR and errors."""

import pytest
import triton
import triton.language as tl

import tlx
from tlx.errors import ArgumentError, BarrierError, DTypeError, ShapeError


def test_cp_async(tlxir):
    @triton.jit
    def kernel(x, n):
        ring = tlx.local_alloc((64,), tl.float16, 2)
        offs = tl.arange(0, 64)
        a = tlx.async_load(x + offs, ring[0])
        b = tlx.async_load(x + offs, ring[1], offs < n, 1.0, ".cg", "evict_first")
        c = tlx.async_load(x + offs, ring[1], mask=offs < n, is_volatile=True)
        group = tlx.async_load_commit_group([a, b, c])
        tlx.async_load_commit_group()
        token = tlx.async_load_wait_group(1, [group])
        tlx.local_store(ring[0], tlx.local_load(ring[1], token))

    text = tlxir(kernel, {"x": "*fp16", "n": "i32"})
    ptrs = "tensor<64x!tt.ptr<f16>> -> !tlx.buffer<64xf16, smem>"
    assert text.count(f": {ptrs}") == 3
    assert text.count(" mask ") == 2
    assert text.count(" other ") == 1
    assert "cache_modifier = 3 : i32" in text
    assert "eviction_policy = 2 : i32" in text
    assert text.count("is_volatile") == 1
    assert text.count("tlx.async_load_commit_group") == 2
    assert "tlx.async_load_wait_group 1 tokens %" in text
    assert " token %" in text


def test_masks_broadcast(tlxir):
    @triton.jit
    def kernel(x, n):
        tile = tlx.local_alloc((16, 64), tl.float16, 1)
        offs = tl.arange(0, 16)[:, None] * 64 + tl.arange(0, 64)[None, :]
        tlx.async_load(x + offs, tile[0], tl.arange(0, 64)[None, :] < n, other=0)

    text = tlxir(kernel, {"x": "*fp16", "n": "i32"})
    assert "mask %" in text
    assert "tensor<16x64xi1>" in text


def test_bulk(tlxir):
    @triton.jit
    def kernel(x, n):
        ring = tlx.local_alloc((64,), tl.float16, 2)
        bar = tlx.alloc_barriers(1)
        tlx.barrier_expect_bytes(bar, 128)
        tlx.async_load(x, ring[0], bulk=True, barrier=bar)
        tlx.async_load(
            x + tl.arange(0, 64), ring[1], bulk=True, bulk_size=64, barrier=bar[0]
        )
        tlx.async_load(x, ring[1], bulk=True, bulk_size=n, barrier=bar)
        tlx.fence("async_shared")
        tlx.async_store(x, ring[0], 128)
        tlx.async_descriptor_store_wait(0)

    text = tlxir(kernel, {"x": "*fp16", "n": "i32"})
    assert text.count("tlx.async_bulk_load %") == 3
    assert ": !tt.ptr<f16>, !tlx.buffer<64xf16, smem>, !tlx.barrier<count = 1>" in text
    assert ": tensor<64x!tt.ptr<f16>>, !tlx.buffer<64xf16, smem>, !tlx.bar" in text
    assert "arith.constant 128 : i32" in text
    assert "arith.constant 64 : i32" in text
    assert "tlx.async_bulk_store %" in text


SETUP = (
    "buf = tlx.local_alloc((64,), tl.float16, 1)[0]",
    "tile = tlx.local_alloc((16, 64), tl.float16, 1)[0]",
    "bar = tlx.alloc_barriers(1)[0]",
    "offs = tl.arange(0, 64)",
)
ACCEPTED = [
    "tlx.async_load(x + offs, buf, cache_modifier='.ca', eviction_policy='evict_last')",
    "tlx.async_load(x, buf, bulk=True, bulk_size=16, barrier=bar)",
    "tlx.async_load(x, buf, bulk=True, bulk_size=128, barrier=bar)",
    "tlx.async_store(x, buf, 16)",
]
REJECTED = [
    (
        "tlx.async_load(x, buf)",
        ArgumentError,
        "'tlx.async_load' expects 'src_ptrs' to be a tensor of pointers, but got a "
        "run-time value of type pointer<fp16>",
    ),
    (
        "tlx.async_load(x + tl.arange(0, 32), buf)",
        ShapeError,
        "'tlx.async_load' expects 'src_ptrs' to be of the shape (64,), but got (32,)",
    ),
    (
        "tlx.async_load(x.to(tl.pointer_type(tl.int16)) + offs, buf)",
        DTypeError,
        "'tlx.async_load' expects 'src_ptrs' to be pointing to the buffer's dtype "
        "fp16, "
        "but got int16",
    ),
    (
        "tlx.async_load(x + offs, buf, other=0.0)",
        ArgumentError,
        "'tlx.async_load' takes 'other' only with a mask",
    ),
    (
        "tlx.async_load(x + offs, buf, mask=offs)",
        DTypeError,
        "'tlx.async_load' expects 'mask' to be made of booleans (int1), but got int32",
    ),
    (
        "tlx.async_load(x + offs, buf, mask=tl.arange(0, 32) < 3)",
        ShapeError,
        "'tlx.async_load' expects 'mask' to be of a shape that broadcasts to (64,), "
        "but got (32,)",
    ),
    (
        "tlx.async_load(x + offs, buf, cache_modifier='.wb')",
        ArgumentError,
        "'tlx.async_load' expects 'cache_modifier' to be one of '', '.ca', '.cg', but "
        "got '.wb'",
    ),
    (
        "tlx.async_load(x + offs, buf, eviction_policy='evict_frist')",
        ArgumentError,
        "'tlx.async_load' expects 'eviction_policy' to be one of '', 'evict_first', "
        "'evict_last', but got 'evict_frist', did you mean 'evict_first'?",
    ),
    (
        "tlx.async_load(x + offs, buf, bulk_size=16)",
        ArgumentError,
        "'tlx.async_load' takes 'bulk_size' only with bulk=True",
    ),
    (
        "tlx.async_load(x + offs, buf, barrier=bar)",
        ArgumentError,
        "'tlx.async_load' takes 'barrier' only with bulk=True",
    ),
    (
        "tlx.async_load(x, buf, bulk=True)",
        ArgumentError,
        "'tlx.async_load' needs 'barrier' with bulk=True",
    ),
    (
        "tlx.async_load(x, buf, bulk=True, barrier=3)",
        BarrierError,
        "'tlx.async_load' expects 'barrier' to be a barrier, but got 3",
    ),
    (
        "tlx.async_load(x, buf, mask=offs < 3, bulk=True, barrier=bar)",
        ArgumentError,
        "'tlx.async_load' cannot take 'mask' with bulk=True",
    ),
    (
        "tlx.async_load(x, tile, bulk=True, barrier=bar)",
        ShapeError,
        "'tlx.async_load' expects 'buffer' to be of rank 1 in a bulk copy, but got "
        "(16, 64)",
    ),
    (
        "tlx.async_load(x, buf, bulk=True, bulk_size=144, barrier=bar)",
        ArgumentError,
        "'tlx.async_load' expects 'bulk_size' to be a multiple of 16 bytes in "
        "[16, 128], but got 144",
    ),
    (
        "tlx.async_load(x, buf, bulk=True, bulk_size=24, barrier=bar)",
        ArgumentError,
        "'tlx.async_load' expects 'bulk_size' to be a multiple of 16 bytes in "
        "[16, 128], but got 24",
    ),
    (
        "tlx.async_store(x, buf, 0)",
        ArgumentError,
        "'tlx.async_store' expects 'size' to be a multiple of 16 bytes in [16, 128], "
        "but got 0",
    ),
    (
        "tlx.async_load_commit_group([3])",
        ArgumentError,
        "'tlx.async_load_commit_group' expects 'tokens' to be a list of async tokens, "
        "but got 3",
    ),
    (
        "tlx.async_load_wait_group(-1)",
        ArgumentError,
        "'tlx.async_load_wait_group' expects 'pendings' to be at least 0, but got -1",
    ),
]


@pytest.mark.parametrize("line", ACCEPTED)
def test_accepted(line, one_line, tlxir):
    tlxir(one_line(*SETUP, line, arguments="x"), {"x": "*fp16"})


@pytest.mark.parametrize(("line", "error", "text"), REJECTED)
def test_rejected(line, error, text, one_line, rejects):
    kernel = one_line(*SETUP, line, arguments="x")
    rejects(kernel, error, text, line, signature={"x": "*fp16"})
