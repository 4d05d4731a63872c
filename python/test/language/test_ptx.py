# SPDX-License-Identifier: MIT
"""Constructs of the language down to the PTX that stands for them."""

import re

import pytest
import triton
import triton.language as tl

import tlx


def test_barriers(ptx):
    @triton.jit
    def kernel(i, p):
        bars = tlx.alloc_barriers(3, arrive_count=2)
        tlx.barrier_expect_bytes(bars[i], 16384)
        tlx.barrier_arrive(bars[1], 2)
        tlx.barrier_wait(bars[i], p)

    text = ptx(kernel, {"i": "i32", "p": "i32"})
    assert text.count("mbarrier.init.shared::cta.b64") == 3
    assert "mbarrier.arrive.expect_tx.shared::cta.b64" in text
    assert re.search(r"mbarrier\.arrive\.shared::cta\.b64 _, \[\S+\], 2;", text)
    assert "mbarrier.try_wait.parity.shared::cta.b64" in text


def test_named_barriers_fences_and_registers(ptx):
    @triton.jit
    def kernel(x):
        tlx.named_barrier_wait(9, 128)
        tlx.named_barrier_arrive(10, 128)
        tlx.fence("async_shared")
        tlx.fence("gpu")
        tlx.fence("sys")
        tl.store(x, tlx.clock64())
        tl.store(x + 1, tlx.thread_id(1))

    text = ptx(kernel, {"x": "*i64"})
    assert re.search(r"bar\.sync\s+9, 128", text)
    assert re.search(r"bar\.arrive\s+10, 128", text)
    for fence in ("proxy.async.shared::cta", "acq_rel.gpu", "acq_rel.sys"):
        assert f"fence.{fence}" in text
    assert "%clock64" in text
    assert "%tid.y" in text


def test_copies(ptx):
    @triton.jit
    def kernel(x, y):
        ring = tlx.local_alloc((256,), tl.float32, 2)
        bar = tlx.alloc_barriers(1)
        offs = tl.arange(0, 256)
        tlx.async_load(x + offs, ring[0])
        tlx.async_load_commit_group()
        tlx.async_load_wait_group(0)
        tl.store(y + offs, tlx.local_load(ring[0]))
        tlx.barrier_expect_bytes(bar, 1024)
        tlx.async_load(x, ring[1], bulk=True, barrier=bar)
        tlx.barrier_wait(bar, 0)
        tlx.async_store(y, ring[1], 1024)
        tlx.async_descriptor_store_wait(0)

    text = ptx(kernel, {"x": "*fp32", "y": "*fp32"})
    assert re.search(r"cp\.async\.c[ag]\.shared\.global", text)
    assert "cp.async.commit_group" in text
    assert "cp.async.wait_group" in text
    assert re.search(r"cp\.async\.bulk\.shared::\w+\.global\.mbarrier", text)
    assert "cp.async.bulk.global.shared::cta.bulk_group" in text
    assert "cp.async.bulk.wait_group" in text


@triton.jit
def tensor_store(x, d):
    buffer = tlx.local_alloc((64, 64), tl.float16, 1)[0]
    tlx.local_store(buffer, tl.full((64, 64), 1, tl.float16))
    tlx.async_descriptor_store(d, buffer, [0, 0])
    tlx.async_descriptor_store_wait(0)


@triton.jit
def tensor_load(x, d):
    buffer = tlx.local_alloc((64, 64), tl.float16, 1)[0]
    bar = tlx.alloc_barriers(1)
    tlx.local_store(buffer, tl.full((64, 64), 1, tl.float16))
    tlx.barrier_expect_bytes(bar, 64 * 64 * 2)
    tlx.async_descriptor_load(d, buffer, [0, 0], bar)
    tlx.barrier_wait(bar, 0)
    tlx.local_store(buffer, tlx.local_load(buffer))


@triton.jit
def product(x, d):
    buffer = tlx.local_alloc((64, 64), tl.float16, 1)[0]
    tlx.local_store(buffer, tl.full((64, 64), 1, tl.float16))
    acc = tlx.async_dot_wait(0, tlx.async_dot(buffer, buffer))
    offs = tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)
    tl.store(x + offs, acc.to(tl.float16))


@triton.jit
def bulk_store(x, d):
    buffer = tlx.local_alloc((1024,), tl.float16, 1)[0]
    tlx.local_store(buffer, tl.full((1024,), 1, tl.float16))
    tlx.async_store(x, buffer, 2048)
    tlx.async_descriptor_store_wait(0)


@triton.jit
def tensor_store_of_another_task(x, d):
    buffer = tlx.local_alloc((64, 64), tl.float16, 1)[0]
    bar = tlx.alloc_barriers(1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.local_store(buffer, tl.full((64, 64), 1, tl.float16))
            tlx.barrier_arrive(bar)
        with tlx.async_task(num_warps=1):
            tlx.barrier_wait(bar, 0)
            tlx.async_descriptor_store(d, buffer, [0, 0])
            tlx.async_descriptor_store_wait(0)


@pytest.mark.parametrize(
    ("kernel", "is_fenced"),
    [
        (tensor_store, True),
        (tensor_load, True),
        (product, True),
        (bulk_store, False),
        (tensor_store_of_another_task, False),
    ],
)
def test_where_the_compiler_inserts_proxy_fences(ptx, kernel, is_fenced):
    """The rule that docs/language.md gives and the simulator checks kernels by."""
    text = ptx(kernel, {"x": "*fp16", "d": "tensordesc<fp16[64, 64]>"})
    assert ("fence.proxy.async.shared::cta" in text) == is_fenced


# Triton 3.8 rejects an eviction policy of tensor copies, at the user's line.
EVICTION = "" if triton.__version__.startswith("3.8.") else "evict_last"


def test_tensor_copies(ptx):
    @triton.jit
    def kernel(d, i, EVICTION: tl.constexpr):
        tile = tlx.local_alloc((64, 32), tl.float16, 1)[0]
        bar = tlx.alloc_barriers(1)
        tlx.async_descriptor_prefetch_tensor(d, [i, 0])
        tlx.barrier_expect_bytes(bar, 64 * 32 * 2)
        tlx.async_descriptor_load(d, tile, [i, 32], bar, eviction_policy=EVICTION)
        tlx.barrier_wait(bar, 0)
        tlx.async_descriptor_store(d, tile, [i, 0])
        tlx.async_descriptor_store(d, tile, [i, 0], store_reduce="add")
        tlx.async_descriptor_store_wait(0)

    signature = {"d": "tensordesc<fp16[64, 32]>", "i": "i32"}
    text = ptx(kernel, signature, {"EVICTION": EVICTION})
    load = r"cp\.async\.bulk\.tensor\.2d\.shared::\w+\.global\S*"
    assert ("cache_hint" in re.search(load, text)[0]) == (EVICTION != "")
    assert "cp.async.bulk.prefetch.tensor.2d" in text
    assert "cp.async.bulk.tensor.2d.global.shared::cta" in text
    assert "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add" in text


PRODUCTS = [
    (tl.float16, 64, "*fp32", "m64n64k16.f32.f16.f16"),
    (tl.bfloat16, 64, "*fp32", "m64n64k16.f32.bf16.bf16"),
    (tl.float32, 32, "*fp32", "m64n64k8.f32.tf32.tf32"),
    (tl.float8e4nv, 64, "*fp32", "m64n64k32.f32.e4m3.e4m3"),
    (tl.int8, 64, "*i32", "m64n64k32.s32.s8.s8"),
]


@pytest.mark.parametrize(("dtype", "k", "pointer", "shape"), PRODUCTS)
def test_products(dtype, k, pointer, shape, ptx):
    @triton.jit
    def kernel(x, K: tl.constexpr, DTYPE: tl.constexpr):
        a = tlx.local_alloc((64, K), DTYPE, 1)[0]
        b = tlx.local_trans(tlx.local_alloc((64, K), DTYPE, 1)[0])
        acc = tlx.async_dot(a, b)
        acc = tlx.async_dot(tlx.local_load(a), b, acc)
        acc = tlx.async_dot_wait(0, acc)
        offs = tl.arange(0, 64)
        tl.store(x + offs[:, None] * 64 + offs[None, :], acc)

    text = ptx(kernel, {"x": pointer}, {"K": k, "DTYPE": dtype})
    steps = k * dtype.primitive_bitwidth // 8 // 32
    assert text.count(f"wgmma.mma_async.sync.aligned.{shape}") == 2 * steps
    assert "wgmma.wait_group.sync.aligned" in text


def test_tasks(ptx):
    @triton.jit
    def kernel(x):
        with tlx.async_tasks():
            with tlx.async_task("default"):
                tl.store(x, 1)
            with tlx.async_task(num_warps=4, num_regs=232, replicate=2):
                tl.store(x + 1 + tlx.async_task_replica_id(), 2)
            with tlx.async_task(num_warps=1, num_regs=24):
                tl.store(x + 3, 3)

    text = ptx(kernel, {"x": "*i32"}, num_warps=4)
    # 4 + 2 * 4 + 1 warps, the workers padded to a multiple of 4.
    assert ".reqntid 512" in text
    assert re.search(r"setmaxnreg\.inc\.sync\.aligned\.u32\s+232;", text)
    assert re.search(r"setmaxnreg\.dec\.sync\.aligned\.u32\s+24;", text)
