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

_STDERR = 2
_lock = threading.RLock()
_ERROR = re.compile(
    r"^(?:loc\((?P<loc>.*?)\): |(?P<path>\S+?:\d+:\d+): )?error: (?P<text>.*)"
)


class Captured:
    """Text that native code wrote."""

    text: str = ""

    def first_error(self, limit: int = 300) -> str:
        """Returns the first diagnostic, on one line, or an empty string."""
        for line in self.text.splitlines():
            if match := _ERROR.match(line):
                where = (match["loc"] or match["path"] or "").replace('"', "")
                message = match["text"][:limit]
                return f"{where}: {message}" if where else message
        return ""


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
