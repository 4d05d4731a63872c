# SPDX-License-Identifier: MIT
"""Votes of the threads of a warp (PTX ISA, `vote.sync`).

Unless layouts are final, which thread holds an element of a tensor is open; then a vote
over one has a result only if all threads vote alike.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tlx.errors import UnsupportedError
from tlx.simulator.code.registry import Meaning, Threads, effect, of_scalars
from tlx.simulator.findings.divergence import DivergentOperation
from tlx.simulator.ir.layouts import elements_of_threads
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Tensor
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.held import put_together
from tlx.simulator.machine.per_thread import WARP_SIZE, PerThread, from_parts
from tlx.simulator.semantics.values import Array, wrapper

MARK = "vote.sync.ballot"
"""In the PTX of a vote over a tensor."""


_WRAP = wrapper(WARP_SIZE)
_LANES = 1 << np.arange(WARP_SIZE)
_ALL = (1 << WARP_SIZE) - 1


def _by_thread(value: Any, threads: int) -> Array:
    if type(value) is PerThread:
        return np.array([int(choice or 0) for choice in value.choices])[value.which]
    return np.full(threads, int(value))


def ballot(agent: Agent, op: Op, mask: Any, pred: Any) -> Any:
    """Returns for each warp the threads whose predicate is true.

    Args:
        agent: Whose threads vote.
        op: The vote.
        mask: The threads of a warp that take part.
        pred: The predicate.

    Raises:
        DivergentOperation: These are not the threads that have come.
    """
    active = agent.active
    if active is None:
        active = np.ones(agent.threads, np.bool_)
    masks = _by_thread(mask, active.size).reshape(-1, WARP_SIZE) & _ALL
    votes = (_by_thread(pred, active.size) != 0) & active
    parts = []
    for warp, here in enumerate(active.reshape(-1, WARP_SIZE)):
        if not here.any():
            continue
        reached = int(_LANES[here].sum())
        for asked in masks[warp][here].tolist():
            if asked != reached:
                raise DivergentOperation.vote(agent.label, op, warp, reached, asked)
        flags = np.arange(active.size) // WARP_SIZE == warp
        result = int(_LANES[votes.reshape(-1, WARP_SIZE)[warp]].sum())
        parts.append((flags, _WRAP(result)))
    return from_parts(parts, active.size)


def ballot_of_tensor(op: Op, mask: int, pred: Array, who: str) -> Array:
    """Returns all threads for each element, or none.

    Raises:
        UnsupportedError: Threads may vote differently.
        DivergentOperation: The mask leaves threads out, and all have come.
    """
    if mask & _ALL != _ALL:
        raise DivergentOperation.vote(who, op, 0, _ALL, mask & _ALL)
    votes = pred != 0
    if votes.any() == votes.all():
        return np.full(votes.shape, -1 if votes.all() else 0, np.int32)
    result = _by_layout(op, votes)
    if result is None:
        raise UnsupportedError(
            "the simulator cannot run a vote whose result depends on the layout",
            location=op.loc,
        )
    return result


def _by_layout(op: Op, votes: Array) -> Array | None:
    """Returns the ballots of the threads that hold elements, if that is known."""
    type = op.result_types[0]
    assert isinstance(type, Tensor)
    elements = elements_of_threads(type.layout, votes.shape)
    if elements is None:
        return None
    held = votes.reshape(-1)[elements].any(1).reshape(-1, WARP_SIZE)
    words = [_WRAP(int(_LANES[warp].sum())) for warp in held]
    warps = np.arange(held.size) // WARP_SIZE
    parts = [
        (warps == warp, np.full(votes.shape, word, np.int32))
        for warp, word in enumerate(words)
    ]
    return put_together(parts, type)


@effect("tlx.vote_ballot_sync", threads=of_scalars(Threads.LANES))
def _vote_ballot_sync(op: Op) -> Meaning:
    if op.is_elementwise_on_arrays:
        return lambda agent, mask, pred: ballot_of_tensor(op, mask, pred, agent.label)
    return lambda agent, mask, pred: ballot(agent, op, mask, pred)


def of_words(op: Op) -> Meaning:
    """Returns the vote over a tensor as our lowering writes it: words and masks."""
    return lambda agent, words, masks: ballot_of_tensor(
        op, int(masks.flat[0]), words, agent.label
    )
