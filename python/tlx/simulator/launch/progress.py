# SPDX-License-Identifier: MIT
"""A progress bar, for runs that take long and somebody who watches."""

from __future__ import annotations

import sys
import time
from typing import TextIO

_PATIENCE = 2.0
_INTERVAL = 0.2
_WIDTH = 30


class ProgressBar:
    """Shows on a terminal how many CTAs are done, once two seconds have passed.

    It is called with the numbers, and closed by the end of the context.

    Args:
        name: The kernel's.
        stream: Where to; by default the error output.
    """

    def __init__(self, name: str, stream: TextIO | None = None) -> None:
        self._name = name
        self._stream = sys.stderr if stream is None else stream
        self._next = time.monotonic() + _PATIENCE
        self._shown = False

    def __call__(self, done: int, total: int) -> None:
        """Shows how many of all CTAs are done, if it is time to."""
        now = time.monotonic()
        if now < self._next or not self._stream.isatty():
            return
        self._next = now + _INTERVAL
        self._shown = True
        full = _WIDTH * done // max(total, 1)
        bar = "#" * full + "." * (_WIDTH - full)
        self._stream.write(f"\r{self._name} [{bar}] {done}/{total} CTAs")
        self._stream.flush()

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
