# SPDX-License-Identifier: MIT
"""Rows for operations that call a function of the user on elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tlx.compiler.rows.row import TYPES, VS, Attr, Row


def _reduced(values: Sequence[Any], axis: int) -> Sequence[Any]:
    results: list[Any] = []
    for value in values:
        shape = value.type.shape
        del shape[axis]
        element = value.type.element_type
        results.append(value.type.with_shape(shape) if shape else element)
    return results


def _scanned(values: Sequence[Any], axis: int, reverse: bool) -> Sequence[Any]:
    return [value.type for value in values]


def _return(op: str) -> Any:
    def method(builder: Any, *values: Any) -> Any:
        return builder.create(op, values, [])

    return method


ROWS: dict[str, Any] = {
    "create_reduce": Row(
        "tt.reduce", (VS, Attr("axis")), _reduced, regions=1, returns="op"
    ),
    "create_reduce_ret": _return("tt.reduce.return"),
    "create_scan": Row(
        "tt.scan",
        (VS, Attr("axis"), Attr("reverse")),
        _scanned,
        regions=1,
        returns="op",
    ),
    "create_scan_ret": _return("tt.scan.return"),
    "create_map_elementwise": Row(
        "tt.map_elementwise", (VS, TYPES, Attr("pack")), regions=1, returns="op"
    ),
    "create_map_elementwise_ret": Row("tt.map_elementwise.return", (VS,), returns="op"),
}
