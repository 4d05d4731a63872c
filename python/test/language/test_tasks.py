# SPDX-License-Identifier: MIT
"""`async_tasks` and `async_task`: regions, scopes, replicas."""

import re

import pytest
import triton
import triton.language as tl

import tlx
from tlx.language.tasks import current_task


def tasks(text):
    """Return the header of each task in order."""
    return [
        line.strip().removesuffix(" {")
        for line in text.splitlines()
        if re.match(r"\s*tlx\.async_task\b", line)
    ]


def test_default_and_workers(tlxir):
    @triton.jit
    def kernel(x):
        with tlx.async_tasks():
            with tlx.async_task("default"):
                tl.store(x, 0)
            with tlx.async_task(num_warps=4, num_regs=232, replicate=2):
                tl.store(x, 1)
            with tlx.async_task(num_warps=1, registers=24):
                tl.store(x, 2)

    text = tlxir(kernel, {"x": "*i32"})
    assert text.count("tlx.async_tasks {") == 1
    assert tasks(text) == [
        "tlx.async_task default",
        "tlx.async_task num_warps = 4 num_regs = 232",
        "tlx.async_task num_warps = 4 num_regs = 232 replica = 1",
        "tlx.async_task num_warps = 1 num_regs = 24",
    ]
    assert text.count("tt.store") == 4


def test_replicas_of_the_default_are_workers_of_its_size(tlxir):
    @triton.jit
    def kernel(x):
        with tlx.async_tasks(exclusive=True):
            with tlx.async_task("default", registers=152, replicate=2):
                tl.store(x, tlx.async_task_replica_id())
            with tlx.async_task(num_warps=2, num_regs=40):
                tl.store(x, 7)

    text = tlxir(kernel, {"x": "*i32"}, num_warps=8)
    assert "tlx.async_tasks exclusive {" in text
    assert tasks(text) == [
        "tlx.async_task default num_regs = 152",
        "tlx.async_task num_warps = 8 num_regs = 152 replica = 1",
        "tlx.async_task num_warps = 2 num_regs = 40",
    ]


def test_first_warps(tlxir):
    @triton.jit
    def kernel(x):
        with tlx.async_tasks():
            with tlx.async_task("default", replicate=2, warp_group_start_id=12):
                tl.store(x, 0)
            with tlx.async_task(num_warps=4, replicate=2, warp_group_start_id=4):
                tl.store(x, 1)

    assert tasks(tlxir(kernel, {"x": "*i32"})) == [
        "tlx.async_task default",
        "tlx.async_task num_warps = 4 replica = 1 first_warp = 12",
        "tlx.async_task num_warps = 4 first_warp = 4",
        "tlx.async_task num_warps = 4 replica = 1 first_warp = 8",
    ]


def test_the_replica_id_is_constexpr(tlxir):
    @triton.jit
    def kernel(x):
        with tlx.async_tasks():
            with tlx.async_task("default"):
                tl.static_assert(tlx.async_task_replica_id() == 0)
            with tlx.async_task(num_warps=1, replicate=3):
                which: tl.constexpr = tlx.async_task_replica_id()
                for _ in tl.static_range(which):
                    tl.atomic_add(x, 1)

    assert tlxir(kernel, {"x": "*i32"}).count("tt.atomic_rmw") == 0 + 1 + 2


@triton.jit
def store_replica(x, WARPS: tl.constexpr):
    tl.store(x + tlx.async_task_replica_id(), WARPS)


@triton.jit
def indirect(x):
    store_replica(x, 4)


def test_the_replica_id_in_functions(tlxir):
    @triton.jit
    def kernel(x):
        with tlx.async_tasks():
            with tlx.async_task("default"):
                indirect(x)
            with tlx.async_task(num_warps=4, replicate=2):
                indirect(x)
            with tlx.async_task(num_warps=2):
                indirect(x)

    text = tlxir(kernel, {"x": "*i32"})
    names = set(re.findall(r"tt\.func private @(?:\")?([\w.<>]+)", text))
    # Default (4 warps, replica 0) and the first copy share; the others differ.
    assert len(names) == 2 * 3
    attrs = re.findall(r'"ttg\.num-warps" = (\d) : i32', text)
    assert sorted(attrs) == sorted(["4"] + ["4"] * 4 + ["2"] * 2)


def test_only_a_default_is_inlined(tlxir):
    @triton.jit
    def kernel(x):
        y = 1
        with tlx.async_tasks(exclusive=True):
            with tlx.async_task("default", registers=40, replicate=1):
                y = 2
                tl.static_assert(tlx.async_task_replica_id() == 0)
                tl.store(x, y)
        tl.store(x + 1, y)

    text = tlxir(kernel, {"x": "*i32"})
    assert "tlx.async" not in text
    stores = re.findall(r"tt\.store %\w+, (%\w+)", text)
    assert stores == ["%c2_i32", "%c1_i32"]


def test_assignments_stay_inside(tlxir):
    @triton.jit
    def kernel(x):
        y = 1
        z = tl.load(x)
        with tlx.async_tasks():
            with tlx.async_task("default"):
                y = 2
                tl.store(x, y)
            with tlx.async_task(num_warps=1):
                z = z + y
                tl.store(x, z)
        tl.store(x, y)
        tl.store(x, z)

    text = tlxir(kernel, {"x": "*i32"})
    after = text[text.rindex("tlx.async_task") :]
    stores = re.findall(r"tt\.store %\w+, (%\w+)", after)
    loaded = re.search(r"(%\w+) = tt\.load", text)[1]
    one = re.search(r"(%\w+) = arith\.constant 1 : i32", text)[1]
    assert stores[1:] == [one, loaded]
    assert stores[0] not in (one, loaded)


def test_constexpr_ifs_choose_tasks(tlxir):
    @triton.jit
    def kernel(x, WIDE: tl.constexpr, EXTRA: tl.constexpr):
        with tlx.async_tasks():
            if WIDE:
                with tlx.async_task("default"):
                    tl.store(x, 0)
            else:
                with tlx.async_task("default", num_regs=40):
                    tl.store(x, 1)
            if EXTRA == 1:
                with tlx.async_task(num_warps=1):
                    tl.store(x, 2)
            elif EXTRA == 2:
                with tlx.async_task(num_warps=2):
                    tl.store(x, 3)
            else:
                pass

    def choose(**constants):
        return tasks(tlxir(kernel, {"x": "*i32"}, constants))

    assert choose(WIDE=True, EXTRA=1)[1:] == ["tlx.async_task num_warps = 1"]
    assert choose(WIDE=False, EXTRA=2) == [
        "tlx.async_task default num_regs = 40",
        "tlx.async_task num_warps = 2",
    ]
    assert choose(WIDE=True, EXTRA=0) == []


def test_regions_one_after_another_and_in_loops(tlxir):
    @triton.jit
    def kernel(x, n):
        total = 0
        for i in range(n):
            with tlx.async_tasks():
                with tlx.async_task("default"):
                    tl.store(x, i)
                with tlx.async_task(num_warps=1):
                    for j in range(i):
                        tl.store(x + j, total)
            total += i
        with tlx.async_tasks():
            with tlx.async_task("default"):
                tl.store(x, total)
            with tlx.async_task(num_warps=1):
                tl.store(x, n)

    text = tlxir(kernel, {"x": "*i32", "n": "i32"})
    assert text.count("tlx.async_tasks {") == 2


@triton.jit
def consume(ring, full, empty, x, n, NUM: tl.constexpr):
    for i in range(n):
        slot, phase = tlx.warp_spec.get_bufidx_phase(i, NUM)
        tlx.barrier_wait(full[slot], phase)
        tl.store(x + tl.arange(0, 64), tlx.local_load(ring[slot]))
        tlx.barrier_arrive(empty[slot])


@triton.jit
def produce(ring, full, empty, desc, n, NUM: tl.constexpr):
    for i in range(n):
        slot, phase = tlx.warp_spec.get_bufidx_phase(i, NUM)
        tlx.barrier_wait(empty[slot], phase ^ 1)
        tlx.barrier_expect_bytes(full[slot], 128)
        tlx.async_descriptor_load(desc, ring[slot], [i * 64], full[slot])


def test_buffers_barriers_and_descriptors_go_to_functions(tlxir):
    @triton.jit
    def kernel(desc, x, n, NUM: tl.constexpr):
        ring = tlx.local_alloc((64,), tl.float16, NUM)
        bars = (tlx.alloc_barriers(NUM), tlx.alloc_barriers(NUM))
        with tlx.async_tasks():
            with tlx.async_task("default"):
                produce(ring, bars[0], bars[1], desc, n, NUM)
            with tlx.async_task(num_warps=4):
                consume(ring, bars[0], bars[1], x, n, NUM)

    signature = {"desc": "tensordesc<fp16[64]>", "x": "*fp16", "n": "i32"}
    text = tlxir(kernel, signature, {"NUM": 3})
    for name in ("produce", "consume", "get_bufidx_phase"):
        assert re.search(rf"tt\.func private @.*{name}", text)
    assert "!tlx.buffer<[3] 64xf16, smem>, " in text


def test_two_rings_give_two_functions(tlxir):
    @triton.jit
    def kernel(x, n):
        full, empty = tlx.alloc_barriers(4), tlx.alloc_barriers(4)
        consume(tlx.local_alloc((64,), tl.float16, 4), full, empty, x, n, 4)
        consume(tlx.local_alloc((64,), tl.float16, 3), full, empty, x, n, 4)
        consume(tlx.local_alloc((64,), tl.float16, 3), full, full, x, n, 4)

    text = tlxir(kernel, {"x": "*fp16", "n": "i32"})
    assert len(re.findall(r"tt\.func private @\S*consume", text)) == 2


def test_tensors_of_the_kernel_are_the_default_tasks_too(tlxir):
    @triton.jit
    def kernel(x):
        offs = tl.arange(0, 64)
        with tlx.async_tasks():
            with tlx.async_task("default"):
                tl.store(x + offs, 0)
            with tlx.async_task(num_warps=1):
                offs = tl.arange(0, 32)
                for _ in range(3):
                    offs += 1
                tl.store(x + offs, 1)

    text = tlxir(kernel, {"x": "*i32"})
    assert text.count("tt.make_range") == 2


def test_the_default_task_may_name_its_warps(tlxir):
    @triton.jit
    def kernel(x, WARPS: tl.constexpr):
        with tlx.async_tasks():
            with tlx.async_task("default", num_warps=WARPS):
                tl.store(x, 0)
            with tlx.async_task(num_warps=1):
                tl.store(x, 1)

    tlxir(kernel, {"x": "*i32"}, {"WARPS": 4})
    with pytest.warns(tlx.errors.TLXWarning, match="has the 4 warps of the kernel"):
        tlxir(kernel, {"x": "*i32"}, {"WARPS": 8})


def test_nothing_is_left_behind():
    assert current_task() is None
