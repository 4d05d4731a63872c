# SPDX-License-Identifier: MIT
"""Turns errors of Triton's front end, and slips of ours, into errors of TLX.

Triton wraps what goes wrong in a `CompilationError` for each level of the syntax tree;
what the user needs is the innermost message, at their own line.
"""

from __future__ import annotations

import ast
import re
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import tlx
from tlx import _ext
from tlx.backend import names
from tlx.compiler.misuse import phrase
from tlx.compiler.records import failure
from tlx.errors import CompileError, InternalError, TLXError

_OUR_FOLDERS = tuple(
    str(Path(folder).resolve()) for folder in (*tlx.__path__, *tlx.backend.__path__)
)
_LIBRARIES = (*_OUR_FOLDERS, str(Path(str(names.code_generator.__file__)).parents[1]))
# Exceptions whose text says enough without their name.
_PLAIN = (
    AssertionError,
    AttributeError,
    NameError,
    NotImplementedError,
    RuntimeError,
    TypeError,
    ValueError,
)
# What a user must not have to know.
_INSIDE = re.compile(
    r"<class '|!tlx\.|!tt\.|tlx\._ext| at 0x|"
    r"\b(buffered_tensor|mbarrier|async_token|tensor_descriptor)(_\w+)?\b"
)


def is_library(file: str) -> bool:
    """Tells whether a file belongs to Triton or TLX, not to the user."""
    return str(Path(file).resolve()).startswith(_LIBRARIES)


def is_debugging() -> bool:
    """Tells whether Triton is asked to show its own exceptions."""
    return bool(names.knobs.compilation.front_end_debugging)


def translated(
    error: BaseException, node: ast.AST, names_in_scope: Mapping[str, Any]
) -> TLXError:
    """Returns an error of TLX for one of Triton or Python.

    Args:
        error: What came out of a visit.
        node: What was visited.
        names_in_scope: Values of the kernel by name.
    """
    inner = _innermost(error)
    if isinstance(inner, _ext.DiagnosticError):
        failed = failure(inner)
        # Of a type or an attribute that does not parse it is a place in its text.
        failed.location = None
        return failed
    if isinstance(inner, names.CompileTimeAssertionFailure):
        return CompileError(_joined("the static assertion fails", _message(inner)))
    if _is_ours(inner):
        return InternalError(
            f"TLX fails at '{_shown(node)}' with {type(inner).__name__}: "
            f"{_message(inner)}"
        )
    text = _message(inner)
    if not text or _INSIDE.search(text):
        values = "; ".join(_values(node, names_in_scope))
        return CompileError(_joined(f"Triton cannot compile '{_shown(node)}'", values))
    if not isinstance(inner, (names.CompilationError, *_PLAIN)):
        text = f"{type(inner).__name__}: {text}"
    return CompileError(text)


def _values(node: ast.AST, names_in_scope: Mapping[str, Any]) -> Iterator[str]:
    """Says which names in a node stand for a value of TLX."""
    used = {inner.id: None for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    for name in used:
        found = phrase(names_in_scope.get(name))
        if found is not None:
            yield f"'{name}' is {found}"


def _joined(what: str, text: str) -> str:
    return f"{what}: {text}" if text else what


def _innermost(error: BaseException) -> BaseException:
    """Returns the error that Triton wrapped others around."""
    while isinstance(error, names.CompilationError):
        inner = error.__cause__ or error.__context__
        text = error.error_message
        if inner is None or text not in (None, repr(inner), str(inner)):
            break
        error = inner
    return error


def _message(error: BaseException) -> str:
    """Returns what an error says, on one line without a full stop."""
    text: Any = str(error)
    if isinstance(error, names.CompilationError):
        text = error.error_message
    return " ".join(str(text or "").split()).rstrip(".")


def _is_ours(error: BaseException) -> bool:
    """Tells whether our code raised an error that is none of TLX."""
    if isinstance(error, names.CompilationError):
        return False
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return False
    return str(Path(frames[-1].filename).resolve()).startswith(_OUR_FOLDERS)


def _shown(node: ast.AST) -> str:
    line = ast.unparse(node).split("\n", 1)[0]
    return line if len(line) <= 60 else line[:57] + "..."
