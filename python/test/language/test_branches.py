# SPDX-License-Identifier: MIT
"""Values that branches, loops and results agree on: types, and messages if not."""

import pytest
import triton
import triton.language as tl

import tlx
from tlx.errors import ArgumentError, TaskError, UnsupportedError

SETUP = (
    "ring = tlx.local_alloc((64,), tl.float16, 2)",
    "wide = tlx.local_alloc((128,), tl.float16, 1)[0]",
    "bars = tlx.alloc_barriers(2)",
    "n = tl.load(x)",
    "v = ring[0]",
)
SIGNATURE = {"x": "*i32", "d": "tensordesc<fp16[64]>"}
ONE = "a buffer of fp16[64]"
NUMBER = "a run-time value of type int32"


@triton.jit
def everything(x, d, e):
    ring = tlx.local_alloc((64,), tl.float16, 2)
    bars = tlx.alloc_barriers(2)
    ptrs = tlx.allocate_tensor_descriptor(2)
    c = tl.load(x) > 0
    tile = ring[0] if c else ring[1]
    bar = bars[0] if c else bars[1]
    both = (ring, 3) if c else (ring, 4)
    ptr = ptrs[0] if c else ptrs[1]
    tlx.make_tensor_descriptor(ptr, x, [64], [1], [64])
    tlx.barrier_expect_bytes(bar, 128)
    tlx.async_descriptor_load(d if c else e, tile, [both[1]], bar)


def test_a_conditional_expression_joins_values_of_any_type(ptx):
    kind = "tensordesc<fp16[64]>"
    text = ptx(everything, {"x": "*i32", "d": kind, "e": kind})
    assert "cp.async.bulk.tensor.1d" in text


def test_a_conditional_expression_of_constants_keeps_them(tlxir):
    @triton.jit
    def kernel(x, FLAG: tl.constexpr):
        rings: tl.constexpr = 2 if FLAG else 3
        ring = tlx.local_alloc((64,), tl.float16, rings)
        tlx.local_store(ring[0] if rings == 2 else None, tl.zeros((64,), tl.float16))

    text = tlxir(kernel, {"x": "*i32"}, {"FLAG": True})
    assert "tlx.local_alloc : !tlx.buffer<[2] 64xf16" in text
    assert "scf.if" not in text


def test_conditions_of_one_element_and_of_many(one_line, tlxir, rejects):
    lines = (
        "one = tl.full((1,), 1, tl.int1)",
        "y = v if one else ring[1]",
        "assert tl.arange(0, 64) < 64",
        "assert n < 64, 'too large'",
    )
    kernel = one_line(*SETUP, *lines, arguments="x, d")
    assert "scf.if" in tlxir(kernel, SIGNATURE)
    line = "while tl.full((1,), 1, tl.int1): n += 1"
    message = (
        "expects 'tl.full((1,), 1, tl.int1)' to be a scalar in 'while', but got a "
        "run-time value of type int1[1]; .item() makes one of a tensor of one element"
    )
    kernel = one_line(*SETUP, line, arguments="x, d")
    rejects(kernel, ArgumentError, message, line, SIGNATURE)
    line = "assert v"
    message = (
        "'v' expects tensors or numbers, but got a buffer; tlx.local_load reads a "
        "buffer"
    )
    kernel = one_line(*SETUP, line, arguments="x, d")
    rejects(kernel, ArgumentError, message, line, SIGNATURE)


def test_the_name_of_the_result_does_not_leak(one_line, rejects, tlxir):
    kernel = one_line(*SETUP, "y = v if n > 0 else ring[1]", arguments="x, d")
    assert "conditional" not in tlxir(kernel, SIGNATURE)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "y = v if n > 0 else wide",
            "expects both sides of 'v if n > 0 else wide' to have one type, but got "
            f"{ONE} and a buffer of fp16[128]",
        ),
        (
            "y = (v, 1) if n > 0 else (v, 2.0)",
            "expects both sides of '(v, 1) if n > 0 else (v, 2.0)' to have one type, "
            f"but got ({ONE}, {NUMBER}) and ({ONE}, a run-time value of type fp32)",
        ),
        (
            "y = bars if n > 0 else ring",
            "expects both sides of 'bars if n > 0 else ring' to have one type, but got "
            "an array of 2 barriers of 1 arrival and a ring of 2 buffers of fp16[64]",
        ),
        (
            "y = d if n > 0 else v",
            "expects both sides of 'd if n > 0 else v' to have one type, but got a "
            f"tensor descriptor of fp16[64] and {ONE}",
        ),
        (
            "y = v if n > 0 else None",
            "expects both sides of 'v if n > 0 else None' to have one type, but got "
            f"{ONE} and None",
        ),
        (
            "y = tl.float16 if n > 0 else tl.float32",
            "expects 'n > 0' to be a constexpr where it chooses between fp16 and fp32",
        ),
        (
            "y = 1 if n > tl.arange(0, 64) else 2",
            "expects 'n > tl.arange(0, 64)' to be one boolean, but got a tensor of 64 "
            "elements; tl.where chooses by element",
        ),
    ],
)
def test_sides_that_differ(one_line, rejects, line, message):
    kernel = one_line(*SETUP, line, arguments="x, d")
    rejects(kernel, ArgumentError, message, line, SIGNATURE)


@pytest.mark.parametrize(
    ("statements", "line", "message"),
    [
        (
            ("if n > 0:", "    v = wide"),
            "if n > 0:",
            "expects 'v' to keep its type where a condition is known at run time only, "
            f"but got {ONE} and a buffer of fp16[128]",
        ),
        (
            ("if n > 0:", "    q = v", "else:", "    q = bars"),
            "if n > 0:",
            f"expects 'q' to have one type in both branches, but got {ONE} and an "
            "array of 2 barriers of 1 arrival",
        ),
        (
            ("if n > 0:", "    v = n", "else:", "    v = n + 1"),
            "if n > 0:",
            "expects 'v' to keep its type where a condition is known at run time only, "
            f"but got {ONE} and {NUMBER}",
        ),
        (
            ("pair = (v, n)", "for i in range(n):", "    pair = (wide, i)"),
            "for i in range(n):",
            f"expects 'pair' to keep its type in the loop, but got ({ONE}, {NUMBER}) "
            f"and (a buffer of fp16[128], {NUMBER})",
        ),
        (
            ("while n > 0:", "    n -= 1", "    v = None"),
            "while n > 0:",
            f"expects 'v' to keep its type in the loop, but got {ONE} and None",
        ),
    ],
)
def test_names_that_change_their_type(one_line, rejects, statements, line, message):
    kernel = one_line(*SETUP, *statements, arguments="x, d")
    rejects(kernel, ArgumentError, message, line, SIGNATURE)


def test_names_may_change_their_type_where_the_way_is_known(one_line, tlxir):
    lines = ("if v is None:", "    v = n", "else:", "    v = wide")
    kernel = one_line(*SETUP, *lines, "tlx.local_load(v)", arguments="x, d")
    assert "tensor<128xf16>" in tlxir(kernel, SIGNATURE)


@pytest.mark.parametrize("extra", [(), ("else:", "    m = n")])
def test_names_without_a_value_may_get_one_in_a_branch(one_line, tlxir, extra):
    """As in Triton, where the value does not leave the branch."""
    lines = ("w = None", "m = n", "if n > 0:", "    w = v", *extra)
    kernel = one_line(*SETUP, *lines, "tl.store(x, m)", arguments="x, d")
    assert "tt.store" in tlxir(kernel, SIGNATURE)


@triton.jit
def first_or_other(v, w, c):
    if c:
        return v
    return w


def test_results_have_one_type(rejects):
    @triton.jit
    def kernel(x):
        ring = tlx.local_alloc((64,), tl.float16, 2)
        first_or_other(ring[0], tl.load(x), tl.load(x) > 0)

    message = f"expects one type of all results, but got {ONE} and {NUMBER}"
    error = rejects(kernel, ArgumentError, message, "return w", {"x": "*i32"})
    assert [note for note, _ in error.notes] == ["called from here"]


def test_a_kernel_returns_no_buffer(one_line, rejects):
    kernel = one_line(*SETUP, "return v", arguments="x, d")
    message = f"expects a kernel to return nothing, but got {ONE}"
    rejects(kernel, UnsupportedError, message, "return v", SIGNATURE)


SLICE = "part = tlx.local_slice(wide, [64], [64])"
WHOLE = (
    "a slice of a buffer can be neither chosen at run time nor carried by a loop; "
    "choose or carry the buffer, and slice it then"
)


@pytest.mark.parametrize(
    ("statements", "line"),
    [
        (("y = part if n > 0 else part",), "y = part if n > 0 else part"),
        (("y = (part, 1) if n > 0 else (part, 2)",), None),
        (
            ("y = part", "if n > 0:", "    y = tlx.local_slice(wide, [0], [64])"),
            "if n > 0:",
        ),
        (
            ("for i in range(n):", "    part = tlx.local_slice(wide, [0], [64])"),
            "for i in range(n):",
        ),
        (
            ("y = v", "y = wide[0] if n > 0 else wide[1]"),
            "y = wide[0] if n > 0 else wide[1]",
        ),
    ],
)
def test_slices_do_not_become_one(one_line, rejects, statements, line):
    kernel = one_line(*SETUP, SLICE, *statements, arguments="x, d")
    rejects(kernel, UnsupportedError, WHOLE, line, SIGNATURE)


def test_slices_stay_in_their_task(one_line, rejects, tlxir):
    def kernel(*body):
        tasks = (
            "with tlx.async_tasks():",
            "    with tlx.async_task('default'):",
            "        tlx.local_load(part)",
            "    with tlx.async_task(num_warps=4):",
            *(f"        {line}" for line in body),
        )
        return one_line(*SETUP, SLICE, *tasks, arguments="x, d")

    message = (
        "'tlx.async_task' cannot use the slice 'part' of a buffer from outside; slice "
        "the buffer in the task"
    )
    line = "tlx.local_load(part)"
    rejects(kernel(line), TaskError, message, line, SIGNATURE)
    assert "tlx.local_slice" in tlxir(kernel(SLICE, line), SIGNATURE)


@triton.jit(noinline=True)
def away(view):
    tlx.local_load(view)


@triton.jit
def inlined(view):
    tlx.local_load(view)


def test_slices_and_functions(rejects, ptx):
    @triton.jit
    def wrong(x):
        away(tlx.local_alloc((64,), tl.float16, 1)[0][3])

    message = (
        "'away' cannot take a slice of a buffer, as it is not inlined; slice it inside"
    )
    rejects(wrong, UnsupportedError, message, None, {"x": "*i32"})

    @triton.jit
    def right(x):
        whole = tlx.local_alloc((64,), tl.float16, 1)[0]
        inlined(tlx.local_slice(whole, [32], [32]))
        # All of a buffer is no slice.
        away(tlx.local_slice(whole, [0], [64]))

    ptx(right, {"x": "*i32"})


@triton.jit(noinline=True)
def kept(view, n):
    return n, view


def test_functions_that_are_not_inlined_return_no_buffers(rejects):
    @triton.jit
    def kernel(x):
        kept(tlx.local_alloc((64,), tl.float16, 1)[0], 1)

    message = (
        "expects a function that is not inlined to return tensors and numbers, but got "
        f"(1, {ONE})"
    )
    rejects(kernel, UnsupportedError, message, "return n, view", {"x": "*i32"})
