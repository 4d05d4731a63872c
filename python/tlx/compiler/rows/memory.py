# SPDX-License-Identifier: MIT
"""Rows for pointers, loads and stores, tensor descriptors, and atomics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tlx.compiler.rows.enums import (
    ATOMIC_OP,
    CACHE_MODIFIER,
    DESCRIPTOR_REDUCE_KIND,
    EVICTION_POLICY,
    MEM_SEMANTIC,
    MEM_SYNC_SCOPE,
    PADDING_OPTION,
    by_name,
)
from tlx.compiler.rows.row import TYPE, V_OR_NONE, VS, Attr, Row, V, same_as
from tlx.compiler.rows.types import block_type, descriptor_type, pointee_type

_SEM = Attr("sem", by_name(MEM_SEMANTIC))
_SCOPE = Attr("scope", by_name(MEM_SYNC_SCOPE))
_cache_modifier = by_name(CACHE_MODIFIER)
_eviction_policy = by_name(EVICTION_POLICY)


def cache_policy(builder: Any, modifier: str, eviction: str) -> Any:
    """Make `#tt.cache_policy`; None for the defaults, which are left out."""
    if (modifier, eviction) == ("none", "evict_normal"):
        return None
    return builder.parse_attr(
        f"#tt.cache_policy<cache_modifier = {modifier}, eviction_policy = {eviction}>"
    )


def _load(
    builder: Any, pointer: Any, mask: Any, other: Any, policy: Any, volatile: bool
) -> Any:
    result = pointee_type(builder, pointer.type)
    attributes = {"cachePolicy": policy, "isVolatile": volatile}
    operands = [pointer, mask, other]
    return builder.create("tt.load", operands, [result], attributes).get_result(0)


def _store(builder: Any, pointer: Any, value: Any, mask: Any, policy: Any) -> None:
    operands = [pointer, value] if mask is None else [pointer, value, mask]
    builder.create("tt.store", operands, [], {"cachePolicy": policy})


def _descriptor_load(
    builder: Any, descriptor: Any, offsets: Sequence[Any], policy: Any
) -> Any:
    result = block_type(builder, descriptor.type)
    operands = [descriptor, *offsets]
    attributes = {"cachePolicy": policy}
    op = builder.create("tt.descriptor_load", operands, [result], attributes)
    return op.get_result(0)


def _make_descriptor(
    builder: Any,
    base: Any,
    shape: Sequence[Any],
    strides: Sequence[Any],
    block_shape: Sequence[int],
    signed: bool,
    padding: Any,
) -> Any:
    element = pointee_type(builder, base.type)
    block = builder.context.tensor_type(list(block_shape), element)
    op = builder.create(
        "tt.make_tensor_descriptor",
        [base, list(shape), list(strides)],
        [descriptor_type(builder, block, signed)],
        {"padding": by_name(PADDING_OPTION)(padding)},
    )
    return op.get_result(0)


def _atomic_load(builder: Any, pointer: Any, mask: Any, sem: Any, scope: Any) -> Any:
    op = builder.create(
        "tt.atomic_load",
        [pointer, mask],
        [pointee_type(builder, pointer.type)],
        {"sem": by_name(MEM_SEMANTIC)(sem), "scope": by_name(MEM_SYNC_SCOPE)(scope)},
    )
    return op.get_result(0)


def _poll_result(pointer: Any, expected: Any, *_: Any) -> Sequence[Any]:
    return (expected.type.with_element_type(expected.type.context.int_type(1)),)


#: Rows that are the same in all supported versions of Triton.
ROWS: dict[str, Any] = {
    "create_addptr": Row("tt.addptr", (V, V), same_as(0)),
    "create_descriptor_store": Row("tt.descriptor_store", (V, V, VS), returns="none"),
    "create_descriptor_reduce": Row(
        "tt.descriptor_reduce",
        (Attr("kind", by_name(DESCRIPTOR_REDUCE_KIND)), V, V, VS),
        returns="none",
    ),
    "create_descriptor_gather": Row("tt.descriptor_gather", (V, V, V, TYPE)),
    # The method takes (desc, value, x_offsets, y_offset).
    "create_descriptor_scatter": Row(
        "tt.descriptor_scatter", (V, V, V, V), order=(0, 2, 3, 1), returns="none"
    ),
    "create_make_tensor_descriptor": _make_descriptor,
    "create_atomic_rmw": Row(
        "tt.atomic_rmw",
        (Attr("atomic_rmw_op", by_name(ATOMIC_OP)), V, V, V, _SEM, _SCOPE),
        same_as(2),
    ),
    "create_atomic_cas": Row("tt.atomic_cas", (V, V, V, _SEM, _SCOPE), same_as(2)),
}

#: From Triton 3.9 on: a cache policy is one attribute.
ROWS_39: dict[str, Any] = {
    "get_cache_policy": cache_policy,
    "create_load": lambda b, p, policy, volatile: _load(
        b, p, None, None, policy, volatile
    ),
    "create_masked_load": _load,
    "create_store": lambda b, p, value, policy: _store(b, p, value, None, policy),
    "create_masked_store": _store,
    "create_descriptor_load": _descriptor_load,
    "create_atomic_load": _atomic_load,
    "create_atomic_store": Row(
        "tt.atomic_store", (V, V, V, _SEM, _SCOPE), returns="none"
    ),
    "create_atomic_poll": Row(
        "tt.atomic_poll", (V, V, V_OR_NONE, _SEM, _SCOPE), _poll_result
    ),
    "create_grid_dependency_wait": Row("tt.grid_dependency_wait", (), returns="none"),
    "create_grid_dependency_launch_dependents": Row(
        "tt.grid_dependency_launch_dependents", (), returns="none"
    ),
}


def _policy(builder: Any, modifier: Any, eviction: Any) -> Any:
    return cache_policy(builder, _cache_modifier(modifier), _eviction_policy(eviction))


#: Up to Triton 3.8: a cache modifier and an eviction policy. The IR is that of
#: 3.9; printing for 3.8 splits the attribute.
ROWS_38: dict[str, Any] = {
    "create_load": lambda b, p, modifier, eviction, volatile: _load(
        b, p, None, None, _policy(b, modifier, eviction), volatile
    ),
    "create_masked_load": lambda b, p, mask, other, modifier, eviction, volatile: _load(
        b, p, mask, other, _policy(b, modifier, eviction), volatile
    ),
    "create_store": lambda b, p, value, modifier, eviction: _store(
        b, p, value, None, _policy(b, modifier, eviction)
    ),
    "create_masked_store": lambda b, p, value, mask, modifier, eviction: _store(
        b, p, value, mask, _policy(b, modifier, eviction)
    ),
    "create_descriptor_load": lambda b, d, offsets, modifier, eviction: (
        _descriptor_load(b, d, offsets, _policy(b, modifier, eviction))
    ),
}
