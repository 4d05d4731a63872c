# SPDX-License-Identifier: MIT
"""Rows for making tensors, changing shapes, moving elements, and dots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tlx.compiler.rows.enums import INPUT_PRECISION, SCALE_DOT_ELEM_TYPE, by_name
from tlx.compiler.rows.row import TYPE, V_OR_NONE, Attr, Row, V, same_as


def _reshape(builder: Any, value: Any, shape: Sequence[int], reorder: bool) -> Any:
    unit = builder.context.unit_attr() if reorder else None
    result = value.type.with_shape(list(shape))
    attributes = {"allow_reorder": unit}
    return builder.create("tt.reshape", [value], [result], attributes).get_result(0)


def _histogram(builder: Any, value: Any, bins: int, mask: Any) -> Any:
    context = builder.context
    result = context.tensor_type([bins], context.int_type(32))
    operands = [value] if mask is None else [value, mask]
    return builder.create("tt.histogram", operands, [result]).get_result(0)


def _constant_of(value: Any) -> Any:
    """Attribute of the constant that defines a value, or None."""
    attributes = getattr(value.owner, "attributes", {})
    is_constant = getattr(value.owner, "name", None) == "arith.constant"
    return attributes["value"] if is_constant else None


# Triton folds these two as it creates them, and nothing else.


def _splat(builder: Any, result: Any, value: Any) -> Any:
    constant = _constant_of(value)
    if constant is None:
        return builder.create("tt.splat", [value], [result]).get_result(0)
    elements = builder.context.splat_attr(result, constant)
    op = builder.create("arith.constant", (), [result], {"value": elements})
    return op.get_result(0)


def _broadcast(builder: Any, value: Any, shape: Sequence[int]) -> Any:
    result = value.type.with_shape(list(shape))
    if result == value.type:
        return value
    constant = _constant_of(value)
    element = constant.splat_value if constant is not None else None
    if element is None:
        return builder.create("tt.broadcast", [value], [result]).get_result(0)
    elements = builder.context.splat_attr(result, element)
    op = builder.create("arith.constant", (), [result], {"value": elements})
    return op.get_result(0)


def _expanded(value: Any, axis: int) -> Sequence[Any]:
    shape = value.type.shape
    return (value.type.with_shape([*shape[:axis], 1, *shape[axis:]]),)


def _concatenated(lhs: Any, rhs: Any) -> Sequence[Any]:
    (left, *inner), (right, *_) = lhs.type.shape, rhs.type.shape
    return (lhs.type.with_shape([left + right, *inner]),)


def _joined(lhs: Any, rhs: Any) -> Sequence[Any]:
    return (lhs.type.with_shape([*lhs.type.shape, 2]),)


def _split(value: Any) -> Sequence[Any]:
    half = value.type.with_shape(value.type.shape[:-1])
    return (half, half)


def _transposed(value: Any, order: Sequence[int]) -> Sequence[Any]:
    shape = value.type.shape
    return (value.type.with_shape([shape[i] for i in order]),)


def _gathered(source: Any, indices: Any, axis: int) -> Sequence[Any]:
    return (indices.type.with_element_type(source.type.element_type),)


_ELEM_TYPE = by_name(SCALE_DOT_ELEM_TYPE)

ROWS: dict[str, Any] = {
    "create_make_range": Row("tt.make_range", (TYPE, Attr("start"), Attr("end"))),
    "create_splat": _splat,
    "create_unsplat": Row("tt.unsplat", (V,), lambda v: (v.type.element_type,)),
    "create_reshape": _reshape,
    "create_expand_dims": Row("tt.expand_dims", (V, Attr("axis")), _expanded),
    "create_broadcast": _broadcast,
    "create_cat": Row("tt.cat", (V, V), _concatenated),
    "create_join": Row("tt.join", (V, V), _joined),
    "create_split": Row("tt.split", (V,), _split, returns="values"),
    "create_trans": Row("tt.trans", (V, Attr("order", list)), _transposed),
    "create_gather": Row("tt.gather", (V, V, Attr("axis")), _gathered),
    "create_histogram": _histogram,
    "create_dot": Row(
        "tt.dot",
        (
            V,
            V,
            V,
            Attr("inputPrecision", by_name(INPUT_PRECISION)),
            Attr("maxNumImpreciseAcc"),
        ),
        same_as(2),
    ),
    # The method takes (lhs, lhs_scale, rhs, rhs_scale, c).
    "create_dot_scaled": Row(
        "tt.dot_scaled",
        (
            V,
            V_OR_NONE,
            Attr("a_elem_type", _ELEM_TYPE),
            V,
            V_OR_NONE,
            Attr("b_elem_type", _ELEM_TYPE),
            Attr("fastMath"),
            Attr("lhs_k_pack"),
            Attr("rhs_k_pack"),
            V,
        ),
        same_as(9),
        order=(0, 2, 4, 1, 3),
    ),
}
