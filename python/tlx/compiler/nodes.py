# SPDX-License-Identifier: MIT
"""Syntax nodes of our own, which stand in trees that Triton's visitor walks.

They let us see what an expression gives, and what names mean at the end of a branch,
at the moment at which Triton does.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Any, TypeVar

_Node = TypeVar("_Node", bound=ast.AST)


class Checked(ast.expr):
    """An expression whose value is looked at before anybody gets it.

    Attributes:
        original: The expression.
        check: Called with the value; raises if it is not fit.
    """

    _fields = ("original",)

    def __init__(self, original: ast.expr, check: Callable[[Any], object]) -> None:
        super().__init__()
        self.original = original
        self.check = check
        ast.copy_location(self, original)


class Visited(ast.expr):
    """An expression that has been visited.

    Attributes:
        original: The expression.
        value: What it gave.
    """

    _fields = ("original",)

    def __init__(self, original: ast.expr, value: Any) -> None:
        super().__init__()
        self.original = original
        self.value = value
        ast.copy_location(self, original)


class Action(ast.stmt):
    """A statement that calls a function.

    Attributes:
        function: The function.
    """

    _fields = ()

    def __init__(self, place: ast.AST, function: Callable[[], object]) -> None:
        super().__init__()
        self.function = function
        ast.copy_location(self, place)


def changed(node: _Node, **fields: Any) -> _Node:
    """Returns a copy of a node with other fields; trees are shared by kernels."""
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new
