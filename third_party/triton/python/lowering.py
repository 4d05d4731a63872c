# SPDX-License-Identifier: MIT
"""Runs our own passes: TLX IR in, TTGIR text for the installed Triton out."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from typing import Any

from tlx import _ext
from tlx.backend import names
from tlx.backend.reproducer import Reproducer
from tlx.backend.versions import Version
from tlx.errors import (
    CompileError,
    Diagnostic,
    InternalError,
    SourceLocation,
    TLXWarning,
)


def pipeline(version: Version) -> str:
    """Returns the passes from TLX IR to TTGIR of a Triton release, as text."""
    major, minor = version
    return f"builtin.module(tlx-to-ttgir{{version={major}.{minor}}})"


def is_dump_enabled(kernel: str) -> bool:
    """Tells whether the user asked for the IR of a kernel after each pass.

    As for Triton's own passes, `MLIR_ENABLE_DUMP` holds 1 or a kernel's name.
    """
    return os.environ.get("MLIR_ENABLE_DUMP") in ("1", "true", "TRUE", "on", kernel)


def _diagnostic(record: Any) -> Diagnostic:
    place = SourceLocation.read(record.file, record.line, record.column)
    return Diagnostic(
        record.severity,
        record.message,
        place if record.file else None,
        tuple(_diagnostic(note) for note in record.notes),
    )


def _warn(records: Iterable[Any]) -> None:
    """Passes on the warnings of passes that have succeeded."""
    for record in records:
        if record.severity != "warning":
            continue
        diagnostic = _diagnostic(record)
        text = CompileError.from_diagnostics([diagnostic])
        text = str(text).replace(": error: ", ": warning: ", 1)
        warnings.warn(TLXWarning(text), stacklevel=2)


def _failure(error: _ext.DiagnosticError, reproducer: Reproducer) -> Exception:
    """Returns the error for a failed pass: the user's fault, or else ours.

    A pass that rejects a kernel says so at a line of the kernel. What has no such
    place is a slip of a pass.
    """
    diagnostics = [_diagnostic(record) for record in error.diagnostics]
    errors = [d for d in diagnostics if d.severity == "error"]
    if errors and errors[0].location is not None:
        reproducer.discard()
        return CompileError.from_diagnostics(diagnostics)
    what = errors[0].message if errors else str(error).split("\n")[0]
    return InternalError(
        f"TLX's passes failed: {what}", reproducer=str(reproducer.path)
    )


def to_ttgir(module: Any, kernel: str) -> str:
    """Lowers a module of TLX IR, in place.

    Args:
        module: Module of our extension.
        kernel: Name of the kernel, for the reproducer.

    Returns:
        TTGIR text in the form of the installed release.

    Raises:
        CompileError: A pass rejects the kernel, at a line of the kernel.
        InternalError: A pass fails in another way.
    """
    passes = pipeline(names.TRITON_VERSION)
    text = f"// tlx-opt --pass-pipeline='{passes}' %s\n{module.str(debug=True)}"
    with Reproducer(text, kernel, ".tlxir.mlir") as reproducer:
        try:
            _warn(
                _ext.run_pipeline(
                    module, passes, print_after_all=is_dump_enabled(kernel)
                )
            )
            return _ext.print_for_triton(module, names.TRITON_VERSION)
        except _ext.DiagnosticError as error:
            raise _failure(error, reproducer) from None
