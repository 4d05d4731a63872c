# SPDX-License-Identifier: MIT
"""Catches what native code writes to standard error.

Triton's MLIR prints its diagnostics there, with the whole operation attached.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tlx import _ext
from tlx.errors import Diagnostic, SourceLocation

_STDERR = 2
_lock = threading.RLock()
_ERROR = re.compile(r"^(?P<place>.*?):? ?error: (?P<text>.*)")
# `loc("file":line:column)`, maybe inside other locations, or `file:line:column`.
_PLACE = re.compile(
    r"\"(?P<file>[^\"]+)\":(?P<line>\d+):(?P<column>\d+)"
    r"|^(?P<path>[^\"]+?):(?P<path_line>\d+):(?P<path_column>\d+)"
)


class Captured:
    """Text that native code wrote."""

    text: str = ""

    def first_error(self, limit: int = 300) -> Diagnostic | None:
        """Returns the first error among the diagnostics.

        Args:
            limit: Characters after which the message is cut.
        """
        for line in self.text.splitlines():
            if match := _ERROR.match(line):
                place = _PLACE.search(match["place"])
                return Diagnostic(
                    "error", match["text"][:limit], _location(place) if place else None
                )
        return None


def _location(place: re.Match[str]) -> SourceLocation:
    file = place["file"] or place["path"]
    line = place["line"] or place["path_line"]
    column = place["column"] or place["path_column"]
    return SourceLocation.read(file, int(line), int(column))


@contextmanager
def native_stderr(captured: Captured, crash_note: str) -> Iterator[None]:
    """Collects in `captured` what is written to file descriptor 2, by any code.

    When the block ends without an exception, the text is written to standard
    error after all, so that dumps which the user asked for arrive.

    Args:
        captured: Where the text goes.
        crash_note: Written to standard error, behind the end of the text, if the
            process dies in the block.
    """
    with _lock, tempfile.TemporaryFile() as file:
        sys.stderr.flush()
        saved = os.dup(_STDERR)
        os.dup2(file.fileno(), _STDERR)
        _ext.set_crash_note(crash_note, saved, file.fileno())
        try:
            yield
        finally:
            _ext.clear_crash_note()
            sys.stderr.flush()
            os.dup2(saved, _STDERR)
            os.close(saved)
            size = os.lseek(file.fileno(), 0, os.SEEK_END)
            captured.text = os.pread(file.fileno(), size, 0).decode("utf-8", "replace")
        if captured.text:
            sys.stderr.write(captured.text)
