# SPDX-License-Identifier: MIT
"""Rows for types, and the rules by which types follow from types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

_FLOATS = {
    "half": "f16",
    "bf16": "bf16",
    "float": "f32",
    "double": "f64",
    "fp8e4nv": "f8E4M3FN",
    "fp8e4b8": "f8E4M3FNUZ",
    "fp8e5": "f8E5M2",
    "fp8e5b16": "f8E5M2FNUZ",
}
_INTEGERS = (1, 8, 16, 32, 64, 128)

_POINTER = re.compile(r"!tt\.ptr<(.*?)(, (\d+|\".*\"))?>")
_DESCRIPTOR = re.compile(r"!tt\.tensordesc<((?:\d+x)+)([su]?)(.*)>")


def pointee_type(builder: Any, pointer: Any) -> Any:
    """Type that a pointer, or a tensor of pointers, points to."""
    element = pointer.element_type
    match = _POINTER.fullmatch(str(element))
    if match is None:
        raise TypeError(f"expects a pointer, but got '{pointer}'")
    return pointer.with_element_type(builder.parse_type(match[1]))


def block_type(builder: Any, descriptor: Any) -> Any:
    """Tensor that a load through a descriptor gives; integers lose their sign."""
    match = _DESCRIPTOR.fullmatch(str(descriptor))
    if match is None:
        raise TypeError(f"expects a tensor descriptor, but got '{descriptor}'")
    return builder.parse_type(f"tensor<{match[1]}{match[3]}>")


def descriptor_type(builder: Any, block: Any, signed: bool) -> Any:
    """Descriptor of blocks of a tensor type; integers get a sign."""
    shape = "".join(f"{extent}x" for extent in block.shape)
    element = block.element_type
    sign = ("s" if signed else "u") if element.is_integer else ""
    return builder.parse_type(f"!tt.tensordesc<{shape}{sign}{element}>")


def _pointer_39(builder: Any, pointee: Any, space: str) -> Any:
    suffix = "" if space == "global" else f', "{space}"'
    return builder.parse_type(f"!tt.ptr<{pointee}{suffix}>")


def _pointer_38(builder: Any, pointee: Any, space: int) -> Any:
    suffix = "" if space == 1 else f", {space}"
    return builder.parse_type(f"!tt.ptr<{pointee}{suffix}>")


def _block(builder: Any, element: Any, shape: Sequence[int]) -> Any:
    return builder.context.tensor_type(list(shape), element)


def _function(builder: Any, inputs: Sequence[Any], results: Sequence[Any]) -> Any:
    return builder.context.function_type(list(inputs), list(results))


def _float(name: str) -> Any:
    return lambda builder: builder.context.float_type(name)


def _integer(width: int) -> Any:
    return lambda builder: builder.context.int_type(width)


ROWS: dict[str, Any] = {
    **{f"get_{name}_ty": _float(mlir) for name, mlir in _FLOATS.items()},
    **{f"get_int{width}_ty": _integer(width) for width in _INTEGERS},
    # MLIR has no such type: it is carried as bytes.
    "get_fp8e4b15_ty": _integer(8),
    "get_void_ty": lambda builder: builder.context.none_type(),
    "get_block_ty": _block,
    "get_function_ty": _function,
    "create_tensor_descriptor_type": descriptor_type,
}
ROWS_39: dict[str, Any] = {"get_ptr_ty": _pointer_39}
ROWS_38: dict[str, Any] = {"get_ptr_ty": _pointer_38}
