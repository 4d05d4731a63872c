# SPDX-License-Identifier: MIT
"""Running our passes, with their diagnostics as `CompileError`."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from tlx import _ext
from tlx.errors import CompileError, Diagnostic, SourceLocation, TLXWarning


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
        )
        for record in records
    ]


@contextmanager
def diagnosed(reproducer: str | None = None) -> Iterator[None]:
    """Raise `CompileError` where the block raises the extension's error."""
    try:
        yield
    except _ext.DiagnosticError as error:
        found = convert(error.diagnostics)
        if not any(d.severity == "error" for d in found):
            found.append(Diagnostic("error", str(error)))
        raise CompileError.from_diagnostics(found, reproducer=reproducer) from None


def run(
    module: _ext.Module,
    passes: str,
    *,
    reproducer: str | None = None,
    print_after_all: bool = False,
) -> None:
    """Run passes on a module.

    Args:
        module: handles into it become stale.
        passes: a pipeline such as "canonicalize,cse".
        reproducer: where a failure writes the IR before it and the pipeline.
        print_after_all: print the IR to stderr after each pass.

    Raises:
        CompileError: if a pass fails; warnings become `TLXWarning`s.
    """
    with diagnosed(reproducer):
        records = _ext.run_pipeline(
            module,
            passes,
            reproducer=reproducer,
            print_after_all=print_after_all,
        )
    for diagnostic in convert(records):
        if diagnostic.severity == "warning":
            place = diagnostic.location
            warnings.warn_explicit(
                diagnostic.message,
                TLXWarning,
                filename=place.file if place else "<unknown>",
                lineno=place.line if place else 0,
            )
