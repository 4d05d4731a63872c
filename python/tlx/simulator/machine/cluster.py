# SPDX-License-Identifier: MIT
"""Clusters: CTAs that are on the machine together (PTX ISA, "Cluster of CTAs")."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tlx.errors import ArgumentError

if TYPE_CHECKING:
    from tlx.simulator.machine.cta import Cta

Extents = tuple[int, int, int]


class Cluster:
    """The CTAs of one cluster.

    Attributes:
        index: Its coordinates in the grid of clusters.
        ctas: Its CTAs by rank.
    """

    __slots__ = ("ctas", "index")

    def __init__(self, index: Extents) -> None:
        self.index = index
        self.ctas: list[Cta] = []


def _places(extents: Extents) -> Iterator[Extents]:
    """Yields coordinates, x fastest."""
    for z, y, x in itertools.product(*(range(n) for n in reversed(extents))):
        yield x, y, z


def clusters(grid: Extents, size: Extents) -> Iterator[tuple[Extents, list[Extents]]]:
    """Yields the clusters of a grid: coordinates, and those of their CTAs by rank.

    Args:
        grid: CTAs per dimension.
        size: CTAs of a cluster per dimension.

    Raises:
        ArgumentError: Some cluster would not be whole.
    """
    if any(n % s for n, s in zip(grid, size, strict=True)):
        raise ArgumentError(
            f"expects the grid {grid} to be a multiple of the cluster {size}"
        )
    counts = tuple(n // s for n, s in zip(grid, size, strict=True))
    for index in _places(counts):  # type: ignore[arg-type]
        first = [i * s for i, s in zip(index, size, strict=True)]
        yield (
            index,
            [(first[0] + x, first[1] + y, first[2] + z) for x, y, z in _places(size)],
        )
