# SPDX-License-Identifier: MIT
"""Values that two branches of a kernel agree on.

Triton's `if` statement joins values of any type, but its conditional expression only
tensors. So an expression becomes a statement that gives a name to the value.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from triton.language import core as tl

from tlx.compiler import misuse
from tlx.compiler.nodes import Action
from tlx.errors import ArgumentError, describe
from tlx.language._core import is_block

# No identifier, so that no name of the kernel is the same; not shown in the IR.
RESULT = "<conditional expression>"


def is_run_time(value: Any) -> bool:
    """Tells whether a condition is known at run time only."""
    return isinstance(value, tl.tensor)


class Branches:
    """What names mean before an `if` statement and at the end of its branches."""

    def __init__(self, generator: Any) -> None:
        self._generator = generator
        self._before: Mapping[str, Any] | None = None
        self._first: Mapping[str, Any] | None = None

    def begin(self, condition: Any) -> None:
        """Takes note of names when the condition has been evaluated."""
        if is_run_time(condition):
            self._before = dict(self._generator.lscope)

    def end_first(self) -> None:
        """Is called at the end of the branch for true."""
        self._first = dict(self._generator.lscope)

    def end_only(self) -> None:
        """Is called at the end of the branch for true if there is no other.

        Raises:
            ArgumentError: A name has another type than before.
        """
        self._first = dict(self._generator.lscope)
        if self._before is not None:
            self._compare_with_before(self._first)

    def end_second(self) -> None:
        """Is called at the end of the other branch.

        Raises:
            ArgumentError: A name has another type than in the first branch or before.
        """
        before, first = self._before, self._first
        second = self._generator.lscope
        if before is None or first is None:
            return
        for name, value in first.items():
            values = (value, second.get(name, value))
            old = before.get(name, self)
            if values[0] is values[1] or old is values[0] or old is values[1]:
                continue
            misuse.check_type(
                f"expects '{name}' to have one type in both branches", *values
            )
        self._compare_with_before(first)
        self._compare_with_before(second)

    def _compare_with_before(self, after: Mapping[str, Any]) -> None:
        for name, value in (self._before or {}).items():
            # What is no value of the IR keeps its meaning after the statement.
            if not isinstance(value, tl.base_value) or after[name] is value:
                continue
            misuse.check_type(
                f"expects '{name}' to keep its type where a condition is known at run "
                "time only",
                value,
                after[name],
            )


class _Choice:
    """A conditional expression with a condition that is known at run time only."""

    def __init__(self, generator: Any, node: ast.IfExp) -> None:
        self._generator = generator
        self._node = node
        self._values: list[Any] = []

    def value(self, condition: Any) -> Any:
        """Emits both sides and returns what joins their values."""
        generator = self._generator
        statement = ast.If(
            self._node.test,
            [self._side(self._node.body)],
            [self._side(self._node.orelse)],
        )
        ast.copy_location(statement, self._node)
        if is_block(condition):
            condition = tl.item(
                condition, _semantic=generator.semantic, _generator=generator
            )
        scalar = condition.to(tl.int1, _semantic=generator.semantic)
        generator.visit_if_scf(scalar, statement)
        generator.local_defs.pop(RESULT, None)
        return generator.lscope.pop(RESULT, None)

    def _side(self, expression: ast.expr) -> Action:
        return Action(expression, lambda: self._visit(expression))

    def _visit(self, expression: ast.expr) -> None:
        value = self._settled(self._generator.visit(expression))
        self._values.append(value)
        if len(self._values) == 2:
            self._compare(*self._values)
        if value is not None:
            self._generator.set_value(RESULT, value)

    def _settled(self, value: Any) -> Any:
        """Returns a value as a branch can hand it on; None for no value."""
        if isinstance(value, tl.tuple):
            items = [self._settled(item) for item in value]
            kind: Any = value.type
            kinds = [item.type for item in items]
            return tl.tuple(items, tl.tuple_type(kinds, kind.fields))
        if value is None or getattr(value, "type", None) == tl.void:
            return None
        if not isinstance(value, tl.base_value):
            value = tl.constexpr(value)
        if isinstance(value, tl.constexpr) and isinstance(value.value, (int, float)):
            return self._generator.semantic.to_tensor(value)
        return value

    def _compare(self, first: Any, second: Any) -> None:
        if misuse.is_same_type(first, second):
            misuse.check_whole(first)
            return
        text = ast.unparse(self._node)
        if isinstance(first, tl.constexpr) and isinstance(second, tl.constexpr):
            raise ArgumentError(
                f"expects '{ast.unparse(self._node.test)}' to be a constexpr where it "
                f"chooses between {describe(first)} and "
                f"{describe(second)}"
            )
        raise misuse.mismatch(
            f"expects both sides of '{text}' to have one type", first, second
        )


def choose(generator: Any, node: ast.IfExp, condition: Any) -> Any:
    """Compiles a conditional expression whose condition has been visited.

    Args:
        generator: The visitor.
        node: The expression.
        condition: The value of its condition, which is fit for one.

    Raises:
        ArgumentError: The condition is known at run time only, and the types of the
            sides differ.
    """
    if is_run_time(condition):
        return _Choice(generator, node).value(condition)
    plain = condition.value if isinstance(condition, tl.constexpr) else condition
    return generator.visit(node.body if plain else node.orelse)
