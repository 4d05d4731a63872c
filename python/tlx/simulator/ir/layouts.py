# SPDX-License-Identifier: MIT
"""Which thread holds which elements of a tensor, where TTGIR says so.

Known are `#ttg.blocked`, `#ttg.linear` and slices of them.
"""

from __future__ import annotations

import functools
import math
import re
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]


def _numbers(text: str, name: str) -> list[int]:
    found = re.search(rf"\b{name} = \[([\d, ]*)\]", text)
    return [] if found is None else [int(n) for n in found[1].split(",") if n.strip()]


def _bases(text: str, name: str) -> Array:
    """Reads the rows of a linear layout; there may be none."""
    found = re.search(rf"\b{name} = \[((?:\[[\d, ]*\](?:, )?)*)\]", text)
    rows = [] if found is None else re.findall(r"\[([\d, ]*)\]", found[1])
    return np.array([[int(n) for n in row.split(",")] for row in rows], np.int64)


def _blocked(text: str, shape: Shape) -> Array | None:
    """Returns coordinates of `#ttg.blocked`, by thread and register."""
    sizes = _numbers(text, "sizePerThread")
    lanes, warps = _numbers(text, "threadsPerWarp"), _numbers(text, "warpsPerCTA")
    order = _numbers(text, "order")
    if not len(sizes) == len(lanes) == len(warps) == len(order) == len(shape):
        return None
    ctas = _numbers(text, "CTAsPerCGA")
    if math.prod(ctas) != 1 or re.search(r"CGALayout = \[\[", text):
        return None
    threads = np.arange(math.prod(lanes) * math.prod(warps))
    lane, warp = threads % math.prod(lanes), threads // math.prod(lanes)
    columns: list[Array] = [np.zeros(0, np.int64)] * len(shape)
    first: list[Array] = [np.zeros(0, np.int64)] * len(shape)
    for dim in order:
        at = lane % lanes[dim] + lanes[dim] * (warp % warps[dim])
        lane, warp = lane // lanes[dim], warp // warps[dim]
        first[dim] = at * sizes[dim]
        tile = sizes[dim] * lanes[dim] * warps[dim]
        starts = np.arange(0, max(shape[dim], tile), tile)
        columns[dim] = (starts[:, None] + np.arange(sizes[dim])).reshape(-1)
    grid = np.stack(np.meshgrid(*columns, indexing="ij"), -1).reshape(-1, len(shape))
    places = grid[None] + np.stack(first, -1)[:, None]
    return places % np.array(shape)


def _linear(text: str, shape: Shape) -> Array | None:
    """Returns coordinates of `#ttg.linear`, by thread and register."""
    rows = [_bases(text, name) for name in ("register", "lane", "warp", "block")]
    if rows[3].size:
        return None

    def spanned(bases: Array) -> Array:
        points = np.zeros((1, len(shape)), np.int64)
        for base in bases:
            points = np.concatenate((points, points ^ base))
        return points

    registers, lanes, warps = (spanned(bases) for bases in rows[:3])
    threads = (warps[:, None] ^ lanes[None]).reshape(-1, len(shape))
    return (threads[:, None] ^ registers[None]) % np.array(shape)


def _coordinates(text: str, shape: Shape) -> Array | None:
    if text.startswith("#ttg.slice<"):
        found = re.match(r"#ttg\.slice<\{dim = (\d+), parent = (.*)\}>$", text)
        if found is None:
            return None
        dim = int(found[1])
        whole = _coordinates(found[2], (*shape[:dim], 1, *shape[dim:]))
        return None if whole is None else np.delete(whole, dim, axis=-1)
    if text.startswith("#ttg.blocked<"):
        return _blocked(text, shape)
    if text.startswith("#ttg.linear<"):
        return _linear(text, shape)
    return None


@functools.lru_cache(maxsize=256)
def elements_of_threads(layout: str, shape: Shape) -> Array | None:
    """Returns the elements that each thread holds.

    Args:
        layout: As MLIR prints it; empty if there is none.
        shape: Shape of the tensor.

    Returns:
        Places in row-major order, by thread and register; None if it is not known.
        Several threads may hold an element.
    """
    places = _coordinates(layout, shape)
    if places is None:
        return None
    return np.asarray(np.ravel_multi_index(tuple(np.moveaxis(places, -1, 0)), shape))
