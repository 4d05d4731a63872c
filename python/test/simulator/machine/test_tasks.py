# SPDX-License-Identifier: MIT
"""Tasks, calls, branches and loops."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from running import run, tasks

from tlx.errors import UnsupportedError
from tlx.simulator.findings.resources import SharedMemoryExceeded


def outputs(params, body, *args, size=4, **options):
    """Returns what a kernel stores to its first parameter, an array of i32."""
    out = np.full(size, -1, np.int32)
    run(f"%out: !tt.ptr<i32>, {params}".rstrip(", "), body, out, *args, **options)
    return out.tolist()


def put(value, index):
    """Returns a store of a value; `index` names it."""
    return (
        f"%at{index} = arith.constant {index} : i32\n"
        f"%p{index} = tt.addptr %out, %at{index} : !tt.ptr<i32>, i32\n"
        f"tt.store %p{index}, {value} : !tt.ptr<i32>\n"
    )


def test_tasks_see_outer_values_and_all_run():
    body = tasks(put("%a", 0), put("%b", 1), put("%a", 2))
    assert outputs("%a: i32, %b: i32", body, 5, 7) == [5, 7, 5, -1]


def test_default_task_goes_on_after_all_tasks_end():
    body = tasks("", put("%a", 0)) + (
        "%x = tt.load %out : !tt.ptr<i32>\n%y = arith.addi %x, %x : i32\n"
    )
    assert outputs("%a: i32", body + put("%y", 1), 5) == [5, 10, -1, -1]


def test_tasks_may_follow_tasks():
    body = tasks("", put("%a", 0)) + tasks(put("%b", 1), put("%a", 2))
    assert outputs("%a: i32, %b: i32", body, 1, 2) == [1, 2, 1, -1]


def test_partitions_get_captures():
    body = """
    ttg.warp_specialize(%a, %out)
    default {
      ttg.warp_yield
    }
    partition0(%x: i32, %p: !tt.ptr<i32>) num_warps(4) {
      tt.store %p, %x : !tt.ptr<i32>
      ttg.warp_return
    } : (i32, !tt.ptr<i32>) -> ()
    """
    assert outputs("%a: i32", body, 9) == [9, -1, -1, -1]


def test_first_thread_of_each_task():
    body = tasks(
        "%t0 = tlx.thread_id x : i32\n" + put("%t0", 0),
        "%t1 = tlx.thread_id x : i32\n" + put("%t1", 1),
        "%t2 = tlx.thread_id x : i32\n" + put("%t2", 2),
        warps=2,
    )
    assert outputs("", body) == [0, 128, 192, -1]


CALLEE = """
tt.func private @twice(%x: i32) -> i32 attributes {noinline = true} {
  %y = arith.addi %x, %x : i32
  tt.return %y : i32
}
tt.func private @both(%x: i32, %y: i32) -> (i32, i32) attributes {noinline = true} {
  %z = tt.call @twice(%x) : (i32) -> i32
  tt.return %y, %z : i32, i32
}
"""


def test_calls():
    body = "%r:2 = tt.call @both(%a, %b) : (i32, i32) -> (i32, i32)\n"
    body += "%s = tt.call @twice(%r#1) : (i32) -> i32\n"
    body += put("%r#0", 0) + put("%r#1", 1) + put("%s", 2)
    got = outputs("%a: i32, %b: i32", body, 3, 4, more=CALLEE)
    assert got == [4, 6, 12, -1]


def test_calls_from_tasks_do_not_share_values():
    call = "%r{0} = tt.call @twice({1}) : (i32) -> i32\n"
    body = tasks(
        call.format(0, "%a") + put("%r0", 0), call.format(1, "%b") + put("%r1", 1)
    )
    got = outputs("%a: i32, %b: i32", body, 3, 4, more=CALLEE, schedule="random")
    assert got == [6, 8, -1, -1]


BIG = """
tt.func private @big() attributes {noinline = true} {
  %b = tlx.local_alloc : !tlx.buffer<[1] 128x128xf32, smem>
  tt.return
}
"""


def test_each_call_allocates_for_itself():
    call = "tt.call @big() : () -> ()\n"
    run("", call * 3, more=BIG)
    loop = f"scf.for %i = %zero to %n step %one : i32 {{\n{call}}}\n"
    run("%zero: i32, %one: i32, %n: i32", loop, 0, 1, 9, more=BIG)
    with pytest.raises(SharedMemoryExceeded, match="takes 262144 bytes"):
        run("", call * 4, more=BIG)


@pytest.mark.parametrize(("condition", "expected"), [(1, [3, 4]), (0, [4, 3])])
def test_if_with_results(condition, expected):
    body = """
    %r:2 = scf.if %c -> (i32, i32) {
      scf.yield %a, %b : i32, i32
    } else {
      scf.yield %b, %a : i32, i32
    }
    """
    body += put("%r#0", 0) + put("%r#1", 1)
    got = outputs("%c: i1, %a: i32, %b: i32", body, condition, 3, 4)
    assert got[:2] == expected


@pytest.mark.parametrize("condition", [0, 1])
def test_if_without_else(condition):
    body = "scf.if %c {\n" + put("%a", 0) + "}\n"
    expected = 8 if condition else -1
    assert outputs("%c: i1, %a: i32", body, condition, 8)[0] == expected


@pytest.mark.parametrize(("x", "expected"), [(1, 10), (0, 20)])
def test_blocks_with_arguments(x, expected):
    body = """
      %ten = arith.constant 10 : i32
      %five = arith.constant 5 : i32
      cf.cond_br %c, ^join(%ten : i32), ^other(%five : i32)
    ^other(%v: i32):
      %d = arith.constant 4 : i32
      %w = arith.muli %v, %d : i32
      cf.br ^join(%w : i32)
    ^join(%r: i32):
    """ + put("%r", 0)
    assert outputs("%c: i1", body, x)[0] == expected


def test_branch_swaps_its_arguments():
    body = (
        """
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      cf.br ^head(%a, %b, %zero : i32, i32, i32)
    ^head(%x: i32, %y: i32, %i: i32):
      %next = arith.addi %i, %one : i32
      %more = arith.cmpi slt, %next, %n : i32
      cf.cond_br %more, ^head(%y, %x, %next : i32, i32, i32), ^end
    ^end:
    """
        + put("%x", 0)
        + put("%y", 1)
    )
    params = "%a: i32, %b: i32, %n: i32"
    assert outputs(params, body, 3, 4, 1)[:2] == [3, 4]
    assert outputs(params, body, 3, 4, 4)[:2] == [4, 3]


FOR = """
%sum, %last = scf.for %i = %lo to %hi step %by iter_args(%s = %a, %l = %a)
    -> (i32, i32) : i32 {
  %t = arith.addi %s, %i : i32
  scf.yield %t, %i : i32, i32
}
"""


@settings(deadline=None, max_examples=30)
@given(
    lo=st.integers(-20, 20),
    trips=st.sampled_from([0, 1, 2, 3, 7, 13]),
    by=st.integers(1, 5),
    extra=st.integers(0, 4),
)
def test_for(lo, trips, by, extra):
    hi = lo + trips * by - min(extra, by - 1) if trips else lo - extra
    body = FOR + put("%sum", 0) + put("%last", 1)
    steps = list(range(lo, hi, by))
    assert len(steps) == trips
    got = outputs("%lo: i32, %hi: i32, %by: i32, %a: i32", body, lo, hi, by, 100)
    assert got[:2] == [100 + sum(steps), steps[-1] if steps else 100]


def test_for_hands_on_values_at_the_same_time():
    body = (
        """
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%x = %a, %y = %b)
        -> (i32, i32) : i32 {
      scf.yield %y, %x : i32, i32
    }
    """
        + put("%r#0", 0)
        + put("%r#1", 1)
    )
    params = "%zero: i32, %one: i32, %n: i32, %a: i32, %b: i32"
    for n in (0, 1, 2, 5):
        expected = [7, 8] if n % 2 == 0 else [8, 7]
        assert outputs(params, body, 0, 1, n, 7, 8)[:2] == expected


def test_for_with_unsigned_bounds():
    body = (
        """
    %r, %l = scf.for unsigned %i = %lo to %hi step %one
        iter_args(%x = %zero, %k = %zero) -> (i32, i32) : i32 {
      %y = arith.addi %x, %one : i32
      scf.yield %y, %i : i32, i32
    }
    """
        + put("%r", 0)
        + put("%l", 1)
    )
    params = "%lo: i32, %hi: i32, %zero: i32, %one: i32"
    got = outputs(params, body, 2147483646, -2147483646, 0, 1)
    assert got[:2] == [4, -2147483647]


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_while(n):
    body = (
        """
    %r:2 = scf.while (%i = %zero, %x = %one) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %x, %i : i32, i32
    } do {
    ^bb0(%x: i32, %i: i32):
      %j = arith.addi %i, %one : i32
      %y = arith.addi %x, %x : i32
      scf.yield %j, %y : i32, i32
    }
    """
        + put("%r#0", 0)
        + put("%r#1", 1)
    )
    got = outputs("%zero: i32, %one: i32, %n: i32", body, 0, 1, n)
    assert got[:2] == [2**n, n]


def test_operations_without_a_meaning_are_named():
    body = '"ttng.cluster_barrier"() : () -> ()'
    with pytest.raises(UnsupportedError, match=r"cannot run 'ttng\.cluster_barrier'"):
        run("", body)
