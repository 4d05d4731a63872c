# SPDX-License-Identifier: MIT
"""Rows for the launch grid, assembly, libraries, barriers and debugging."""

from __future__ import annotations

from typing import Any

from tlx.compiler.rows.row import TYPE, TYPES, VS, Attr, Row, V


def _program_id(op: str) -> Any:
    def method(builder: Any, axis: int) -> Any:
        result = builder.context.int_type(32)
        return builder.create(op, (), [result], {"axis": axis}).get_result(0)

    return method


ROWS: dict[str, Any] = {
    "create_get_program_id": _program_id("tt.get_program_id"),
    "create_get_num_programs": _program_id("tt.get_num_programs"),
    "create_inline_asm": Row(
        "tt.elementwise_inline_asm",
        (
            Attr("asm_string"),
            Attr("constraints"),
            VS,
            TYPES,
            Attr("pure"),
            Attr("packed_element"),
        ),
        returns="op",
    ),
    "create_extern_elementwise": Row(
        "tt.extern_elementwise",
        (
            Attr("libname"),
            Attr("libpath"),
            Attr("symbol"),
            VS,
            TYPE,
            Attr("pure"),
        ),
    ),
    # All address spaces: ttg.AddrSpace is a bit set.
    "create_barrier": Row(
        "ttg.barrier", (), attributes={"addrSpace": 31}, returns="none"
    ),
    "create_assume": Row(
        "llvm.intr.assume", (V,), attributes={"op_bundle_sizes": ()}, returns="none"
    ),
    "create_assert": Row("tt.assert", (V, Attr("message")), returns="none"),
    "create_print": Row(
        "tt.print",
        (
            Attr("prefix"),
            Attr("hex", bool),
            VS,
            Attr("isSigned", lambda signs: [int(sign) for sign in signs]),
        ),
        returns="none",
    ),
}
ROWS_39: dict[str, Any] = {
    "create_approx_divf": Row("tt.approx_divf", (V, V), lambda x, y: (x.type,)),
}
