# SPDX-License-Identifier: MIT
"""Files that let a failure inside the compiler be run again."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path

from tlx.errors import ArgumentError

_FOLDER_VARIABLE = "TLX_REPRODUCER_DIR"


def folder() -> Path:
    """Returns the folder of reproducers, made on demand.

    It is `TLX_REPRODUCER_DIR`, or else a folder of this user in the system's
    folder for temporary files.

    Raises:
        ArgumentError: It cannot be made, or takes no files.
    """
    chosen = os.environ.get(_FOLDER_VARIABLE)
    uid = os.getuid() if hasattr(os, "getuid") else "user"
    path = Path(chosen or Path(tempfile.gettempdir()) / f"tlx-reproducers-{uid}")
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _unusable(path, error) from None
    return path


def _unusable(path: Path, error: OSError) -> ArgumentError:
    return ArgumentError(
        f"expects '{_FOLDER_VARIABLE}' to be a folder that can be written, but got "
        f"'{path}': {error.strerror}"
    )


_kept: ContextVar[Path | None] = ContextVar("tlx_kept_reproducer", default=None)


@contextlib.contextmanager
def kept_by_another(path: Path) -> Iterator[None]:
    """Makes reproducers inside of the context be a file that another process keeps."""
    token = _kept.set(path)
    try:
        yield
    finally:
        _kept.reset(token)


class Reproducer:
    """IR on disk while a compiler that may fail, or even abort, works on it.

    Leaving the `with` block without an exception removes the file; with one, or
    when the process dies inside, the file stays.
    """

    def __init__(self, text: str, name: str, suffix: str) -> None:
        """Writes the file.

        Args:
            text: The IR.
            name: What is being compiled; becomes part of the file name.
            suffix: Ending of the file name, such as `.ttgir`.

        Raises:
            ArgumentError: The folder of reproducers takes no files.
        """
        kept = _kept.get()
        self._is_ours = kept is None
        if kept is not None:
            self.path = kept
            return
        stem = "".join(c if c.isalnum() or c == "_" else "-" for c in name)[:80]
        home = folder()
        try:
            handle, path = tempfile.mkstemp(suffix, f"{stem}-", home)
        except OSError as error:
            raise _unusable(home, error) from None
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        self.path = Path(path).resolve()

    def __enter__(self) -> Reproducer:
        return self

    def crash_note(self, what: str) -> str:
        """Returns what to tell the user if `what` ends the process."""
        return (
            f"tlx: {what} ended the process, which is a fault of TLX\n"
            f"note: reproducer written to {self.path}\n"
        )

    def discard(self) -> None:
        """Removes the file: what failed needs no second look."""
        if self._is_ours:
            self.path.unlink(missing_ok=True)

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if kind is None:
            self.discard()
