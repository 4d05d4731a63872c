# SPDX-License-Identifier: MIT
"""Lets the user see the TLX error alone, at their own line.

Triton's visitor wraps every exception in a `CompilationError` at each level of
the syntax tree. `located` stands around each visit: it digs out the `TLXError`, or
makes one, tells it the innermost place in the user's code, and adds a note for each
call of a jit function on the way there, and for each library function behind it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tlx import _ext
from tlx.compiler import foreign
from tlx.errors import InternalError, SourceLocation, TLXError


def source_location(generator: Any, node: ast.AST) -> SourceLocation | None:
    """Return the place of a syntax node in the file of the user's kernel.

    Args:
        generator: the visitor, which knows the file and where its function
            starts in it.
        node: a node of that function.

    Returns:
        The place, or None for a node without one.
    """
    line = getattr(node, "lineno", None)
    if line is None:
        return None
    offset = int(getattr(node, "col_offset", 0))
    lines = str(generator.jit_fn.src or "").split("\n")
    text = lines[line - 1] if 0 < line <= len(lines) else None
    return SourceLocation(
        file=str(generator.file_name),
        line=int(generator.begin_line) + int(line),
        column=int(generator.begin_col) + offset,
        text=text,
        caret=offset,
    )


def find_tlx_error(error: BaseException) -> TLXError | None:
    """Return the `TLXError` that an exception is or was caused by."""
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        if isinstance(link, TLXError):
            return link
        seen.add(id(link))
        link = link.__cause__ or link.__context__
    return None


@contextmanager
def located(generator: Any, node: ast.AST) -> Iterator[None]:
    """Give a `TLXError` that leaves the block its place in the user's source.

    Args:
        generator: the visitor.
        node: what it visits in the block.

    Raises:
        TLXError: without the errors that Triton wrapped around it.
    """
    try:
        yield
    except _ext.DiagnosticError:
        # It knows its place.
        raise
    except Exception as error:
        found = find_tlx_error(error)
        if found is None and foreign.is_debugging():
            raise
        if found is None:
            found = foreign.translated(error, node, generator.lscope)
            found.__cause__ = error if isinstance(found, InternalError) else None
        _add_place(found, generator, node)
        raise found from found.__cause__


def _add_place(error: TLXError, generator: Any, node: ast.AST) -> None:
    # The visitors that the error has passed, innermost first.
    passed: list[int] = error.__dict__.setdefault("_passed", [])
    if id(generator) in passed:
        return
    place = source_location(generator, node)
    if place is None:
        return
    passed.append(id(generator))
    if not generator.is_kernel and foreign.is_library(place.file):
        error.add_note(f"in '{generator.jit_fn.__name__}'", place)
    elif error.location is None:
        error.location = place
    else:
        error.add_note("called from here", place)
