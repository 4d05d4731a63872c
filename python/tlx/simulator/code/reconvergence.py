# SPDX-License-Identifier: MIT
"""Where threads that have gone different ways come together again.

That is the first instruction that all ways from a branch to the end of the function
share: its immediate postdominator.
"""

from __future__ import annotations

from tlx.simulator.code.instructions import (
    Code,
    EndTask,
    Instruction,
    Jump,
    JumpUnless,
    Return,
)


def _successors(place: int, instruction: Instruction, end: int) -> tuple[int, ...]:
    if isinstance(instruction, Jump):
        return (instruction.target,)
    if isinstance(instruction, JumpUnless):
        return (place + 1, instruction.target)
    if isinstance(instruction, Return | EndTask):
        return (end,)
    # A fork goes on as the default task.
    return (place + 1,)


def _order(successors: list[tuple[int, ...]], end: int) -> list[int]:
    """Returns what reaches the end, each before those that lead to it alone."""
    before: list[list[int]] = [[] for _ in range(end + 1)]
    for place, targets in enumerate(successors):
        for target in targets:
            before[target].append(place)
    order: list[int] = []
    seen = {end}
    stack = [(end, iter(before[end]))]
    while stack:
        place, rest = stack[-1]
        following = next((p for p in rest if p not in seen), None)
        if following is None:
            order.append(place)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(before[following])))
    order.reverse()
    return order


def postdominators(code: Code) -> list[int]:
    """Returns the immediate postdominator of each instruction.

    The place behind the last instruction stands for the end of the function. What never
    gets there, an endless loop, has the end, too.
    """
    end = len(code.instructions)
    successors = [
        _successors(place, instruction, end)
        for place, instruction in enumerate(code.instructions)
    ]
    order = _order(successors, end)
    rank = {place: number for number, place in enumerate(order)}
    found = {end: end}

    def common(a: int, b: int) -> int:
        while a != b:
            if rank[a] < rank[b]:
                b = found[b]
            else:
                a = found[a]
        return a

    changed = True
    while changed:
        changed = False
        for place in order[1:]:
            known = [s for s in successors[place] if s in found]
            first, *rest = known
            for other in rest:
                first = common(first, other)
            if found.get(place) != first:
                found[place] = first
                changed = True
    return [found.get(place, end) for place in range(end)]


def reconvergence(code: Code, place: int) -> int:
    """Returns where the ways from a branch meet; the end is behind the last place."""
    if code.postdominators is None:
        code.postdominators = postdominators(code)
    return code.postdominators[place]
