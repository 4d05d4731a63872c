# SPDX-License-Identifier: MIT
"""Rows for conversions."""

from __future__ import annotations

from typing import Any

from tlx.compiler.rows.enums import ROUNDING_MODE, by_name
from tlx.compiler.rows.row import TYPE, Attr, Row, V


def _int_cast(builder: Any, value: Any, target: Any, signed: bool) -> Any:
    """Change the width of an integer; a bitcast where it stays the same."""
    source_width = value.type.element_type.width
    target_width = target.element_type.width
    if source_width == target_width:
        op = "arith.bitcast"
    elif source_width > target_width:
        op = "arith.trunci"
    else:
        op = "arith.extsi" if signed else "arith.extui"
    return builder.create(op, [value], [target]).get_result(0)


ROWS: dict[str, Any] = {
    "create_int_cast": _int_cast,
    "create_bitcast": Row("tt.bitcast", (V, TYPE)),
    "create_fp_ext": Row("arith.extf", (V, TYPE)),
    "create_fp_trunc": Row("arith.truncf", (V, TYPE)),
    "create_fp_to_fp": Row(
        "tt.fp_to_fp", (V, TYPE, Attr("rounding", by_name(ROUNDING_MODE)))
    ),
    "create_fp_to_si": Row("arith.fptosi", (V, TYPE)),
    "create_fp_to_ui": Row("arith.fptoui", (V, TYPE)),
    "create_si_to_fp": Row("arith.sitofp", (V, TYPE)),
    "create_ui_to_fp": Row("arith.uitofp", (V, TYPE)),
    "create_int_to_ptr": Row("tt.int_to_ptr", (V, TYPE)),
    "create_ptr_to_int": Row("tt.ptr_to_int", (V, TYPE)),
}
