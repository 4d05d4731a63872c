# SPDX-License-Identifier: MIT
"""Grids as users write them."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from tlx.errors import ArgumentError

# CUDA's limits of x, y and z.
_LIMITS = (2**31 - 1, 65535, 65535)


def normalize(grid: Any, arguments: Mapping[str, Any]) -> tuple[int, int, int]:
    """Returns a grid as three numbers.

    Args:
        grid: A tuple of one to three numbers, or a function of the arguments that
            returns one.
        arguments: All arguments by name.

    Raises:
        ArgumentError: The grid is something else, or too large for a GPU.
    """
    if callable(grid):
        grid = grid(dict(arguments))
    if not isinstance(grid, (tuple, list)) or not 1 <= len(grid) <= 3:
        raise ArgumentError.expects("grid", "a tuple of one to three integers", grid)
    sizes = []
    for size, limit, axis in zip(grid, _LIMITS, "xyz", strict=False):
        try:
            number = operator.index(size)
        except TypeError:
            raise ArgumentError.expects(
                "grid", "a tuple of one to three integers", grid
            ) from None
        if not 0 <= number <= limit:
            raise ArgumentError(
                f"expects '{axis}' of the grid to be in 0..{limit}, but got {number}"
            )
        sizes.append(number)
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z
