# SPDX-License-Identifier: MIT
"""Buffers and barriers where Triton wants tensors; values that leave their task."""

import pytest
import triton
import triton.language as tl

import tlx
from tlx.errors import ArgumentError, TaskError

RING = "b = tlx.local_alloc((64,), tl.float32, 2)"
BARRIERS = "m = tlx.alloc_barriers(2)"
LOAD = "; tlx.local_load reads a buffer"
WANTED = "expects tensors or numbers, but got"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("y = tl.sum(b[0])", f"'tl.sum' {WANTED} a buffer{LOAD}"),
        ("y = tl.exp(x=b)", f"'tl.exp' {WANTED} a ring of 2 buffers{LOAD}"),
        ("tl.store(x, m[0])", f"'tl.store' {WANTED} a barrier"),
        ("tl.store(x, m)", f"'tl.store' {WANTED} an array of 2 barriers"),
        ("y = x.to(b)", f"'x.to' {WANTED} a ring of 2 buffers{LOAD}"),
        ("y = b[0] + 1", f"'b[0] + 1' {WANTED} a buffer{LOAD}"),
        ("y = 1 < b[1]", f"'1 < b[1]' {WANTED} a buffer{LOAD}"),
        ("y = b[0].to(tl.float16)", f"a buffer has no 'to'{LOAD}"),
        ("y = m[0].wait", "a barrier has no 'wait'"),
        (
            "b[0] = x",
            "cannot assign to an entry of a ring of 2 buffers; "
            "tlx.local_store(buffer, value) writes a buffer",
        ),
    ],
)
def test_what_triton_cannot_use(one_line, rejects, line, message):
    kernel = one_line(RING, BARRIERS, line, arguments="x")
    rejects(kernel, ArgumentError, message, line, {"x": "*fp32"})


@triton.jit
def show(value):
    tl.static_assert(value.num == 2)


@triton.jit
def allowed(x):
    b = tlx.local_alloc((64,), tl.float32, 2)
    pair = (b[0], b[1])
    show(b)
    tl.static_print(b)
    tl.store(x, len(pair) + b.num)
    tlx.local_store(pair[0], tlx.local_load(pair[1]))


def test_functions_of_the_user_get_buffers(tlxir):
    assert tlxir(allowed, {"x": "*i32"}).count("tlx.local_view") == 2


@triton.jit
def from_a_task(x):
    with tlx.async_tasks():
        with tlx.async_task("default"):
            total = tl.load(x)
        with tlx.async_task(num_warps=4):
            tl.store(x, 1)
    tl.store(x, total)


@triton.jit
def from_task_to_task(x):
    with tlx.async_tasks():
        with tlx.async_task("default"):
            total = tl.load(x)
            tl.store(x, total)
        with tlx.async_task(num_warps=4):
            tl.store(x, total + 1)


@pytest.mark.parametrize(
    ("kernel", "line"),
    [
        (from_a_task, "tl.store(x, total)"),
        (from_task_to_task, "tl.store(x, total + 1)"),
    ],
)
def test_values_do_not_leave_their_task(rejects, kernel, line):
    first = kernel.def_file_line_number + 2
    message = (
        f"'total' is a value of the task in line {first}, and values do not leave "
        "their task; pass it through a buffer or memory"
    )
    rejects(kernel, TaskError, message, line, {"x": "*i32"})


@triton.jit
def unknown(x):
    tl.store(x, total)  # noqa: F821


def test_other_names_are_as_in_triton(tlxir):
    with pytest.raises(triton.CompilationError, match="total is not defined"):
        tlxir(unknown, {"x": "*i32"})


@triton.jit
def counts(x):
    ring = tlx.local_alloc((64, 32), tl.float32, 3)
    bars = tlx.alloc_barriers(ring.num)
    for i in tl.static_range(bars.num):
        tlx.barrier_arrive(bars[i])
    other = tlx.local_alloc(ring.shape, ring.dtype, 1)
    tl.static_assert(other.shape[1] == 32)
    half: tl.constexpr = other.shape[1] // 2
    tl.store(x + tl.arange(0, half), bars.arrive_count)


def test_what_a_value_says_of_itself_is_constant(tlxir):
    text = tlxir(counts, {"x": "*i32"})
    assert text.count("tlx.barrier_arrive") == 3
    assert "!tlx.buffer<[1] 64x32xf32, smem>" in text
    assert "tensor<16x!tt.ptr<i32>>" in text
