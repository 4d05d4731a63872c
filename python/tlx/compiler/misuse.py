# SPDX-License-Identifier: MIT
"""Rejects buffers, barriers and tokens where Triton wants a tensor or a number.

Triton's own messages for them speak of attributes that an object lacks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from tlx.errors import ArgumentError, Phrase, TLXError
from tlx.language.types import async_token, buffered_tensor, mbarrier

_LOAD = "; tlx.local_load reads a buffer"
_STORE = "; tlx.local_store(buffer, value) writes a buffer"


def _phrase(value: Any) -> Phrase | None:
    """Returns what a value is, None if it is not of TLX."""
    if isinstance(value, buffered_tensor):
        return Phrase(f"a ring of {value.num} buffers" if value.num else "a buffer")
    if isinstance(value, mbarrier):
        return Phrase(f"an array of {value.num} barriers" if value.num else "a barrier")
    return Phrase("a token") if isinstance(value, async_token) else None


def _rejection(values: Iterable[Any]) -> TLXError | None:
    for value in values:
        found = _phrase(value)
        if found is not None:
            hint = _LOAD if isinstance(value, buffered_tensor) else ""
            return ArgumentError(f"expects tensors or numbers, but got {found}{hint}")
    return None


def check_call(node: ast.Call, function: Any, values: Iterable[Any]) -> None:
    """Makes sure that a function of Triton's gets what it can use.

    Args:
        node: The call.
        function: What it calls.
        values: The arguments.

    Raises:
        ArgumentError: One is a buffer, a barrier or a token.
    """
    module = str(getattr(function, "__module__", ""))
    if isinstance(function, type) or not module.startswith("triton.language"):
        return
    error = _rejection(values)
    if error is not None:
        raise error.about(ast.unparse(node.func))


def check_operands(node: ast.AST, *operands: Any) -> None:
    """Makes sure that the operands of an operator are tensors or numbers.

    Raises:
        ArgumentError: One is a buffer, a barrier or a token.
    """
    error = _rejection(operands)
    if error is not None:
        raise error.about(ast.unparse(node))


def check_attribute(value: Any, name: str) -> None:
    """Makes sure that a buffer, a barrier or a token has an attribute.

    Raises:
        ArgumentError: It has not.
    """
    found = _phrase(value)
    if found is not None and not hasattr(value, name):
        hint = _LOAD if isinstance(value, buffered_tensor) else ""
        raise ArgumentError(f"{found} has no '{name}'{hint}")


def check_target(value: Any) -> None:
    """Makes sure that nobody assigns to an entry of a buffer.

    Raises:
        ArgumentError: Somebody does.
    """
    found = _phrase(value)
    if found is not None:
        hint = _STORE if isinstance(value, buffered_tensor) else ""
        raise ArgumentError(f"cannot assign to an entry of {found}{hint}")
