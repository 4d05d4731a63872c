# SPDX-License-Identifier: MIT
"""Runs our own passes: TLX IR in, TTGIR text for the installed Triton out."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from typing import Any

from tlx import _ext
from tlx.backend import names
from tlx.backend.capture import Captured, native_stderr
from tlx.backend.reproducer import Reproducer
from tlx.backend.versions import Version
from tlx.compiler.records import convert, diagnosed
from tlx.errors import CompileError, InternalError, TLXError, TLXWarning


def passes(version: Version) -> str:
    """Returns the passes from TLX IR to TTGIR of a Triton release, as text."""
    major, minor = version
    export = f"triton-legalize-version{{version={major}.{minor}}}"
    return f"builtin.module(tlx-to-ttgir,{export})"


def is_dump_enabled(kernel: str) -> bool:
    """Tells whether the user asked for the IR of a kernel after each pass.

    As for Triton's own passes, `MLIR_ENABLE_DUMP` holds 1 or a kernel's name.
    """
    return os.environ.get("MLIR_ENABLE_DUMP") in ("1", "true", "TRUE", "on", kernel)


def _failure(error: CompileError, reproducer: Reproducer) -> TLXError:
    """Returns the error for a failed pass: the user's fault, or else ours.

    A pass that rejects a kernel says so at a line of the kernel. What has no such
    place is a slip of a pass.
    """
    if error.location is not None:
        reproducer.discard()
        return error
    first_line = error.message.strip().split("\n")[0]
    return InternalError(
        f"TLX's passes failed: {first_line}", reproducer=str(reproducer.path)
    )


def _warn(records: Iterable[_ext.Diagnostic]) -> None:
    """Passes on the warnings of passes that have succeeded."""
    for diagnostic in convert(records):
        place = diagnostic.location
        if diagnostic.severity == "warning":
            warnings.warn_explicit(
                diagnostic.message,
                TLXWarning,
                filename=place.file if place else "<unknown>",
                lineno=place.line if place else 0,
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
    text = passes(names.TRITON_VERSION)
    comment = f"// tlx-opt --pass-pipeline='{text}' %s\n"
    with Reproducer(comment + module.str(debug=True), kernel, ".mlir") as reproducer:
        crash_note = reproducer.crash_note("TLX's passes")
        try:
            with diagnosed(), native_stderr(Captured(), crash_note):
                records = _ext.run_pipeline(
                    module, text, print_after_all=is_dump_enabled(kernel)
                )
                result = _ext.print_for_triton(module, names.TRITON_VERSION)
        except CompileError as error:
            raise _failure(error, reproducer) from None
    _warn(records)
    return result
