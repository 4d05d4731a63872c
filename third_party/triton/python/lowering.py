# SPDX-License-Identifier: MIT
"""Runs our own passes: TLX IR in, TTGIR text for the installed Triton out."""

from __future__ import annotations

import os
from typing import Any

from tlx import _ext
from tlx.backend import names
from tlx.backend.reproducer import Reproducer
from tlx.backend.versions import Version
from tlx.compiler import pipeline
from tlx.errors import CompileError, InternalError, TLXError


def passes(version: Version) -> str:
    """Returns the passes from TLX IR to TTGIR of a Triton release, as text."""
    major, minor = version
    return f"builtin.module(tlx-to-ttgir{{version={major}.{minor}}})"


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
    return InternalError(
        f"TLX's passes failed: {error.message}", reproducer=str(reproducer.path)
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
        try:
            dump = is_dump_enabled(kernel)
            pipeline.run(module, text, print_after_all=dump)
            with pipeline.diagnosed():
                return _ext.print_for_triton(module, names.TRITON_VERSION)
        except CompileError as error:
            raise _failure(error, reproducer) from None
