# SPDX-License-Identifier: MIT
"""Rows for integer and floating point arithmetic, comparisons and math."""

from __future__ import annotations

from typing import Any

from tlx.compiler.rows.enums import PROPAGATE_NAN, by_name
from tlx.compiler.rows.row import Attr, Row, V, same_as

_BINARY = {
    "add": "arith.addi",
    "sub": "arith.subi",
    "mul": "arith.muli",
    "sdiv": "arith.divsi",
    "udiv": "arith.divui",
    "srem": "arith.remsi",
    "urem": "arith.remui",
    "and": "arith.andi",
    "or": "arith.ori",
    "xor": "arith.xori",
    "shl": "arith.shli",
    "lshr": "arith.shrui",
    "ashr": "arith.shrsi",
    "minsi": "arith.minsi",
    "minui": "arith.minui",
    "maxsi": "arith.maxsi",
    "maxui": "arith.maxui",
    "umulhi": "tt.mulhiui",
    "fadd": "arith.addf",
    "fsub": "arith.subf",
    "fmul": "arith.mulf",
    "fdiv": "arith.divf",
    "frem": "arith.remf",
    "minimumf": "arith.minimumf",
    "minnumf": "arith.minnumf",
    "maximumf": "arith.maximumf",
    "maxnumf": "arith.maxnumf",
    "precise_divf": "tt.precise_divf",
}

_UNARY = {
    "fneg": "arith.negf",
    "ceil": "math.ceil",
    "cos": "math.cos",
    "erf": "math.erf",
    "exp": "math.exp",
    "exp2": "math.exp2",
    "fabs": "math.absf",
    "floor": "math.floor",
    "iabs": "math.absi",
    "log": "math.log",
    "log2": "math.log2",
    "rsqrt": "math.rsqrt",
    "sin": "math.sin",
    "sqrt": "math.sqrt",
    "precise_sqrt": "tt.precise_sqrt",
}

# Numbers of arith.CmpIPredicate and arith.CmpFPredicate.
_ICMP = ("EQ", "NE", "SLT", "SLE", "SGT", "SGE", "ULT", "ULE", "UGT", "UGE")
_FCMP = {
    "OEQ": 1,
    "OGT": 2,
    "OGE": 3,
    "OLT": 4,
    "OLE": 5,
    "ONE": 6,
    "UEQ": 8,
    "UGT": 9,
    "UGE": 10,
    "ULT": 11,
    "ULE": 12,
    "UNE": 13,
}


def _compare(op: str, predicate: int) -> Any:
    def method(builder: Any, lhs: Any, rhs: Any) -> Any:
        context = builder.context
        result = lhs.type.with_element_type(context.int_type(1))
        attributes = {"predicate": context.int_attr(predicate, 64)}
        return builder.create(op, [lhs, rhs], [result], attributes).get_result(0)

    return method


ROWS: dict[str, Any] = {
    **{f"create_{n}": Row(op, (V, V), same_as(0)) for n, op in _BINARY.items()},
    **{f"create_{n}": Row(op, (V,), same_as(0)) for n, op in _UNARY.items()},
    **{f"create_icmp{n}": _compare("arith.cmpi", i) for i, n in enumerate(_ICMP)},
    **{f"create_fcmp{n}": _compare("arith.cmpf", i) for n, i in _FCMP.items()},
    "create_fma": Row("math.fma", (V, V, V), same_as(0)),
    "create_clampf": Row(
        "tt.clampf",
        (V, V, V, Attr("propagateNan", by_name(PROPAGATE_NAN))),
        same_as(0),
    ),
    "create_select": Row("arith.select", (V, V, V), same_as(1)),
}
