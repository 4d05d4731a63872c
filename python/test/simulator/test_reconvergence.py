# SPDX-License-Identifier: MIT
"""Where the ways from a branch meet."""

import random

import pytest

from tlx.simulator.code.instructions import (
    Code,
    Compute,
    EndTask,
    Fork,
    Jump,
    JumpUnless,
    Return,
)
from tlx.simulator.code.reconvergence import postdominators, reconvergence


def code(*instructions):
    return Code("f", list(instructions), (), 0)


def jump(target):
    return Jump(None, 0, target)


def unless(target):
    return JumpUnless(None, 0, -1, target)


def test_a_branch_without_other_side():
    assert reconvergence(code(unless(2), Compute(), Return()), 0) == 2


def test_a_branch_with_two_sides():
    both = code(unless(3), Compute(), jump(4), Compute(), Return())
    assert postdominators(both) == [4, 2, 4, 4, 5]


def test_a_loop():
    loop = code(unless(3), Compute(), jump(0), Return())
    assert reconvergence(loop, 0) == 3


def test_sides_that_end_the_function():
    assert reconvergence(code(unless(2), Return(), Return()), 0) == 3


def test_a_branch_into_a_loop_that_does_not_end():
    assert reconvergence(code(unless(2), jump(1), Return()), 0) == 2
    assert reconvergence(code(unless(0), jump(1)), 0) == 2


def test_tasks_are_not_ways_of_the_default_task():
    forked = code(Fork(), unless(3), Compute(), jump(5), EndTask(), Return())
    assert reconvergence(forked, 1) == 3


def _ways_avoid(instructions, start, place):
    """Tells whether the end can be reached without passing a place."""
    end, seen, todo = len(instructions), set(), [start]
    while todo:
        here = todo.pop()
        if here == place or here in seen:
            continue
        if here == end:
            return True
        seen.add(here)
        instruction = instructions[here]
        if isinstance(instruction, Return):
            todo.append(end)
        elif isinstance(instruction, Jump):
            todo.append(instruction.target)
        else:
            todo.append(here + 1)
            if isinstance(instruction, JumpUnless):
                todo.append(instruction.target)
    return False


@pytest.mark.parametrize("seed", range(40))
def test_all_ways_pass_and_nothing_before_is_passed_by_all(seed):
    rng = random.Random(seed)
    size = rng.randrange(3, 14)
    instructions = []
    for _ in range(size - 1):
        kind = rng.choice(("compute", "jump", "unless", "unless"))
        target = rng.randrange(size)
        made = {"compute": Compute(), "jump": jump(target), "unless": unless(target)}
        instructions.append(made[kind])
    instructions.append(Return())
    found = postdominators(code(*instructions))
    for place, instruction in enumerate(instructions):
        if not isinstance(instruction, JumpUnless):
            continue
        if not _ways_avoid(instructions, place, -1):
            continue
        starts = {place + 1, instruction.target}
        shared = [
            p
            for p in range(size)
            if p != place and not any(_ways_avoid(instructions, s, p) for s in starts)
        ]
        # The first of those that all ways share is passed by all ways to the others.
        first = [
            p
            for p in shared
            if all(q == p or not _ways_avoid(instructions, p, q) for q in shared)
        ]
        assert found[place] == (first[0] if first else size)
