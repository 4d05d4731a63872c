# SPDX-License-Identifier: MIT
"""The builder table: what each builder method of Triton's front end creates.

One module for each group of methods. `table` puts together the rows for one
version of Triton; what differs between versions is in `ROWS_<version>` of the
group.
"""

from __future__ import annotations

from typing import Any

from tlx.compiler.rows import (
    arithmetic,
    casts,
    constants,
    control,
    escapes,
    memory,
    reductions,
    shapes,
    types,
)

_COMMON = (
    arithmetic,
    casts,
    constants,
    control,
    escapes,
    memory,
    reductions,
    shapes,
    types,
)
_BY_VERSION: dict[tuple[int, int], tuple[dict[str, Any], ...]] = {
    (3, 8): (memory.ROWS_38, types.ROWS_38),
    (3, 9): (memory.ROWS_39, types.ROWS_39, escapes.ROWS_39),
}


def table(version: tuple[int, int]) -> dict[str, Any]:
    """Return the rows, by method name, for the front end of one Triton version.

    Raises:
        ValueError: if the version has no table.
    """
    if version not in _BY_VERSION:
        known = ", ".join(".".join(map(str, v)) for v in _BY_VERSION)
        raise ValueError(f"expects Triton {known}, but got {version}")
    rows: dict[str, Any] = {}
    for group in _COMMON:
        rows.update(group.ROWS)
    for differences in _BY_VERSION[version]:
        rows.update(differences)
    return rows
