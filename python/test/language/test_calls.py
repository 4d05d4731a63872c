# SPDX-License-Identifier: MIT
"""Calls of functions of `tl` and of the user: wrong arguments, errors inside."""

import pytest
import triton
import triton.language as tl

import tlx
from tlx.errors import ArgumentError, CompileError, InternalError, TaskError
from tlx.language import warp_spec
from tlx.language._core import builtin

SETUP = ("tlx.thread_id(0)", "tile = tl.zeros((64,), tl.float32)")
SIGNATURE = {"x": "*i32"}


@pytest.mark.parametrize(
    ("line", "message", "functions"),
    [
        ("tl.sum(tile, axis=5)", "invalid axis 5. Expected -1 <= axis < 1", ["sum"]),
        (
            "tl.cdiv(tile, 'a')",
            "unsupported operand type(s) for -: 'str' and 'int'",
            ["cdiv"],
        ),
        ("tl.zeros((3,), tl.int8)", "Shape element 0 must be a power of 2", ["zeros"]),
    ],
)
def test_an_error_in_a_library_function_leads_with_the_call(
    one_line, rejects, line, message, functions
):
    error = rejects(
        one_line(*SETUP, line, arguments="x"), CompileError, message, line, SIGNATURE
    )
    assert [note for note, _ in error.notes] == [f"in '{name}'" for name in functions]
    assert all("triton" in place.file for _, place in error.notes)


@triton.jit
def helper(a, b):
    return tl.sum(a, axis=b)


def test_an_error_below_a_function_of_the_user_leads_with_its_line(rejects):
    @triton.jit
    def kernel(x):
        helper(tl.zeros((64,), tl.float32) + tlx.thread_id(0), 3)

    message = "invalid axis 3. Expected -1 <= axis < 1"
    line = "return tl.sum(a, axis=b)"
    error = rejects(kernel, CompileError, message, line, SIGNATURE)
    assert [note for note, _ in error.notes] == ["in 'sum'", "called from here"]
    assert error.notes[1][1].text.strip().startswith("helper(")


def test_functions_of_tlx_are_library_functions_too(one_line, rejects):
    line = "tlx.warp_spec.get_bufidx_phase(1, 0)"
    message = "ZeroDivisionError: integer modulo by zero"
    kernel = one_line(*SETUP, line, arguments="x")
    error = rejects(kernel, CompileError, message, line, SIGNATURE)
    assert error.notes[0][0] == "in 'get_bufidx_phase'"
    assert error.notes[0][1].file == warp_spec.__file__


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "tl.cdiv(1)",
            "'tl.cdiv' cannot be called like this: missing a required argument: 'div' "
            "(it takes x, div)",
        ),
        (
            "tl.program_id(axes=0)",
            "'tl.program_id' got an unknown argument 'axes', did you mean 'axis'? (it "
            "takes axis)",
        ),
        (
            "tile.to()",
            "'tile.to' cannot be called like this: missing a required argument: "
            "'dtype' (it takes dtype, fp_downcast_rounding, bitcast)",
        ),
        (
            "helper(1, 2, 3)",
            "'helper' cannot be called like this: too many positional arguments (it "
            "takes a, b)",
        ),
        ("helper(a=1, c=2)", "'helper' got an unknown argument 'c' (it takes a, b)"),
        (
            "tl.atomic_add(x, tlx.alloc_barriers(1))",
            "'tl.atomic_add' expects tensors or numbers, but got an array of 1 barrier",
        ),
        (
            "tl.reduce((tile, tlx.local_alloc((64,), tl.int8, 1)[0]), 0, helper)",
            "'tl.reduce' expects tensors or numbers, but got a buffer; tlx.local_load "
            "reads a buffer",
        ),
        (
            "len(tlx.alloc_barriers(2))",
            "'len' cannot take an array of 2 barriers; 'tlx.alloc_barriers(2).num' is "
            "its length",
        ),
        (
            "with tlx.thread_id(0): pass",
            "expects 'with' to be followed by tlx.async_tasks() or tlx.async_task(), "
            "but got 'tlx.thread_id(0)'",
        ),
    ],
)
def test_wrong_arguments(one_line, rejects, line, message):
    kernel = one_line(*SETUP, line, arguments="x")
    kernel.fn.__globals__["helper"] = helper
    rejects(kernel, ArgumentError, message, line, SIGNATURE)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("tl.static_assert(1 == 2, 'sizes')", "the static assertion fails: sizes"),
        ("tl.static_assert(1 == 2)", "the static assertion fails"),
        ("a = b = 1", "Triton cannot compile 'a = b = 1'"),
        ("1 // 0", "ZeroDivisionError: integer division or modulo by zero"),
        ("tl.nothing(1)", "module 'triton.language' has no attribute 'nothing'"),
    ],
)
def test_other_errors_of_triton_have_a_place(one_line, rejects, line, message):
    kernel = one_line(*SETUP, line, arguments="x")
    error = rejects(kernel, CompileError, message, line, SIGNATURE)
    # The autotuner, and code written for Triton, know it as theirs.
    assert isinstance(error, triton.CompilationError)


@pytest.mark.parametrize("name", ["async_task", "async_tasks"])
def test_tasks_are_statements(one_line, rejects, name):
    line = f"y = tlx.{name}()"
    message = f"'tlx.{name}' is a statement, as in 'with tlx.{name}(...):'"
    kernel = one_line(*SETUP, line, arguments="x")
    rejects(kernel, TaskError, message, line, SIGNATURE)


def test_a_fault_of_ours_is_not_taken_for_the_users(one_line, rejects, monkeypatch):
    def fail(_semantic=None):
        return {}["missing"]

    # The traceback ends in a file of the package.
    code = fail.__code__.replace(co_filename=warp_spec.__file__)
    fail.__code__ = code
    monkeypatch.setattr(tlx, "clock64", builtin(fail))
    kernel = one_line("tlx.clock64()")
    message = "TLX fails at 'tlx.clock64()' with KeyError: 'missing'"
    error = rejects(kernel, InternalError, message, "tlx.clock64()")
    assert error.__cause__ is not None


def test_triton_shows_its_own_errors_if_asked(one_line, tlxir, monkeypatch):
    monkeypatch.setattr(triton.knobs.compilation, "front_end_debugging", True)
    with pytest.raises(ZeroDivisionError):
        tlxir(one_line(*SETUP, "1 // 0"))
