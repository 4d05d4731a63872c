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

from tlx import _ext
from tlx.backend import names
from tlx.compiler import handles, misuse
from tlx.compiler.builder import builder_class
from tlx.compiler.diagnostics import located
from tlx.compiler.tasks import WITH_HANDLERS
from tlx.errors import TaskError
from tlx.language.types import check_loop_carried

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


_init = rebind(names.CodeGenerator.__init__, ir=_IR)


class TLXCodeGenerator(names.CodeGenerator):
    """Turns the syntax tree of a jit function into TLX IR."""

    def __init__(self, *args: Any, **keywords: Any) -> None:
        _init(self, *args, **keywords)
        # Lines of the tasks that have assigned to names of their own.
        self.task_names: dict[str, int] = {}
        # Defaults of arguments are evaluated before there is a function.
        self.builder.set_insertion_point_to_end(self.module.new_block())

    _maybe_set_loc_to_name = rebind(names.CodeGenerator._maybe_set_loc_to_name, ir=_IR)

    def visit(self, node: ast.AST) -> Any:
        """Visit a node; a `TLXError` in it learns where it happened."""
        with located(self, node):
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

    def visit_Subscript_Store(self, node: ast.Subscript, value: Any) -> Any:
        """Reject an assignment to an entry; what it wants depends on the value."""
        misuse.check_target(self.visit(node.value))
        return super().visit_Subscript_Store(node, value)

    def _apply_binary_method(
        self, node: ast.AST, operator: Any, lhs: Any, rhs: Any
    ) -> Any:
        misuse.check_operands(node, lhs, rhs)
        return super()._apply_binary_method(node, operator, lhs, rhs)

    def call_Function(self, node: ast.Call, fn: Any, args: Any, kws: Any) -> Any:
        """Call a function; those of Triton get no buffers and barriers."""
        misuse.check_call(node, fn, (*args, *kws.values()))
        return super().call_Function(node, fn, args, kws)

    def get_Attribute(self, lhs: Any, attr: str) -> Any:
        """Look up an attribute; under TRITON_INTERPRET it may be interpreted."""
        misuse.check_attribute(lhs, attr)
        found = super().get_Attribute(lhs, attr)
        if names.IS_INTERPRETING:
            from tlx.backend.interpreted import compiled_attribute

            return compiled_attribute(lhs, attr, found)
        return found

    def visit_With(self, node: ast.With) -> Any:
        """Let the tasks of `tlx` compile their own statements."""
        for item in node.items:
            call = item.context_expr
            if isinstance(call, ast.Call):
                handler = WITH_HANDLERS.get(self.visit(call.func))
                if handler is not None:
                    return handler(self, node)
        return super().visit_With(node)

    def _verify_loop_carried_variable(
        self, name: str, loop_val: Any, live_val: Any
    ) -> None:
        super()._verify_loop_carried_variable(name, loop_val, live_val)
        check_loop_carried(name, live_val, loop_val)


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
