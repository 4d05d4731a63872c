# SPDX-License-Identifier: MIT
"""Whether the wheel's compiler runs in a process of its own, and how long it may take.

A crash inside Triton's passes ends the process that they run in. Where that would cost
most, in the autotuner and on the command line, they run in another one.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextvars import ContextVar

from tlx.errors import ArgumentError

SWITCH = "TLX_ISOLATE"
LIMIT = "TLX_COMPILE_TIMEOUT"
_DEFAULT_LIMIT = "600"

_wanted: ContextVar[bool] = ContextVar("tlx_isolation", default=False)


@contextlib.contextmanager
def wanted() -> Iterator[None]:
    """Makes kernels that are compiled inside of the context be compiled elsewhere."""
    token = _wanted.set(True)
    try:
        yield
    finally:
        _wanted.reset(token)


def is_on() -> bool:
    """Tells whether kernels are compiled in a process of their own.

    Raises:
        ArgumentError: The variable that says so has another value than 0 or 1.
    """
    text = os.environ.get(SWITCH, "")
    if text not in ("", "0", "1"):
        raise ArgumentError.expects(SWITCH, "0 or 1", text)
    return _wanted.get() if text == "" else text == "1"


def time_limit() -> float | None:
    """Returns the seconds that a stage may take, None for any number.

    Raises:
        ArgumentError: The variable that holds them is no such number.
    """
    text = os.environ.get(LIMIT) or _DEFAULT_LIMIT
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise ArgumentError.expects(LIMIT, "seconds, or 0 for no limit", text)
    return seconds or None
