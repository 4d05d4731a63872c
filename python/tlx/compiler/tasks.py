# SPDX-License-Identifier: MIT
"""Compiles `with tlx.async_tasks()` and the `async_task`s in it.

Each copy of a task becomes a `tlx.async_task` region. Its body is visited with a
symbol table of its own, so that assignments do not escape; values from outside
are used directly, the lowering turns them into captures. Tensors may not be
captured by other warps than those that hold them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from triton.compiler.code_generator import enter_sub_region
from triton.language import core as tl

from tlx.errors import TaskError, describe_type
from tlx.language import tasks as lang
from tlx.language._core import is_block, unwrap

from . import misuse
from .diagnostics import located
from .nodes import changed

Handler = Callable[[Any, ast.With], None]


def visit_async_tasks(generator: Any, node: ast.With) -> None:
    """Compile one `with tlx.async_tasks():` statement."""
    with located(generator, node):
        if lang.current_task() is not None:
            raise TaskError("cannot be nested in a task").about("tlx.async_tasks")
    options: lang.TasksSpec = _call(generator, node)
    kernel_warps = int(generator.builder.options.num_warps)
    bodies = list(_tasks(generator, node.body))
    copies = [
        (body, copy)
        for body, spec in bodies
        for copy in lang.replicas(spec, kernel_warps)
    ]
    with located(generator, node):
        try:
            lang.check_group([copy for _, copy in copies], kernel_warps)
        except TaskError as error:
            raise error.about("tlx.async_tasks") from None
    for body, _ in bodies:
        _reject_return(generator, body)
    if len(bodies) == 1 and all(copy.is_default for _, copy in copies):
        _inline(generator, bodies[0][0], kernel_warps)
        return
    _emit(generator, node, options, copies)


def visit_async_task(generator: Any, node: ast.With) -> None:
    """Reject an `async_task` that is not directly inside `async_tasks`."""
    with located(generator, node.items[0].context_expr):
        raise TaskError("has to be directly inside 'with tlx.async_tasks():'").about(
            "tlx.async_task"
        )


WITH_HANDLERS: dict[Any, Handler] = {
    lang.async_tasks: visit_async_tasks,
    lang.async_task: visit_async_task,
}


# --- reading the statements ---------------------------------------------------


def _call(generator: Any, node: ast.With) -> Any:
    """Check the arguments of the call in a `with` and return them."""
    item = node.items[0]
    call = item.context_expr
    with located(generator, call):
        if len(node.items) != 1 or item.optional_vars is not None:
            raise TaskError("a task statement has one context manager and no 'as'")
        if not isinstance(call, ast.Call):
            raise TaskError("a task statement calls its function, as in 'with f():'")
    # Visiting the call runs the builtin, which checks the arguments.
    return unwrap(generator.visit(changed(call, is_in_with=True)))


def _callee(generator: Any, node: ast.With) -> Any:
    expr = node.items[0].context_expr
    func = expr.func if isinstance(expr, ast.Call) else expr
    return unwrap(generator.visit(func))


def _tasks(
    generator: Any, statements: list[ast.stmt]
) -> Iterator[tuple[ast.With, lang.TaskSpec]]:
    """Yield the tasks that remain after constexpr ifs are decided."""
    for stmt in statements:
        if isinstance(stmt, ast.With) and _callee(generator, stmt) is lang.async_task:
            yield stmt, _call(generator, stmt)
        elif isinstance(stmt, ast.With) and (
            _callee(generator, stmt) is lang.async_tasks
        ):
            with located(generator, stmt):
                raise TaskError("cannot be nested").about("tlx.async_tasks")
        elif isinstance(stmt, ast.If):
            yield from _tasks(generator, _taken(generator, stmt))
        elif not isinstance(stmt, ast.Pass):
            with located(generator, stmt):
                raise TaskError(
                    "expects only 'with tlx.async_task(...)' and constexpr ifs in "
                    f"its body, but got '{_first_line(stmt)}'"
                ).about("tlx.async_tasks")


def _taken(generator: Any, stmt: ast.If) -> list[ast.stmt]:
    condition = generator.visit(stmt.test)
    with located(generator, stmt.test):
        if isinstance(condition, tl.base_value) and not isinstance(
            condition, (tl.constexpr, tl.tuple)
        ):
            raise TaskError(
                "expects an 'if' around tasks to have a constexpr condition, but "
                f"'{ast.unparse(stmt.test)}' is known at run time only"
            ).about("tlx.async_tasks")
    return stmt.body if unwrap(condition) else stmt.orelse


def _first_line(stmt: ast.stmt) -> str:
    line = ast.unparse(stmt).split("\n", 1)[0]
    return line if len(line) <= 60 else line[:57] + "..."


def _reject_return(generator: Any, body: ast.With) -> None:
    for inner in ast.walk(body):
        if isinstance(inner, ast.Return):
            with located(generator, inner):
                raise TaskError(
                    "cannot contain 'return': a task ends at the end of its body"
                ).about("tlx.async_task")


# --- emitting -----------------------------------------------------------------


def _inline(generator: Any, body: ast.With, kernel_warps: int) -> None:
    """Compile an only task where it stands; its assignments stay inside too."""
    with enter_sub_region(generator), _visiting(generator, 0, kernel_warps):
        generator.visit_compound_statement(body.body)


def _emit(
    generator: Any,
    node: ast.With,
    options: lang.TasksSpec,
    copies: list[tuple[ast.With, lang.Replica]],
) -> None:
    builder = generator.builder
    attributes = {"exclusive": "unit"} if options.exclusive else {}
    with enter_sub_region(generator):
        group = _create(generator, node, "tlx.async_tasks", attributes)
        block = builder.create_block_with_parent(group.get_region(0), [])
        for body, copy in copies:
            builder.set_insertion_point_to_end(block)
            _emit_task(generator, body, copy)


def _emit_task(generator: Any, body: ast.With, copy: lang.Replica) -> None:
    builder = generator.builder
    with enter_sub_region(generator):
        task = _create(generator, body, "tlx.async_task", _attributes(copy))
        block = builder.create_block_with_parent(task.get_region(0), [])
        builder.set_insertion_point_to_start(block)
        hidden = {} if copy.is_default else _hide(generator)
        with (
            _visiting(generator, copy.index, copy.num_warps),
            _guarded_names(generator, hidden),
        ):
            outside = set(generator.lscope)
            generator.visit_compound_statement(body.body)
            line = int(generator.begin_line) + body.lineno
            for name in generator.lscope.keys() - outside:
                generator.task_names[name] = line


def _attributes(copy: lang.Replica) -> dict[str, str]:
    attributes: dict[str, str] = {"replica": f"{copy.index} : i32"}
    if copy.is_default:
        attributes["is_default"] = "unit"
    else:
        attributes["num_warps"] = f"{copy.num_warps} : i32"
    if copy.num_regs is not None:
        attributes["num_regs"] = f"{copy.num_regs} : i32"
    if copy.first_warp is not None:
        attributes["first_warp"] = f"{copy.first_warp} : i32"
    return attributes


def _create(
    generator: Any, node: ast.With, name: str, attributes: dict[str, str]
) -> Any:
    builder = generator.builder
    outer = builder.get_loc()
    builder.set_loc(
        builder.create_loc(
            generator.file_name,
            generator.begin_line + node.lineno,
            generator.begin_col + node.col_offset,
        )
    )
    attrs = {key: builder.parse_attr(text) for key, text in attributes.items()}
    op = builder.create(name, [], [], attrs, 1)
    builder.set_loc(outer)
    return op


@contextmanager
def _visiting(generator: Any, replica: int, num_warps: int) -> Iterator[None]:
    """Set what the body of a task, and the functions it calls, can ask for."""
    context = lang.TaskContext(replica, num_warps)
    outer = generator.caller_context
    generator.caller_context = context
    try:
        with lang.inside_task(context):
            yield
    finally:
        generator.caller_context = outer


def _hide(generator: Any) -> dict[str, Any]:
    """Take tensors and slices out of the symbol table of a task and return them.

    A tensor lives in the registers of the warps that made it, and a slice is not
    handed to other warps. Hiding them, instead of only refusing to read them, lets a
    task reuse the names for its own.
    """
    hidden = {
        name: value
        for name, value in generator.lscope.items()
        if _holds_tensor(value) or misuse.holds_slice(value)
    }
    for name in hidden:
        del generator.lscope[name]
    return hidden


def _holds_tensor(value: Any) -> bool:
    if is_block(value):
        return True
    if isinstance(value, tl.tuple):
        return any(_holds_tensor(item) for item in value)
    return False


@contextmanager
def _guarded_names(generator: Any, hidden: dict[str, Any]) -> Iterator[None]:
    lookup = generator.dereference_name

    def guarded(name: str) -> Any:
        if name in hidden and name not in generator.lscope:
            if not _holds_tensor(hidden[name]):
                raise TaskError(
                    f"cannot use the slice '{name}' of a buffer from outside; slice "
                    "the buffer in the task"
                ).about("tlx.async_task")
            kind = describe_type(hidden[name].type)
            raise TaskError(
                f"cannot use the tensor '{name}' ({kind}) from outside: it is in "
                "registers of other warps; compute it in the task or pass it through "
                "a buffer"
            ).about("tlx.async_task")
        return lookup(name)

    generator.dereference_name = guarded
    try:
        yield
    finally:
        generator.dereference_name = lookup
