# SPDX-License-Identifier: MIT
"""Triton's AST visitor, driven with our builder.

The visitor and the semantics of `tl` only ever talk to a builder and to handles.
The three functions that name a libtriton class or the visitor itself are made
again from the same code with other globals, so nothing of Triton is replaced.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from typing import Any

from triton.language import core as tl

from tlx import _ext
from tlx.backend import names
from tlx.compiler import branches, handles, misuse
from tlx.compiler.builder import builder_class
from tlx.compiler.diagnostics import find_tlx_error, located
from tlx.compiler.nodes import Action, Checked, Visited
from tlx.compiler.statements import CheckedStatements
from tlx.compiler.tasks import WITH_HANDLERS
from tlx.errors import ArgumentError, TaskError, UnsupportedError

handles.install()


def rebind(function: Callable[..., Any], **globals_: Any) -> Callable[..., Any]:
    """Copy a function so that it sees other values of some of its globals."""
    copy = types.FunctionType(
        function.__code__,
        {**function.__globals__, **globals_},
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


# What the visitor takes from `libtriton.ir`.
_IR = types.SimpleNamespace(
    builder=builder_class(names.TRITON_VERSION),
    value=_ext.Value,
    block_argument=_ext.Value,
)


_set_name = rebind(names.CodeGenerator._maybe_set_loc_to_name, ir=_IR)
_init = rebind(names.CodeGenerator.__init__, ir=_IR)


class TLXCodeGenerator(CheckedStatements, names.CodeGenerator):
    """Turns the syntax tree of a jit function into TLX IR."""

    def __init__(self, *args: Any, **keywords: Any) -> None:
        _init(self, *args, **keywords)
        # Lines of the tasks that have assigned to names of their own.
        self.task_names: dict[str, int] = {}
        # Defaults of arguments are evaluated before there is a function.
        self.builder.set_insertion_point_to_end(self.module.new_block())

    def _maybe_set_loc_to_name(self, val: Any, name: str) -> None:
        if name != branches.RESULT:
            _set_name(self, val, name)

    def visit(self, node: ast.AST) -> Any:
        """Visit a node; a `TLXError` in it learns where it happened."""
        # Ours need nothing of what Triton does around a visit.
        if isinstance(node, Visited):
            return node.value
        if isinstance(node, Checked):
            value = self.visit(node.original)
            with located(self, node):
                node.check(value)
            return value
        with located(self, node):
            if isinstance(node, Action):
                return node.function()
            return super().visit(node)

    def visit_Name(self, node: ast.Name) -> Any:
        """Look up a name; those of tasks are known in their task only."""
        try:
            return super().visit_Name(node)
        except NameError:
            line = self.task_names.get(node.id)
            if line is None:
                raise
            raise TaskError(
                f"'{node.id}' is a value of the task in line {line}, and values do not "
                "leave their task; pass it through a buffer or memory"
            ) from None

    def _apply_binary_method(
        self, node: ast.AST, operator: Any, lhs: Any, rhs: Any
    ) -> Any:
        misuse.check_operands(node, lhs, rhs)
        try:
            return super()._apply_binary_method(node, operator, lhs, rhs)
        except Exception as error:
            if find_tlx_error(error) is None:
                misuse.check_numbers(node, lhs, rhs)
            raise

    def call_Function(self, node: ast.AST, fn: Any, args: Any, kws: Any) -> Any:
        """Call a function; those of Triton get no buffers and barriers."""
        given = list(args)
        misuse.check_call(node, fn, (*given, *kws.values()))
        misuse.check_away(node, fn, (*given, *kws.values()))
        try:
            return super().call_Function(node, fn, args, kws)
        except Exception as error:
            if find_tlx_error(error) is None:
                bound = getattr(fn, "__func__", None)
                if isinstance(bound, names.JITFunction):
                    # A function of `tl` that is called as a method.
                    fn, given = bound, [fn.__self__, *given]
                misuse.explain_failure(node, fn, given, kws)
            raise

    def get_Attribute(self, lhs: Any, attr: str) -> Any:
        """Look up an attribute; under TRITON_INTERPRET it may be interpreted."""
        misuse.check_attribute(lhs, attr)
        found = super().get_Attribute(lhs, attr)
        if misuse.phrase(lhs) is not None:
            return _as_constant(found)
        if names.IS_INTERPRETING:
            from tlx.backend.interpreted import compiled_attribute

            return compiled_attribute(lhs, attr, found)
        return found

    def visit_With(self, node: ast.With) -> Any:
        """Let the tasks of `tlx` compile their own statements."""
        for item in node.items:
            call = item.context_expr
            if not isinstance(call, ast.Call):
                raise UnsupportedError(
                    f"expects 'with' to call a function, but got '{ast.unparse(call)}'"
                )
            function = self.visit(call.func)
            if getattr(function, "__tlx_builtin__", False):
                handler = WITH_HANDLERS.get(function)
                if handler is not None:
                    return handler(self, node)
                raise ArgumentError(
                    "expects 'with' to be followed by tlx.async_tasks() or "
                    f"tlx.async_task(), but got '{ast.unparse(call)}'"
                )
        return super().visit_With(node)


def _as_constant(value: Any) -> Any:
    """Returns numbers, and lists of them, as a kernel knows them."""
    if isinstance(value, list):
        items: list[Any] = value
        return tl.tuple([tl.constexpr(item) for item in items])
    return tl.constexpr(value) if isinstance(value, (bool, int)) else value


# Calls of other jit functions must use the subclass, too.
TLXCodeGenerator.call_JitFunction = rebind(
    names.CodeGenerator.call_JitFunction, CodeGenerator=TLXCodeGenerator
)
_ast_to_ttir = rebind(names.code_generator.ast_to_ttir, CodeGenerator=TLXCodeGenerator)


def build_module(
    src: Any, options: Any, codegen_fns: dict[str, Any], module_map: dict[str, Any]
) -> _ext.Module:
    """Visit a kernel; the module is verified but has no attributes yet."""
    context = _ext.Context()
    return _ast_to_ttir(src.fn, src, context, options, codegen_fns, module_map)
