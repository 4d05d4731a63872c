# SPDX-License-Identifier: MIT
"""Branches, loops and calls in which the threads of a task go different ways."""

import numpy as np
import pytest
from running import barriers, run, tasks

from tlx.simulator.findings.deadlock import Deadlock, StepLimit
from tlx.simulator.findings.divergence import DivergentOperation, DivergentValue

CONSTANTS = "".join(f"%c{n} = arith.constant {n} : i32\n" for n in range(6)) + (
    "%c32 = arith.constant 32 : i32\n%t = tlx.thread_id x : i32\n"
)
SHOW = 'tt.print " " {{hex = false, isSigned = array<i32: 1>}} : {} : i32\n'


@pytest.fixture
def by_thread(capsys):
    """Returns the values that a kernel prints, by thread; None where it prints none."""

    def values(body, shown=None, num_warps=1, threads=None, **options):
        text = CONSTANTS + body + ("" if shown is None else SHOW.format(shown))
        run("", text, num_warps=num_warps, **options)
        found = [None] * (threads or 32 * num_warps)
        for line in capsys.readouterr().out.splitlines():
            thread, value = line.removeprefix("pid (0, 0, 0) thread ").split()
            assert found[int(thread)] is None
            found[int(thread)] = int(value)
        return found

    return values


IF_ELSE = """
%low = arith.cmpi slt, %t, %c5 : i32
%r = scf.if %low -> i32 {
  %a = arith.muli %t, %c2 : i32
  scf.yield %a : i32
} else {
  %b = arith.addi %t, %c1 : i32
  scf.yield %b : i32
}
"""


@pytest.mark.parametrize("num_warps", [1, 4])
def test_both_sides_of_a_branch(by_thread, num_warps):
    threads = range(32 * num_warps)
    expected = [2 * t if t < 5 else t + 1 for t in threads]
    assert by_thread(IF_ELSE, "%r", num_warps) == expected


def test_nested_branches(by_thread):
    body = """
    %low = arith.cmpi slt, %t, %c5 : i32
    %r = scf.if %low -> i32 {
      %two = arith.cmpi slt, %t, %c2 : i32
      %i = scf.if %two -> i32 {
        scf.yield %c3 : i32
      } else {
        scf.yield %t : i32
      }
      %a = arith.addi %i, %c1 : i32
      scf.yield %a : i32
    } else {
      scf.yield %c0 : i32
    }
    """
    assert by_thread(body, "%r") == [4, 4, 3, 4, 5] + [0] * 27


def test_a_loop_with_other_bounds_in_each_thread(by_thread):
    body = """
    %r = scf.for %i = %c1 to %t step %c2 iter_args(%s = %c0) -> i32 : i32 {
      %n = arith.addi %s, %i : i32
      scf.yield %n : i32
    }
    """
    assert by_thread(body, "%r") == [sum(range(1, t, 2)) for t in range(32)]


def test_a_loop_while_a_condition_differs(by_thread):
    body = """
    %n, %r = scf.while (%x = %t, %s = %c0) : (i32, i32) -> (i32, i32) {
      %go = arith.cmpi sgt, %x, %c0 : i32
      scf.condition(%go) %x, %s : i32, i32
    } do {
    ^bb0(%x: i32, %s: i32):
      %half = arith.divsi %x, %c2 : i32
      %more = arith.addi %s, %c1 : i32
      scf.yield %half, %more : i32, i32
    }
    """
    assert by_thread(body, "%r") == [t.bit_length() for t in range(32)]
    assert by_thread(body + "%z = arith.addi %n, %t : i32\n", "%z") == list(range(32))


def test_a_branch_in_a_loop_of_all_threads(by_thread):
    """What a branch left in an earlier round does not matter in a later one."""
    body = """
    %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%s = %c0) -> i32 : i32 {
      %mine = arith.cmpi sgt, %t, %i : i32
      %n = scf.if %mine -> i32 {
        %k = arith.addi %i, %c1 : i32
        %a = arith.addi %s, %k : i32
        scf.yield %a : i32
      } else {
        scf.yield %s : i32
      }
      scf.yield %n : i32
    }
    """
    assert by_thread(body, "%r") == [sum(range(1, min(t, 5) + 1)) for t in range(32)]


EARLY = """
tt.func private @halve(%x: i32) -> i32 attributes {noinline = true} {
  %c4 = arith.constant 4 : i32
  %c2 = arith.constant 2 : i32
  %low = arith.cmpi slt, %x, %c4 : i32
  cf.cond_br %low, ^now, ^later
^now:
  tt.return %x : i32
^later:
  %h = arith.divsi %x, %c2 : i32
  tt.return %h : i32
}
"""


def test_a_function_that_some_threads_leave_early(by_thread):
    body = "%r = tt.call @halve(%t) : (i32) -> i32\n"
    expected = [t if t < 4 else t // 2 for t in range(32)]
    assert by_thread(body, "%r", more=EARLY) == expected


def test_a_call_on_one_side(by_thread):
    body = """
    %low = arith.cmpi slt, %t, %c5 : i32
    %r = scf.if %low -> i32 {
      %a = tt.call @halve(%t) : (i32) -> i32
      scf.yield %a : i32
    } else {
      scf.yield %c1 : i32
    }
    """
    assert by_thread(body, "%r", more=EARLY) == [0, 1, 2, 3, 2] + [1] * 27


def test_a_kernel_that_some_threads_leave_early(by_thread):
    body = """
    %low = arith.cmpi slt, %t, %c3 : i32
    cf.cond_br %low, ^rest, ^leave
    ^leave:
    tt.return
    ^rest:
    """
    assert by_thread(body, "%t") == [0, 1, 2] + [None] * 29


def test_a_loop_of_blocks(by_thread):
    """A value of a block is that of a thread's own last round."""
    body = """
    cf.br ^head(%c0 : i32)
    ^head(%i: i32):
    %square = arith.muli %i, %i : i32
    %go = arith.cmpi slt, %i, %t : i32
    cf.cond_br %go, ^body, ^after
    ^body:
    %n = arith.addi %i, %c1 : i32
    cf.br ^head(%n : i32)
    ^after:
    """
    assert by_thread(body, "%square") == [t * t for t in range(32)]


def test_a_value_that_is_the_same_again_after_a_branch(by_thread):
    """Then it may be used where all threads must agree."""
    body = """
    %low = arith.cmpi slt, %t, %c5 : i32
    %r = scf.if %low -> i32 {
      scf.yield %c3 : i32
    } else {
      %b = arith.addi %c1, %c2 : i32
      scf.yield %b : i32
    }
    %p = arith.cmpi eq, %r, %c3 : i32
    tlx.barrier_arrive %bar0, 1 pred %p : !tlx.barrier<count = 1>
    """
    assert by_thread(barriers("bar") + body, "%t") == list(range(32))


@pytest.mark.parametrize("warps", [1, 4])
def test_tasks_have_threads_of_their_own(by_thread, warps):
    """Those of the default task are 0 to 63."""
    worker = """
    %u = tlx.thread_id x : i32
    %c70 = arith.constant 70 : i32
    %low = arith.cmpi slt, %u, %c70 : i32
    %r = scf.if %low -> i32 {
      scf.yield %c1 : i32
    } else {
      scf.yield %u : i32
    }
    """
    body = tasks("", worker + SHOW.format("%r"), warps=warps)
    end = 64 + 32 * warps
    found = by_thread(body, num_warps=2, threads=end)
    assert found == [None] * 64 + [1] * 6 + list(range(70, end))


def test_a_value_by_thread_does_not_reach_other_tasks():
    body = tasks("", "%n = arith.addi %t, %c1 : i32\n")
    with pytest.raises(DivergentValue) as caught:
        run("", CONSTANTS + body)
    assert caught.value.message == (
        "'arith.addi' expects a value that differs by thread to be made in the task "
        "that uses it, but task 1 (line 15) gets it from outside"
    )


def test_a_loop_that_some_threads_do_not_leave():
    body = """
    cf.br ^head
    ^head:
    %low = arith.cmpi slt, %t, %c5 : i32
    cf.cond_br %low, ^head, ^after
    ^after:
    """
    with pytest.raises(StepLimit, match="has not ended after 1000 steps"):
        run("", CONSTANTS + body, max_steps=1000)


SPIN = """
%low = arith.cmpi slt, %t, %c32 : i32
scf.if %low {{
  {}
}} else {{
  {}
}}
"""
ASK = """
scf.while : () -> () {
  %v = tt.load %flag {isVolatile = true} : !tt.ptr<i32>
  %no = arith.cmpi eq, %v, %c0 : i32
  scf.condition(%no)
} do {
  scf.yield
}
"""
TELL = "tt.store %flag, %c1 : !tt.ptr<i32>"


def test_a_side_that_asks_until_the_other_has_answered():
    """The first thread answers; it is on the other side."""
    body = CONSTANTS + SPIN.replace("slt", "sge").format(ASK, TELL)
    flag = np.zeros(1, np.int32)
    run("%flag: !tt.ptr<i32>", body, flag, num_warps=2)
    assert flag[0] == 1


def test_a_side_that_asks_in_vain():
    body = CONSTANTS + SPIN.format(ASK, TELL)
    with pytest.raises(Deadlock, match="asks in vain"):
        run("%flag: !tt.ptr<i32>", body, np.zeros(1, np.int32), num_warps=2)


@pytest.mark.parametrize("trace", [False, True])
def test_tiles_within_a_branch(by_thread, trace):
    """A timeline looks at arithmetic on tiles; what threads do is the same."""
    body = """
    %x = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32>
    %low = arith.cmpi slt, %t, %c5 : i32
    %r = scf.if %low -> i32 {
      %y = arith.addi %x, %x : tensor<2048xi32>
      %z = arith.muli %y, %x : tensor<2048xi32>
      scf.yield %c3 : i32
    } else {
      scf.yield %t : i32
    }
    """
    expected = [3 if t < 5 else t for t in range(32)]
    assert by_thread(body, "%r", trace=trace) == expected
    splat = "%y = tt.splat %t : i32 -> tensor<2048xi32>\n"
    with pytest.raises(DivergentValue, match="expects what becomes a tensor"):
        run("", CONSTANTS + splat, num_warps=1, trace=trace)
    exchange = "%h = tt.histogram %x : tensor<2048xi32> -> tensor<4xi32>\n"
    changed = body.replace("      %y", f"      {exchange}      %y")
    with pytest.raises(DivergentOperation, match="but 5 of 32 do"):
        run("", CONSTANTS + changed, num_warps=1, trace=trace)
