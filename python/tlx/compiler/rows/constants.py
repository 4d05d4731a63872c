# SPDX-License-Identifier: MIT
"""Rows for constants and attributes."""

from __future__ import annotations

import operator
from typing import Any

_FLOATS = {"bf16": "bf16", "fp16": "f16", "fp32": "f32", "fp64": "f64"}
_INTEGERS = {
    **{f"int{width}": width for width in (1, 8, 16, 32, 64)},
    **{f"uint{width}": width for width in (8, 16, 32, 64)},
}


def _constant(builder: Any, attribute: Any, result: Any) -> Any:
    op = builder.create("arith.constant", (), [result], {"value": attribute})
    return op.get_result(0)


def _integer(width: int) -> Any:
    def method(builder: Any, value: Any) -> Any:
        context = builder.context
        attribute = context.int_attr(operator.index(value), width)
        return _constant(builder, attribute, context.int_type(width))

    return method


def _boolean(builder: Any, value: Any) -> Any:
    context = builder.context
    return _constant(builder, context.attr(bool(value)), context.int_type(1))


def _float(name: str) -> Any:
    def method(builder: Any, value: float) -> Any:
        context = builder.context
        result = context.float_type(name)
        return _constant(builder, context.float_attr(float(value), result), result)

    return method


def _null(builder: Any, result: Any) -> Any:
    """Zero of a scalar integer or floating point type."""
    if result.is_integer:
        return _constant(builder, builder.context.int_attr(0, result.width), result)
    if result.is_float:
        return _constant(builder, builder.context.float_attr(0.0, result), result)
    raise TypeError(f"expects an integer or floating point type, but got '{result}'")


def _all_ones(builder: Any, result: Any) -> Any:
    if not result.is_integer:
        raise TypeError(f"expects an integer type, but got '{result}'")
    return _constant(builder, builder.context.int_attr(-1, result.width), result)


def _poison(builder: Any, result: Any) -> Any:
    attributes = {"value": builder.parse_attr("#ub.poison")}
    return builder.create("ub.poison", (), [result], attributes).get_result(0)


ROWS: dict[str, Any] = {
    **{f"get_{name}": _integer(width) for name, width in _INTEGERS.items()},
    **{f"get_{name}": _float(mlir) for name, mlir in _FLOATS.items()},
    "get_int1": _boolean,
    "get_null_value": _null,
    "get_all_ones_value": _all_ones,
    "create_poison": _poison,
    "get_int32_attr": lambda b, value: b.context.int_attr(operator.index(value), 32),
    "get_bool_attr": lambda b, value: b.context.attr(bool(value)),
    "get_string_attr": lambda b, value: b.context.attr(str(value)),
    "get_unit_attr": lambda b: b.context.unit_attr(),
    "get_disable_loop_licm_attr": lambda b: b.parse_attr(
        "#llvm.loop_annotation<licm = <disable = true, versioningDisable = true>>"
    ),
}
