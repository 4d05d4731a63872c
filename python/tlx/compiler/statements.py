# SPDX-License-Identifier: MIT
"""What our visitor looks at before it lets Triton's compile a statement.

Triton takes for granted what kernels of tensors and numbers fulfil. Values of TLX can
be anywhere, so each place where Triton would fail on one is checked here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from triton.language import core as tl

from tlx.compiler import branches, misuse
from tlx.compiler.nodes import Action, Checked, Visited, changed
from tlx.errors import ArgumentError, TaskError, UnsupportedError, describe
from tlx.language._core import is_block, unwrap
from tlx.language.tasks import async_task, async_tasks

_TASKS = (async_task, async_tasks)
# Triton evaluates calls of these at once, without call_Function.
_EVALUATED = (len, int)


def _first_line(node: ast.AST) -> str:
    line = ast.unparse(node).split("\n", 1)[0]
    return line if len(line) <= 60 else line[:57] + "..."


def _is_one_of(value: Any, known: Iterable[Any]) -> bool:
    # Values of a kernel have no `==` outside of it.
    return any(value is one for one in known)


class CheckedStatements(ast.NodeVisitor):
    """Mixed into Triton's visitor, in front of it."""

    # --- conditions -----------------------------------------------------------

    def _condition(
        self, node: ast.expr, then: Callable[[Any], object] = lambda value: None
    ) -> Checked:
        def check(value: Any) -> None:
            misuse.check_condition(node, value)
            then(value)

        return Checked(node, check)

    def visit_If(self, node: ast.If) -> Any:
        """Check the condition, and that the branches agree on types."""
        ends = branches.Branches(self)
        test = self._condition(node.test, ends.begin)
        if not node.orelse:
            body = [*node.body, Action(node, ends.end_only)]
            return super().visit_If(changed(node, test=test, body=body))  # type: ignore[misc]
        body = [*node.body, Action(node, ends.end_first)]
        orelse = [*node.orelse, Action(node, ends.end_second)]
        return super().visit_If(changed(node, test=test, body=body, orelse=orelse))  # type: ignore[misc]

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        """Choose between values of any type."""
        condition = self.visit(self._condition(node.test))
        return branches.choose(self, node, condition)

    def visit_While(self, node: ast.While) -> Any:
        """Check the condition, which is no constant."""

        def check(value: Any) -> None:
            inner = value.condition if isinstance(value, tl.condition) else value
            misuse.check_condition(node.test, inner)
            if is_block(inner):
                error = ArgumentError.expects(
                    ast.unparse(node.test), "a scalar in 'while'", inner
                )
                error.message += "; .item() makes one of a tensor of one element"
                raise error
            if not branches.is_run_time(inner):
                raise ArgumentError.expects(
                    ast.unparse(node.test), "known at run time only in 'while'", inner
                )

        return super().visit_While(changed(node, test=Checked(node.test, check)))  # type: ignore[misc]

    def visit_Assert(self, node: ast.Assert) -> Any:
        """Check the condition, which may be a tensor."""

        def check(value: Any) -> None:
            misuse.check_numbers(node.test, value)

        return super().visit_Assert(changed(node, test=Checked(node.test, check)))  # type: ignore[misc]

    # --- operators ------------------------------------------------------------

    def _operand(self, node: ast.expr, whole: ast.AST) -> Checked:
        return Checked(node, lambda value: misuse.check_operands(whole, value))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        """Check the operand."""
        operand = self._operand(node.operand, node)
        if not isinstance(node.op, ast.Not):
            operand = Checked(
                node.operand, lambda value: misuse.check_numbers(node, value)
            )
        return super().visit_UnaryOp(changed(node, operand=operand))  # type: ignore[misc]

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        """Check the operands."""
        values = [self._operand(value, node) for value in node.values]
        return super().visit_BoolOp(changed(node, values=values))  # type: ignore[misc]

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        """Check what an f-string shows."""

        def shown(part: ast.expr) -> ast.expr:
            if not isinstance(part, ast.FormattedValue):
                return part
            inner = part.value
            check = Checked(inner, lambda value: misuse.check_shown(inner, value))
            return changed(part, value=check)

        return super().visit_JoinedStr(  # type: ignore[misc]
            changed(node, values=[shown(part) for part in node.values])
        )

    # --- taking apart ---------------------------------------------------------

    def _items(self, node: ast.expr) -> Checked:
        return Checked(node, lambda value: misuse.check_items(node, value))

    def visit_Assign(self, node: Any) -> Any:
        """Check a value that several names are for."""
        targets = getattr(node, "targets", None) or [node.target]
        if any(isinstance(target, (ast.Tuple, ast.List)) for target in targets):
            node = changed(node, value=self._items(node.value))
        return super().visit_Assign(node)  # type: ignore[misc]

    def visit_ListComp(self, node: ast.ListComp) -> Any:
        """Check what is iterated over."""
        generators = [
            changed(part, iter=self._items(part.iter)) for part in node.generators
        ]
        return super().visit_ListComp(changed(node, generators=generators))  # type: ignore[misc]

    def visit_Subscript_Load(self, node: ast.Subscript) -> Any:
        """Check that there is such an entry."""
        owner: list[Any] = []
        value = Checked(node.value, owner.append)
        index = Checked(
            node.slice, lambda index: misuse.check_index(node, owner[-1], index)
        )
        return super().visit_Subscript_Load(changed(node, value=value, slice=index))  # type: ignore[misc]

    def visit_Return(self, node: ast.Return) -> Any:
        """Check that all results have the same type, and that kernels have none."""
        if node.value is None:
            return super().visit_Return(node)  # type: ignore[misc]
        return super().visit_Return(  # type: ignore[misc]
            changed(node, value=Checked(node.value, self._check_result))
        )

    def _check_result(self: Any, value: Any) -> None:
        if self.is_kernel:
            if not isinstance(value, (tl.tensor, tl.constexpr, type(None))):
                raise UnsupportedError(
                    f"expects a kernel to return nothing, but got {describe(value)}"
                )
            return
        if self.noinline and not misuse.is_plain(value):
            raise UnsupportedError(
                "expects a function that is not inlined to return tensors and numbers, "
                f"but got {describe(value)}"
            )
        if self.return_vals:
            misuse.check_type(
                "expects one type of all results", self.return_vals[0], value
            )

    def visit_Subscript_Store(self, node: ast.Subscript, value: Any) -> Any:
        """Reject an assignment to an entry; what it wants depends on the value."""
        misuse.check_target(self.visit(node.value))
        return super().visit_Subscript_Store(node, value)  # type: ignore[misc]

    # --- loops ----------------------------------------------------------------

    def visit_For(self, node: ast.For) -> Any:
        """Check what is iterated over."""
        loop = node.iter
        if not isinstance(loop, ast.Call):
            misuse.check_items(loop, self.visit(loop))
            raise UnsupportedError(
                "expects a loop to be over range, tl.range or tl.static_range, but got "
                f"'{_first_line(loop)}'"
            )
        if not isinstance(node.target, ast.Name):
            raise UnsupportedError(
                f"expects a loop to set one name, but got '{_first_line(node.target)}'"
            )

        def number(node: ast.expr) -> Checked:
            return Checked(node, lambda value: misuse.check_numbers(loop.func, value))

        arguments = [number(argument) for argument in loop.args]
        keywords = [changed(word, value=number(word.value)) for word in loop.keywords]
        checked = changed(loop, args=arguments, keywords=keywords)
        return super().visit_For(changed(node, iter=checked))  # type: ignore[misc]

    def _verify_loop_carried_variable(
        self, name: str, loop_val: Any, live_val: Any
    ) -> None:
        misuse.check_type(
            f"expects '{name}' to keep its type in the loop", live_val, loop_val
        )
        super()._verify_loop_carried_variable(name, loop_val, live_val)  # type: ignore[misc]

    # --- calls ----------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> Any:
        """Check what is called, and the arguments that Triton does not look at."""
        function = unwrap(self.visit(node.func))
        if _is_one_of(function, _TASKS) and not getattr(node, "is_in_with", False):
            name = ast.unparse(node.func)
            raise TaskError(f"is a statement, as in 'with {name}(...):'").about(name)
        arguments = [
            changed(argument, value=self._items(argument.value))
            if isinstance(argument, ast.Starred)
            else argument
            for argument in node.args
        ]
        if _is_one_of(function, _EVALUATED):
            values = [self.visit(argument) for argument in node.args]
            misuse.check_python_call(node, function, values)
            arguments = [
                Visited(argument, value)
                for argument, value in zip(node.args, values, strict=True)
            ]
        return super().visit_Call(  # type: ignore[misc]
            changed(node, func=Visited(node.func, function), args=arguments)
        )
