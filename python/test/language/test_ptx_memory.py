# SPDX-License-Identifier: MIT
"""Descriptors in memory, gathers, prefetches and votes down to PTX."""

import re

import pytest
import triton
import triton.language as tl

import tlx


def test_entries_of_a_buffer(ptx):
    @triton.jit
    def kernel(d, i, x):
        tiles = tlx.local_alloc((4, 64, 64), tl.float16, 1)[0]
        bar = tlx.alloc_barriers(1)
        tlx.async_descriptor_load(d, tiles[i], [0, 0], bar)
        acc = tlx.async_dot_wait(0, tlx.async_dot(tiles[1], tiles[3]))
        offs = tl.arange(0, 64)
        tl.store(x + offs[:, None] * 64 + offs[None, :], acc)
        tl.store(
            x + 4096 + offs,
            tlx.local_load(tlx.local_alloc((4, 64), tl.float32, 1)[0][i]),
        )

    signature = {"d": "tensordesc<fp16[64, 64]>", "i": "i32", "x": "*fp32"}
    text = ptx(kernel, signature)
    # 64 rows of 128 bytes, 64 words of 4 bytes.
    assert re.search(r"shl\.b32 \s*%r\d+, %r\d+, 13;", text)
    assert re.search(r"shl\.b32 \s*%r\d+, %r\d+, 8;", text)
    assert text.count("wgmma.mma_async") == 4


def test_gather_and_scatter(ptx):
    @triton.jit
    def kernel(x, y, AXIS: tl.constexpr):
        tile = tlx.local_alloc((64, 64), tl.float32, 1)[0]
        rows, cols = tl.arange(0, 64)[:, None], tl.arange(0, 64)[None, :]
        tlx.local_store(tile, tl.load(x + rows * 64 + cols))
        places = tl.load(y + rows * 64 + cols)
        some = tlx.local_gather(tile, places, AXIS)
        tlx.local_scatter(tile, some + 1, places, AXIS)
        tl.store(x + rows * 64 + cols, tlx.local_load(tile))

    for axis in (0, 1):
        text = ptx(kernel, {"x": "*fp32", "y": "*i32"}, {"AXIS": axis})
        # A thread of 128 has 32 of the 4096 elements.
        assert len(re.findall(r"ld\.shared(?:::cta)?\.b32", text)) >= 32
        assert len(re.findall(r"st\.shared(?:::cta)?\.b32", text)) >= 32


def test_prefetches(ptx):
    @triton.jit
    def kernel(x, d, n):
        offs = tl.arange(0, 128)
        tlx.prefetch(x)
        tlx.prefetch(x + offs, "L1")
        tlx.prefetch(x + offs, mask=offs < n)
        tlx.prefetch(d, tensormap=True)
        tlx.prefetch(tlx.allocate_tensor_descriptor(2)[1], tensormap=True)

    text = ptx(kernel, {"x": "*fp32", "d": "tensordesc<fp16[64, 64]>", "n": "i32"})
    assert text.count("prefetch.global.L2") == 2
    assert len(re.findall(r"@p prefetch\.global\.L2", text)) == 1
    assert text.count("prefetch.global.L1") == 1
    assert text.count("prefetch.tensormap") == 2


def test_votes(ptx):
    @triton.jit
    def kernel(x, m):
        i = tlx.thread_id(0)
        tl.store(x, tlx.vote_ballot_sync(0xFFFFFFFF, i > 3))
        offs = tl.arange(0, 512)
        tl.store(x + offs, tlx.vote_ballot_sync(m, tl.load(x + offs) > 0))

    text = ptx(kernel, {"x": "*i32", "m": "i32"})
    assert len(re.findall(r"vote\.sync\.ballot\.b32\s+%r\d+, %p\d+, -1;", text)) == 1
    # 4 elements of a thread become one predicate.
    vote = r"(?:or\.b32 t, t, %r\d+; ){3}setp\.ne\.u32 p, t, 0; vote\.sync\.ballot\.b32"
    assert len(re.findall(vote, text)) == 1


@triton.jit
def made_by_us(x, y, m, n, s, M: tl.constexpr, N: tl.constexpr, PAD: tl.constexpr):
    ptrs = tlx.allocate_tensor_descriptor(2)
    made = tlx.make_tensor_descriptor(ptrs[1], x, [m, n], [s, 1], [M, N], PAD)
    tile = tlx.local_alloc((M, N), x.dtype.element_ty, 1)[0]
    tlx.async_descriptor_store(made, tile, [0, 0])
    read = tlx.reinterpret_tensor_descriptor(ptrs[1], [M, N], x.dtype.element_ty)
    tlx.async_descriptor_store(read, tile, [0, 0])


@triton.jit
def made_by_triton(x, y, m, n, s, M: tl.constexpr, N: tl.constexpr, PAD: tl.constexpr):
    made = tl.make_tensor_descriptor(x, [m, n], [s, 1], [M, N], PAD)
    tile = tlx.local_alloc((M, N), x.dtype.element_ty, 1)[0]
    tlx.async_descriptor_store(made, tile, [0, 0])


DESCRIPTORS = [
    *[
        (pointer, 16, 64, "zero")
        for pointer in ("i8", "u8", "i16", "i32", "u32", "bf16", "fp32", "fp8e4nv")
    ],
    ("fp16", 512, 128, "nan"),
    ("fp32", 8, 4, "nan"),
]


@pytest.mark.parametrize(("pointer", "m", "n", "pad"), DESCRIPTORS)
def test_descriptors_in_memory(pointer, m, n, pad, ptx):
    signature = {"x": f"*{pointer}", "y": "*i8", "m": "i32", "n": "i32", "s": "i64"}
    constexprs = {"M": m, "N": n, "PAD": pad}
    ours, theirs = (
        re.sub(
            r"%\w+",
            "%",
            "\n".join(re.findall(r"tensormap\.(?:replace|cp_).*", text)),
        )
        for text in (
            ptx(kernel, signature, constexprs)
            for kernel in (made_by_us, made_by_triton)
        )
    )
    assert "replace.tile.box_dim" in ours
    assert ours == theirs


def test_a_descriptor_in_memory_is_acquired(ptx):
    @triton.jit
    def kernel(p):
        desc = tlx.reinterpret_tensor_descriptor(p, [64], tl.float32)
        tlx.async_descriptor_store(desc, tlx.local_alloc((64,), tl.float32, 1), [0])

    text = ptx(kernel, {"p": "*i8"})
    assert "fence.proxy.tensormap::generic.acquire.gpu" in text
    assert "cp.async.bulk.tensor.1d.global.shared::cta" in text


@triton.jit
def tall(d, i, M: tl.constexpr, N: tl.constexpr):
    tile = tlx.local_alloc((M, N), tl.float16, 1)[0]
    bar = tlx.alloc_barriers(1)
    tlx.async_descriptor_prefetch_tensor(d, [i, 0])
    tlx.async_descriptor_load(d, tile, [i, 0], bar)
    tlx.async_descriptor_store(d, tile, [i, 0])


@pytest.mark.parametrize(
    ("m", "n", "rows", "columns"),
    [(512, 64, 256, 0), (4, 512, 0, 256), (256, 64, 0, 0)],
)
def test_tiles_of_more_than_256(m, n, rows, columns, compiled):
    # Triton copies them in several messages, which one warp issues here.
    signature = {"d": f"tensordesc<fp16[{m}, {n}]>", "i": "i32"}
    kernel = compiled(tall, signature, {"M": m, "N": n}, num_warps=1)
    text = kernel.asm["ptx"]
    expected = 2 if rows or columns else 1
    for copy in (
        r"tensor\.2d\.shared::\w+\.global",
        r"tensor\.2d\.global",
        r"prefetch\.tensor\.2d\.L2\.global",
    ):
        pattern = rf"cp\.async\.bulk\.{copy}.*\{{(\S+), (\S+)\}}"
        copies = re.findall(pattern, text)
        assert len(copies) == len(set(copies)) == expected
    # So the host makes descriptors of smaller tiles.
    assert kernel.metadata.tensordesc_meta[0]["block_size"] == [
        rows or m,
        columns or n,
    ]
    # The second message starts behind the first one, in both memories.
    for step in [rows or columns, m * n] if expected == 2 else []:
        assert re.search(rf"\b{step}\b", text)
