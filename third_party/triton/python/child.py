# SPDX-License-Identifier: MIT
"""The wheel's compiler in a process of its own, which may crash or hang.

The process is a fresh Python, not a copy of ours, which may have a GPU initialised.
It is kept for the next stage and the next kernel.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import Any

from tlx.backend.isolation import SWITCH, time_limit

_COMMAND = ("-P", "-m", "tlx.backend.worker")


class Crash(Exception):
    """The process has ended, or was ended, without an answer."""


def _environment() -> dict[str, str]:
    """Returns variables for a process that imports what this one does."""
    path = os.pathsep.join(map(os.path.abspath, sys.path))
    return {**os.environ, "PYTHONPATH": path, SWITCH: "0"}


def _last_words(text: str) -> str:
    """Returns the line of a crashed process that says most."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [
        line
        for line in lines
        if "Assertion" in line or "ERROR" in line or "UNREACHABLE" in line
    ]
    own = [line for line in lines if not line.startswith(("tlx: ", "note: "))]
    return (telling[:1] or own[-1:] or [""])[0][:300]


class Child:
    """A running process."""

    def __init__(self) -> None:
        self.environment = _environment()
        self._stderr = tempfile.TemporaryFile()
        self._seen = 0
        self._process = subprocess.Popen(
            [sys.executable, *_COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env=self.environment,
            # So that it can be ended with what it has started, such as ptxas.
            start_new_session=True,
        )

    @property
    def is_usable(self) -> bool:
        """Whether it runs, and sees what this process sees."""
        return self._process.poll() is None and self.environment == _environment()

    def _new_words(self) -> str:
        """Returns what it has written to its error output since the last call."""
        handle = self._stderr.fileno()
        size = os.fstat(handle).st_size
        text = os.pread(handle, size - self._seen, self._seen)
        self._seen = size
        return text.decode("utf-8", "replace")

    def _read_line(self, seconds: float | None) -> bytes:
        """Returns the next line of its output, or what there is if it has ended.

        Raises:
            TimeoutError: There is none in time.
        """
        assert self._process.stdout is not None
        handle = self._process.stdout.fileno()
        end = None if seconds is None else time.monotonic() + seconds
        line = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(handle, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                left = None if end is None else end - time.monotonic()
                if (left is not None and left <= 0) or not selector.select(left):
                    raise TimeoutError
                data = os.read(handle, 1 << 20)
                if not data:
                    break
                line += data
        return bytes(line)

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Has a stage run.

        Args:
            request: `stage`, `language` of the source, `target`, `options`, `name` of
                the kernel, `input`, the path of the file with the IR, and whether what
                ptxas says is to be printed: `logs_ptxas`.

        Returns:
            `text` or `bytes` of the result and `metadata`, or `error`; and what the
            stage has `printed`.

        Raises:
            Crash: There was no answer, or none within the time limit.
        """
        limit = time_limit()
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            line = self._read_line(limit)
        except TimeoutError:
            self.end()
            raise Crash(f"it had no result after {limit:g} s") from None
        except BrokenPipeError:
            line = b""
        except BaseException:
            self.end()
            raise
        words = self._new_words()
        if line.endswith(b"\n"):
            sys.stderr.write(words)
            return json.loads(line)
        status = self._process.wait()
        self.end()
        how = f"status {status}"
        if status < 0:
            how = signal.Signals(-status).name
        last = _last_words(words)
        raise Crash(f"it ended with {how}{last and f': {last}'}")

    def end(self) -> None:
        """Ends it, with all that it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        for pipe in (self._process.stdin, self._process.stdout):
            # What was not yet written has no reader any more.
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        self._process.wait()
        self._stderr.close()


_idle: list[Child] = []
_lock = threading.Lock()


def _end_all() -> None:
    with _lock:
        children, _idle[:] = list(_idle), []
    for child in children:
        child.end()


atexit.register(_end_all)
# The processes of a process are not those of its copy.
os.register_at_fork(after_in_child=_idle.clear)


@contextlib.contextmanager
def borrowed() -> Iterator[Child]:
    """Lends a process; each thread has its own."""
    with _lock:
        child = _idle.pop() if _idle else None
    if child is not None and not child.is_usable:
        child.end()
        child = None
    if child is None:
        child = Child()
    yield child
    # What has crashed, or was interrupted, does not come back.
    with _lock:
        _idle.append(child)
