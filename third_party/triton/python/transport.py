# SPDX-License-Identifier: MIT
"""What crosses between us and a compiler in another process: JSON, never code."""

from __future__ import annotations

from typing import Any

from tlx import errors
from tlx.backend import names
from tlx.errors import InternalError, SourceLocation, TLXError

_KINDS: dict[str, type[TLXError]] = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, TLXError)
}
_PLACE = ("file", "line", "column", "text", "caret")


def options_to_json(options: Any) -> dict[str, Any]:
    """Returns the options of Triton's compiler as JSON."""
    fields = names.CUDAOptions.__dataclass_fields__
    return {name: getattr(options, name) for name in fields}


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


def options_from_json(values: dict[str, Any]) -> Any:
    """Returns options of Triton's compiler, which it wants to be hashable."""
    return names.CUDAOptions(**{name: _hashable(v) for name, v in values.items()})


def _place_to_json(place: SourceLocation | None) -> dict[str, Any] | None:
    return None if place is None else {name: getattr(place, name) for name in _PLACE}


def _place_from_json(place: dict[str, Any] | None) -> SourceLocation | None:
    return None if place is None else SourceLocation(**place)


def error_to_json(error: TLXError) -> dict[str, Any]:
    """Returns an error as JSON: its type, message, place and notes."""
    # Errors of configurations have a class that is made for them.
    kind = next(k.__name__ for k in type(error).__mro__ if k in _KINDS.values())
    return {
        "kind": kind,
        "message": error.message,
        "subject": error.subject,
        "place": _place_to_json(error.location),
        "notes": [(text, _place_to_json(place)) for text, place in error.notes],
        "reproducer": getattr(error, "reproducer", None),
    }


def error_from_json(value: dict[str, Any]) -> TLXError:
    """Returns the error that JSON stands for."""
    error = _KINDS.get(value["kind"], InternalError)(value["message"])
    error.subject = value["subject"]
    error.location = _place_from_json(value["place"])
    error.notes = [(text, _place_from_json(place)) for text, place in value["notes"]]
    if hasattr(error, "reproducer"):
        vars(error)["reproducer"] = value["reproducer"]
    return error
