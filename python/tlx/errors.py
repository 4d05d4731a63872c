# SPDX-License-Identifier: MIT
"""Every exception that TLX raises, with the place in the user's source.

A message has one line that says what was expected and what was found, then the
line of source with a caret, then one such block for each call on the way there:

    gemm.py:12:11: error: 'tlx.local_alloc' expects 'num' to be at least 1, but got 0
        tiles = tlx.local_alloc((64, 64), tl.float16, 0)
                ^
    gemm.py:40:4: note: called from here
        helper(a)
        ^
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = [
    "ArgumentError",
    "BarrierError",
    "CompileError",
    "DTypeError",
    "Diagnostic",
    "InternalError",
    "LayoutError",
    "ResourceError",
    "ShapeError",
    "SourceLocation",
    "TLXError",
    "TLXWarning",
    "TargetError",
    "TaskError",
    "UnknownNameError",
    "UnsupportedError",
    "VersionError",
    "did_you_mean",
]


class Phrase(str):
    """Words that stand for a value in a message and are shown without quotes."""


class TLXWarning(UserWarning):
    """Something in a kernel that is legal but probably not what was meant."""


@dataclass(frozen=True)
class SourceLocation:
    """A place in a source file.

    Args:
        file: path of the file.
        line: line, from 1.
        column: column, from 1; 0 when unknown.
        text: the line itself without its newline, or None when unavailable.
        caret: offset into `text` under which the caret goes, from 0.
    """

    file: str
    line: int
    column: int = 0
    text: str | None = None
    caret: int = 0

    @classmethod
    def read(cls, file: str, line: int, column: int = 0) -> SourceLocation:
        """Make a location whose text is read from the file, if it can be."""
        text = None
        if line > 0 and os.path.isfile(file):
            try:
                with open(file, encoding="utf-8", errors="replace") as stream:
                    lines = stream.read().splitlines()
                text = lines[line - 1] if line <= len(lines) else None
            except OSError:
                text = None
        return cls(file, line, column, text, max(column - 1, 0))

    def render(self, severity: str, message: str) -> str:
        """Format one block: header, source line, caret."""
        where = f"{self.file}:{self.line}"
        if self.column:
            where += f":{self.column}"
        out = [f"{where}: {severity}: {message}"]
        if self.text is not None:
            stripped = self.text.lstrip()
            indent = len(self.text) - len(stripped)
            out.append(f"    {stripped.rstrip()}")
            out.append("    " + " " * max(self.caret - indent, 0) + "^")
        return "\n".join(out)


class TLXError(Exception):
    """Base of every error that a kernel, its arguments or its target can cause.

    Args:
        message: what is wrong, one line, without a full stop. When `subject` is
            set the message continues it: "expects 'num' to be at least 1, but
            got 0".
        subject: what the message is about, for example "tlx.local_alloc".
        expected: the rule that was broken, if the message names one.
        found: the value that broke it.
        location: where in the user's source.

    Attributes:
        severity: "error", or "warning" for what may be meant.
    """

    severity: str = "error"

    def __init__(
        self,
        message: str,
        *,
        subject: str | None = None,
        expected: str | None = None,
        found: Any = None,
        location: SourceLocation | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.subject = subject
        self.expected = expected
        self.found = found
        self.location = location
        self.notes: list[tuple[str, SourceLocation | None]] = []

    @classmethod
    def expects(cls, name: str, rule: str, found: Any) -> TLXError:
        """Build "expects 'name' to be RULE, but got FOUND"."""
        shown = describe(found)
        return cls(
            f"expects '{name}' to be {rule}, but got {shown}",
            expected=rule,
            found=found,
        )

    @property
    def file(self) -> str | None:
        """Path of the user's file, if known."""
        return self.location.file if self.location else None

    @property
    def line(self) -> int | None:
        """Line in `file`, from 1, if known."""
        return self.location.line if self.location else None

    @property
    def column(self) -> int | None:
        """Column in `file`, from 1, if known."""
        return self.location.column if self.location else None

    @property
    def headline(self) -> str:
        """The message with its subject, on one line, without the place."""
        if self.subject is None:
            return self.message
        return f"'{self.subject}' {self.message}"

    def about(self, subject: str) -> TLXError:
        """Set the subject unless an inner function has set it; return self."""
        if self.subject is None:
            self.subject = subject
        return self

    def add_note(self, message: str, location: SourceLocation | None = None) -> None:
        """Append a note that is printed below the error."""
        self.notes.append((message, location))

    def __str__(self) -> str:
        blocks: list[str] = []
        if self.location is None:
            blocks.append(self.headline)
        else:
            blocks.append(self.location.render(self.severity, self.headline))
        for message, location in self.notes:
            if location is None:
                blocks.append(f"note: {message}")
            else:
                blocks.append(location.render("note", message))
        return "\n".join(blocks)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.headline!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        # Errors travel between processes when kernels are compiled in a pool.
        return _rebuild, (type(self), dict(self.__dict__), self.args)


def _rebuild(
    cls: type[TLXError], state: dict[str, Any], args: tuple[Any, ...]
) -> TLXError:
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class ArgumentError(TLXError, ValueError):
    """An argument is missing, unknown, misspelt, or has an illegal value."""


class ShapeError(TLXError, ValueError):
    """A shape is malformed, or two shapes do not fit together."""


class DTypeError(TLXError, TypeError):
    """An element type is illegal here, or two of them do not fit together."""


class BarrierError(TLXError, ValueError):
    """A barrier is declared or used in a way that cannot work."""


class TaskError(TLXError):
    """`async_tasks` or `async_task` is used in a way that cannot work."""


class LayoutError(TLXError):
    """Layouts that were asked for contradict each other or the hardware."""


class UnsupportedError(TLXError, NotImplementedError):
    """The name belongs to TLX but this version of the package lacks it."""


class UnknownNameError(TLXError, AttributeError):
    """TLX has no such name."""


class VersionError(TLXError, ImportError):
    """The installed Triton is missing, foreign, or not a supported version."""


@dataclass(frozen=True)
class Diagnostic:
    """One message of a compiler pass.

    Args:
        severity: "error", "warning", "remark" or "note".
        message: the text.
        location: the place in the user's source, if the IR carries one.
        notes: messages attached to this one.
        kind: what an error is about: "resource", "target", or nothing in particular.
    """

    severity: str
    message: str
    location: SourceLocation | None = None
    notes: Sequence[Diagnostic] = field(default_factory=tuple)
    kind: str = ""


class CompileError(TLXError):
    """A pass, or Triton's front end, rejected the kernel.

    Args:
        diagnostics: every message of the run, in order.
        reproducer: path of a file with the IR and the pipeline, if one was
            written.
    """

    def __init__(
        self,
        message: str,
        *,
        diagnostics: Iterable[Diagnostic] = (),
        reproducer: str | None = None,
        **details: Any,
    ) -> None:
        super().__init__(message, **details)
        self.diagnostics = list(diagnostics)
        self.reproducer = reproducer

    @classmethod
    def from_diagnostics(
        cls, diagnostics: Iterable[Diagnostic], *, reproducer: str | None = None
    ) -> CompileError:
        """Make one error: the first error leads, the others become notes."""
        everything = list(diagnostics)
        errors = [d for d in everything if d.severity == "error"] or everything
        if not errors:
            error = cls("the compiler failed without a message")
        else:
            kind = _KINDS.get(errors[0].kind, cls)
            error = kind(errors[0].message, location=errors[0].location)
            error._add_notes_of(errors[0])
            for other in errors[1:]:
                error.add_note(f"also: {other.message}", other.location)
                error._add_notes_of(other)
        error.diagnostics = everything
        error.reproducer = reproducer
        return error

    def _add_notes_of(self, diagnostic: Diagnostic) -> None:
        for note in diagnostic.notes:
            # MLIR attaches the IR of the op; it stays in `diagnostics`.
            if not note.message.startswith("see current operation"):
                self.add_note(note.message, note.location)


class ResourceError(CompileError):
    """The kernel asks for more of a hardware resource than a CTA has."""


class TargetError(CompileError):
    """The GPU that is compiled for does not have the feature."""


# What a pass may say an error is about.
_KINDS: dict[str, type[CompileError]] = {
    "resource": ResourceError,
    "target": TargetError,
}


class InternalError(TLXError):
    """A fault of TLX itself; the reproducer is what a bug report needs.

    Args:
        reproducer: path of a file with the IR and the pipeline that failed.
    """

    def __init__(
        self, message: str, *, reproducer: str | None = None, **details: Any
    ) -> None:
        super().__init__(message, **details)
        self.reproducer = reproducer
        if reproducer is not None:
            self.add_note(f"reproducer written to {reproducer}")


def describe(value: Any) -> str:
    """Show a value in a message: short, without IR handles."""
    inner = getattr(value, "value", value)
    if inner is not value and type(value).__name__ == "constexpr":
        value = inner
    if isinstance(value, Phrase):
        return str(value)
    if isinstance(value, str):
        return repr(value)
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    items: Sequence[Any] | None = _items(value)
    if items is not None:
        end = ",)" if len(items) == 1 else ")"
        return "(" + ", ".join(describe(item) for item in items) + end
    kind = getattr(value, "type", None)
    if kind is not None and hasattr(value, "_flatten_ir"):
        words = getattr(kind, "words", None)
        if isinstance(words, str):
            return words
        if hasattr(kind, "block_type"):
            return f"a tensor descriptor of {describe_type(kind.block_type)}"
        return f"a run-time value of type {describe_type(kind)}"
    if isinstance(value, type):
        return value.__name__
    text = str(value)
    is_short = "\n" not in text and len(text) <= 80
    return text if is_short and " at 0x" not in text else type(value).__name__


def _items(value: Any) -> Sequence[Any] | None:
    """Return the items of a tuple of Python's or Triton's."""
    if isinstance(value, (list, tuple)):
        return value
    if type(value).__name__ == "tuple" and hasattr(value, "_flatten_ir"):
        return list(value)
    return None


def describe_type(kind: Any) -> str:
    """Show the type of a kernel's value: fp16[64, 32] for a tensor."""
    # Triton's tuple of dimensions is a class of its own.
    shape: Any = getattr(kind, "shape", None)
    if not hasattr(shape, "__iter__") or not hasattr(kind, "is_block"):
        return str(kind)
    dims = ", ".join(str(getattr(dim, "value", dim)) for dim in shape)
    return f"{kind.scalar}[{dims}]"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ", did you mean 'x'?" for the closest known word, or ""."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f", did you mean '{close[0]}'?" if close else ""
