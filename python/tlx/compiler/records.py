# SPDX-License-Identifier: MIT
"""Diagnostics of the extension as errors of ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from tlx import _ext
from tlx.errors import CompileError, Diagnostic, SourceLocation


def convert(records: Iterable[_ext.Diagnostic]) -> list[Diagnostic]:
    """Turn the diagnostics of the extension into ours, with source lines."""
    return [
        Diagnostic(
            record.severity,
            record.message,
            SourceLocation.read(record.file, record.line, record.column)
            if record.file
            else None,
            tuple(convert(record.notes)),
            record.kind,
        )
        for record in records
    ]


@contextmanager
def diagnosed() -> Iterator[None]:
    """Raise `CompileError` where the block raises the extension's error."""
    try:
        yield
    except _ext.DiagnosticError as error:
        raise failure(error) from None


def failure(error: _ext.DiagnosticError) -> CompileError:
    """Return our error for the extension's."""
    found = convert(error.diagnostics)
    if not any(d.severity == "error" for d in found):
        found.append(Diagnostic("error", str(error)))
    return CompileError.from_diagnostics(found)
