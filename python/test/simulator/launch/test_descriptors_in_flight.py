# SPDX-License-Identifier: MIT
"""Descriptors that kernels make: which tensors, and what may overwrite them when."""

import numpy as np
import pytest
import triton
import triton.language as tl

import tlx
from tlx.simulator.findings.memory import (
    Misaligned,
    MissingFence,
    OutOfRange,
    RaceError,
)

LEVELS = ("tlxir", "ttgir", "stock_ttgir")


@pytest.fixture(params=LEVELS)
def level(request):
    return request.param


def findings(level, kernel, *arguments, grid=1, **options):
    """Runs a kernel and returns what is found."""
    with tlx.simulate(level=level, on_finding="collect", **options) as run:
        kernel[(grid,)](*arguments)
    return run.findings


# What a descriptor can describe.


@triton.jit
def one_tile(desc_ptr, a, c, start, stride, rows, IN_STORAGE: tl.constexpr):
    if IN_STORAGE:
        d = tlx.make_tensor_descriptor(
            desc_ptr, a + start, [rows, 16], [stride, 1], [16, 16]
        )
    else:
        d = tlx.make_tensor_descriptor(
            None, a + start, [rows, 16], [stride, 1], [16, 16]
        )
    buf = tlx.local_alloc((16, 16), tl.float16, 1)[0]
    bar = tlx.alloc_barriers(1)
    tlx.barrier_expect_bytes(bar[0], 512)
    tlx.async_descriptor_load(d, buf, [0, 0], bar[0])
    tlx.barrier_wait(bar[0], 0)
    offs = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]
    tl.store(c + offs, tlx.local_load(buf))


def copy_tile(level, start, stride, rows=16, in_storage=False):
    a = np.arange(64 * 72).astype(np.float16)
    c = np.zeros((16, 16), np.float16)
    space = np.zeros(128, np.int8)
    with tlx.simulate(level=level):
        one_tile[(1,)](space, a, c, start, stride, rows, in_storage)
    expected = a[start:][: 16 * stride].reshape(16, stride)[:, :16].copy()
    expected[rows:] = 0
    np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize("in_storage", [False, True])
@pytest.mark.parametrize(("start", "stride", "rows"), [(8, 72, 16), (0, 16, 9)])
def test_tensors_that_tma_can_take(level, start, stride, rows, in_storage):
    copy_tile(level, start, stride, rows, in_storage)


FAULTS = [
    (0, 66, 16, Misaligned, "'strides[0]' to be a multiple of 16 bytes", "132"),
    (0, 68, 16, Misaligned, "'strides[0]' to be a multiple of 16 bytes", "136"),
    (1, 72, 16, Misaligned, "'base' to be at a multiple of 16 bytes", "byte 2 of 'a'"),
    (4, 72, 16, Misaligned, "'base' to be at a multiple of 16 bytes", "byte 8 of 'a'"),
    (0, -8, 16, OutOfRange, "'strides[0]' to be in [0, 1099511627775] bytes", "-16"),
    (0, 72, 0, OutOfRange, "'shape[0]' to be in [1, 4294967296]", "0"),
]


@pytest.mark.parametrize("in_storage", [False, True])
@pytest.mark.parametrize(("start", "stride", "rows", "error", "rule", "got"), FAULTS)
def test_tensors_that_tma_cannot_take(
    level, start, stride, rows, error, rule, got, in_storage
):
    with pytest.raises(error) as caught:
        copy_tile(level, start, stride, rows, in_storage)
    assert caught.value.message == f"expects {rule}, but got {got}"
    assert "make_tensor_descriptor(" in caught.value.location.text


# Rewritten while copies are in flight.


@triton.jit
def moving_loads(x, y, n, SLOTS: tl.constexpr, EARLY: tl.constexpr):
    """Tile i is read while tile i + 1 is on its way, with a new descriptor for each.

    With one slot, the copy before is waited for first; if `EARLY`, only after the next
    descriptor is made.
    """
    ring = tlx.local_alloc((64, 64), tl.float16, 2)
    full = tlx.alloc_barriers(2)
    ptrs = tlx.allocate_tensor_descriptor(SLOTS)
    offs = tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :]
    for i in range(n + 1):
        last = i - 1
        if SLOTS == 1 and not EARLY and i > 0:
            tlx.barrier_wait(full[last % 2], (last // 2) & 1)
        if i < n:
            d = tlx.make_tensor_descriptor(
                ptrs[i % SLOTS], x + i * 4096, [64, 64], [64, 1], [64, 64]
            )
            tlx.barrier_expect_bytes(full[i % 2], 64 * 64 * 2)
            tlx.async_descriptor_load(d, ring[i % 2], [0, 0], full[i % 2])
        if i > 0:
            tlx.barrier_wait(full[last % 2], (last // 2) & 1)
            tl.store(y + last * 4096 + offs, tlx.local_load(ring[last % 2]))


def load_all(level, slots, early):
    x = np.random.default_rng(0).random((4, 64, 64)).astype(np.float16)
    y = np.zeros_like(x)
    found = findings(level, moving_loads, x, y, 4, slots, early)
    return found, (x == y).all()


@pytest.mark.parametrize(("slots", "early"), [(2, True), (1, False)])
def test_loads_with_a_descriptor_each(level, slots, early):
    found, is_right = load_all(level, slots, early)
    assert not found
    assert is_right


def test_loads_whose_descriptor_is_overwritten(level):
    (found,) = load_all(level, 1, True)[0]
    assert isinstance(found, RaceError)
    assert found.message == (
        "race on 'ptrs': write by the default task is not ordered after the "
        "asynchronous read by the default task"
    )
    assert "make_tensor_descriptor(" in found.location.text
    assert "async_descriptor_load(d, ring" in found.notes[0][1].text
    assert "nobody has waited for its completion on 'full[0]'" in found.notes[1][0]
    assert "tlx.allocate_tensor_descriptor" in found.notes[2][0]


@triton.jit
def moving_stores(x, y, n, WAIT: tl.constexpr, MOVE: tl.constexpr):
    """Stores tiles, with a descriptor of the compiler's place for each."""
    ring = tlx.local_alloc((64, 64), tl.float16, 2)
    offs = tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :]
    for i in range(n):
        if WAIT:
            tlx.async_descriptor_store_wait(0)
        else:
            tlx.async_descriptor_store_wait(1)
        tlx.local_store(ring[i % 2], tl.load(x + i * 4096 + offs))
        tlx.fence("async_shared")
        if MOVE:
            d = tlx.make_tensor_descriptor(
                None, y + i * 4096, [64, 64], [64, 1], [64, 64]
            )
            tlx.async_descriptor_store(d, ring[i % 2], [0, 0])
        else:
            d = tlx.make_tensor_descriptor(None, y, [n * 64, 64], [64, 1], [64, 64])
            tlx.async_descriptor_store(d, ring[i % 2], [i * 64, 0])
    tlx.async_descriptor_store_wait(0)


def store_all(level, wait, move):
    x = np.random.default_rng(0).random((4, 64, 64)).astype(np.float16)
    y = np.zeros_like(x)
    found = findings(level, moving_stores, x, y, 4, wait, move)
    return found, (x == y).all()


@pytest.mark.parametrize(
    ("wait", "move"), [(True, True), (False, False), (False, True)]
)
def test_stores_have_a_descriptor_each(level, wait, move):
    """What does not change in a loop is made once."""
    found, is_right = store_all(level, wait, move)
    assert not found
    assert is_right


@triton.jit
def moving_tasks(x, y, n, SLOTS: tl.constexpr):
    """A task loads ahead, with a descriptor of the compiler's place for each tile."""
    ring = tlx.local_alloc((64, 64), tl.float16, SLOTS)
    full, empty = tlx.alloc_barriers(SLOTS), tlx.alloc_barriers(SLOTS)
    offs = tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :]
    with tlx.async_tasks():
        with tlx.async_task("default"):
            for i in range(n):
                slot, phase = i % SLOTS, (i // SLOTS) & 1
                tlx.barrier_wait(full[slot], phase)
                tl.store(y + i * 4096 + offs, tlx.local_load(ring[slot]))
                tlx.barrier_arrive(empty[slot])
        with tlx.async_task(num_warps=1):
            i = 0
            while i < n:
                slot, phase = i % SLOTS, (i // SLOTS) & 1
                d = tlx.make_tensor_descriptor(
                    None, x + i * 4096, [64, 64], [64, 1], [64, 64]
                )
                tlx.barrier_wait(empty[slot], phase ^ 1)
                tlx.barrier_expect_bytes(full[slot], 64 * 64 * 2)
                tlx.async_descriptor_load(d, ring[slot], [0, 0], full[slot])
                i += 1


@pytest.mark.parametrize("schedule", ["round_robin", "lazy_engines", "random"])
def test_loads_of_a_task_have_a_descriptor_each(level, schedule):
    x = np.random.default_rng(0).random((9, 64, 64)).astype(np.float16)
    y = np.zeros_like(x)
    assert not findings(level, moving_tasks, x, y, 9, 3, schedule=schedule)
    np.testing.assert_array_equal(x, y)


@triton.jit
def hoisted(x, y, n):
    """The use of the descriptor's address may come before the descriptor."""
    buf = tlx.local_alloc((64, 64), tl.float16, 1)[0]
    full = tlx.alloc_barriers(1)
    ptr = tlx.allocate_tensor_descriptor(1)
    offs = tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :]
    for i in range(n):
        tlx.barrier_expect_bytes(full[0], 64 * 64 * 2)
        d = tlx.make_tensor_descriptor(ptr, x + i * 4096, [64, 64], [64, 1], [64, 64])
        tlx.async_descriptor_load(d, buf, [0, 0], full[0])
        tlx.barrier_wait(full[0], i & 1)
        tl.store(y + i * 4096 + offs, tlx.local_load(buf))


def test_a_descriptor_is_read_by_the_copy(level):
    x = np.random.default_rng(0).random((3, 64, 64)).astype(np.float16)
    y = np.zeros_like(x)
    assert not findings(level, hoisted, x, y, 3)
    np.testing.assert_array_equal(x, y)


# Made by one task, used by another.


@triton.jit
def two_tasks(x, y, n, SLOTS: tl.constexpr, WAIT: tl.constexpr):
    ptrs = tlx.allocate_tensor_descriptor(SLOTS)
    made = tlx.alloc_barriers(SLOTS)
    used = tlx.alloc_barriers(SLOTS)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            buf = tlx.local_alloc((64, 64), tl.float16, 1)[0]
            full = tlx.alloc_barriers(1)
            offs = tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :]
            for i in range(n):
                slot, phase = i % SLOTS, (i // SLOTS) & 1
                tlx.barrier_wait(made[slot], phase)
                d = tlx.reinterpret_tensor_descriptor(ptrs[slot], [64, 64], tl.float16)
                tlx.barrier_expect_bytes(full[0], 64 * 64 * 2)
                tlx.async_descriptor_load(d, buf, [0, 0], full[0])
                if not WAIT:
                    tlx.barrier_arrive(used[slot])
                tlx.barrier_wait(full[0], i & 1)
                if WAIT:
                    tlx.barrier_arrive(used[slot])
                tl.store(y + i * 4096 + offs, tlx.local_load(buf))
        with tlx.async_task(num_warps=1):
            for i in range(n):
                slot, phase = i % SLOTS, (i // SLOTS) & 1
                tlx.barrier_wait(used[slot], phase ^ 1)
                tlx.make_tensor_descriptor(
                    ptrs[slot], x + i * 4096, [64, 64], [64, 1], [64, 64]
                )
                tlx.barrier_arrive(made[slot])


def hand_over(level, slots, wait):
    x = np.random.default_rng(0).random((5, 64, 64)).astype(np.float16)
    y = np.zeros_like(x)
    return findings(level, two_tasks, x, y, 5, slots, wait), (x == y).all()


@pytest.mark.parametrize("slots", [1, 2])
def test_descriptors_from_another_task(level, slots):
    found, is_right = hand_over(level, slots, True)
    assert not found
    assert is_right


def test_descriptors_given_back_too_early(level):
    found = hand_over(level, 1, False)[0]
    assert [type(f) for f in found] == [RaceError]
    assert "'ptrs': write by task 1" in found[0].message
    assert "asynchronous read by the default task" in found[0].message


@triton.jit
def prefetches(x, MAKE: tl.constexpr, pred):
    ptr = tlx.allocate_tensor_descriptor(1)
    d = tlx.reinterpret_tensor_descriptor(ptr, [64, 64], tl.float16)
    if MAKE:
        tlx.make_tensor_descriptor(ptr, x, [64, 64], [64, 1], [64, 64])
    tlx.async_descriptor_prefetch_tensor(d, [0, 0], pred > 0)


def test_prefetches_read_the_descriptor(level):
    x = np.zeros((64, 64), np.float16)
    assert not findings(level, prefetches, x, True, 1)
    assert not findings(level, prefetches, x, False, 0)
    (found,) = findings(level, prefetches, x, False, 1)
    assert found.message == "no descriptor has been written to this address"


# Made by one CTA, used by another.


@triton.jit
def two_ctas(space, flag, x, y, LATE: tl.constexpr):
    if tl.program_id(0) == 0:
        tlx.make_tensor_descriptor(space, x, [64, 64], [64, 1], [64, 64])
        tl.atomic_xchg(flag, 1, sem="release")
    else:
        buf = tlx.local_alloc((64, 64), tl.float16, 1)[0]
        full = tlx.alloc_barriers(1)
        offs = tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :]
        tl.atomic_add(flag + 1, 1, sem="relaxed")
        d = tlx.reinterpret_tensor_descriptor(space, [64, 64], tl.float16)
        while tl.atomic_add(flag, 0, sem="acquire") == 0:
            pass
        if LATE:
            d = tlx.reinterpret_tensor_descriptor(space, [64, 64], tl.float16)
        tlx.barrier_expect_bytes(full[0], 64 * 64 * 2)
        tlx.async_descriptor_load(d, buf, [0, 0], full[0])
        tlx.barrier_wait(full[0], 0)
        tl.store(y + offs, tlx.local_load(buf))


def across(level, late, seed):
    x = np.random.default_rng(0).random((64, 64)).astype(np.float16)
    y, flag = np.zeros_like(x), np.zeros(2, np.int32)
    space = np.zeros(128, np.int8)
    options = {"grid": 2, "schedule": "random", "seed": seed}
    return findings(level, two_ctas, space, flag, x, y, late, **options)


@pytest.mark.parametrize("seed", range(4))
def test_a_fence_for_another_cta(level, seed):
    assert not across(level, True, seed)


@pytest.mark.parametrize("seed", range(4))
def test_a_fence_before_the_write_is_known(level, seed):
    (found,) = across(level, False, seed)
    assert isinstance(found, MissingFence)
    assert found.message == (
        "missing proxy fence on 'space': the default task of CTA (1, 0, 0) copies with "
        "the descriptor there, and since the default task of CTA (0, 0, 0) wrote it no "
        "fence has made it visible to TMA"
    )
    assert "make_tensor_descriptor(" in found.notes[0][1].text
