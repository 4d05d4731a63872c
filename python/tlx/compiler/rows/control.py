# SPDX-License-Identifier: MIT
"""Rows for functions, control flow and locations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tlx.compiler.rows.row import VS, Row, V


@contextmanager
def _elsewhere(builder: Any) -> Iterator[None]:
    """Come back to the insertion point and location after the block."""
    point = builder.get_insertion_point()
    location = builder.get_loc()
    yield
    builder.restore_insertion_point(point)
    builder.set_loc(location)


def _create_module(builder: Any) -> Any:
    return builder.context.create_module(builder.get_loc())


def _get_or_insert_function(
    builder: Any,
    module: Any,
    name: str,
    kind: Any,
    visibility: str,
    noinline: bool | None,
) -> Any:
    if module.has_function(name):
        return module.get_function(name)
    attributes = {
        "sym_name": name,
        "function_type": kind,
        "sym_visibility": visibility,
        "noinline": bool(noinline),
    }
    with _elsewhere(builder):
        location = builder.get_loc()
        builder.set_insertion_point_to_end(module.body)
        builder.set_loc(location)
        return builder.create("tt.func", (), (), attributes, 1)


def _call(builder: Any, function: Any, args: Sequence[Any]) -> Any:
    attributes = {"callee": builder.context.symbol_attr(function.symbol_name)}
    return builder.create("tt.call", args, function.result_types, attributes)


def _branch(builder: Any, target: Any, args: Sequence[Any]) -> Any:
    return builder.create("cf.br", args, (), successors=[target])


def _cond_branch(builder: Any, condition: Any, then: Any, otherwise: Any) -> Any:
    operands = [condition, [], []]
    return builder.create("cf.cond_br", operands, (), successors=[then, otherwise])


def _add_block(builder: Any, region: Any, types: Sequence[Any], end: bool) -> None:
    """Give a region its block, and a terminator if nothing is yielded."""
    with _elsewhere(builder):
        builder.create_block_with_parent(region, types)
        if end:
            builder.create("scf.yield", (), ())


def _for(builder: Any, lower: Any, upper: Any, step: Any, inits: Sequence[Any]) -> Any:
    types = [value.type for value in inits]
    op = builder.create("scf.for", [lower, upper, step, *inits], types, {}, 1)
    _add_block(builder, op.get_region(0), [lower.type, *types], end=not inits)
    induction, *carried = op.get_body().arguments
    induction.set_loc(builder.get_loc())
    for argument, init in zip(carried, inits, strict=True):
        argument.set_loc(init.location)
    return op


def _if(builder: Any, types: Sequence[Any], condition: Any, with_else: bool) -> Any:
    op = builder.create("scf.if", [condition], types, {}, 2)
    _add_block(builder, op.get_region(0), [], end=not types)
    if with_else:
        _add_block(builder, op.get_region(1), [], end=not types)
    return op


def _while(builder: Any, types: Sequence[Any], inits: Sequence[Any]) -> Any:
    return builder.create("scf.while", inits, types, {}, 2)


def _name_loc(builder: Any, name: str, child_loc: Any = None) -> Any:
    return builder.context.name_loc(name, child_loc)


ROWS: dict[str, Any] = {
    "create_module": _create_module,
    "get_or_insert_function": _get_or_insert_function,
    "call": _call,
    "ret": Row("tt.return", (VS,), returns="op"),
    "create_branch": _branch,
    "create_cond_branch": _cond_branch,
    "create_for_op": _for,
    "create_if_op": _if,
    "create_while_op": _while,
    "create_yield_op": Row("scf.yield", (VS,), returns="op"),
    "create_condition_op": Row("scf.condition", (V, VS), returns="op"),
    "create_loc": lambda b, file, line, column: b.context.file_loc(file, line, column),
    "create_name_loc": _name_loc,
}
