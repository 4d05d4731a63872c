# SPDX-License-Identifier: MIT
"""`async_tasks(exclusive=True)`: the only task region of a kernel."""

import pytest
import triton
import triton.language as tl

import tlx
from tlx.errors import CompileError


@triton.jit
def helper(x):
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tl.store(x + 2, 1)
        with tlx.async_task(num_warps=4):
            tl.store(x + 3, 2)


@triton.jit
def one_region(x):
    with tlx.async_tasks(exclusive=True):
        with tlx.async_task("default"):
            tl.store(x, 1)
        with tlx.async_task(num_warps=4):
            tl.store(x + 1, 2)


@triton.jit
def region_in_helper(x):
    with tlx.async_tasks(exclusive=True):  # the first
        with tlx.async_task("default"):
            tl.store(x, 1)
        with tlx.async_task(num_warps=4):
            tl.store(x + 1, 2)
    helper(x)


@triton.jit
def region_before_it(x):
    for i in tl.static_range(2):
        with tlx.async_tasks(exclusive=i == 1):  # both
            with tlx.async_task("default"):
                tl.store(x + i, 1)
            with tlx.async_task(num_warps=4):
                tl.store(x + i, 2)


def line_of(kernel, text):
    """Return the number of the line of a kernel that has a text."""
    lines = open(kernel.fn.__code__.co_filename, encoding="utf-8").read().splitlines()
    first = kernel.fn.__code__.co_firstlineno
    return next(n for n, line in enumerate(lines, 1) if n > first and text in line)


def test_one_region(ptx):
    # 4 + 4 warps.
    assert ".reqntid 256" in ptx(one_region, {"x": "*i32"}, num_warps=4)


@pytest.mark.parametrize(
    ("kernel", "second", "first", "why"),
    [
        (region_in_helper, (helper, "async_tasks"), "# the first", "another one is"),
        (region_before_it, (region_before_it, "# both"), "# both", "it is"),
    ],
)
def test_a_second_region(kernel, second, first, why, ptx):
    with pytest.raises(CompileError) as caught:
        ptx(kernel, {"x": "*i32"})
    text = str(caught.value)
    assert f"expects to be the only one of the kernel, as {why} exclusive" in text
    assert caught.value.line == line_of(*second)
    note = next(line for line in text.splitlines() if "the first one is here" in line)
    assert f":{line_of(kernel, first)}:" in note
