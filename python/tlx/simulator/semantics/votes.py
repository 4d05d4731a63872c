# SPDX-License-Identifier: MIT
"""Votes of the threads of a warp.

Which thread holds an element is not part of the simulated machine, so a vote has a
result only if all threads vote alike.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tlx.errors import UnsupportedError
from tlx.simulator.code.registry import Meaning, effect
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Tensor

MARK = "vote.sync.ballot"
"""In the PTX of a vote over a tensor."""


def ballot(op: Op, mask: int, pred: Any) -> Any:
    """Returns the threads of the mask whose predicate is true, or none.

    Raises:
        UnsupportedError: Threads may vote differently.
    """
    votes = np.asarray(pred) != 0
    if votes.any() != votes.all():
        raise UnsupportedError(
            "the simulator cannot run a vote whose result depends on the layout",
            location=op.loc,
        )
    result = mask if votes.all() else 0
    if isinstance(op.result_types[0], Tensor):
        return np.full(votes.shape, result, np.int32)
    return result


@effect("tlx.vote_ballot_sync")
def _vote_ballot_sync(op: Op) -> Meaning:
    return lambda agent, mask, pred: ballot(op, mask, pred)


def of_words(op: Op) -> Meaning:
    """Returns the vote over a tensor as our lowering writes it: words and masks."""
    return lambda words, masks: ballot(op, int(masks.flat[0]), words)
