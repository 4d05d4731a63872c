# SPDX-License-Identifier: MIT
"""Gives our errors a form that Triton's autotuner understands."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from tlx.backend import names
from tlx.errors import TLXError

_Error = TypeVar("_Error", bound=TLXError)
_Stage = TypeVar("_Stage", bound=Callable[[Any, dict[str, Any]], Any])


def _reduce(error: Any) -> Any:
    # The class made below cannot be found by name in another process.
    plain = error.__class__.__mro__[1]
    return _rebuild, (plain, error.args, error.__dict__)


def _rebuild(plain: type[TLXError], args: Any, state: dict[str, Any]) -> TLXError:
    error = plain.__new__(plain, *args)
    error.__dict__.update(state)
    return as_config_failure(error)


@functools.cache
def _config_failure(kind: type[TLXError]) -> type[Any]:
    """Returns a subclass of `kind` that the autotuner takes for a bad config."""
    body = {
        "__module__": kind.__module__,
        "__qualname__": kind.__qualname__,
        "__doc__": kind.__doc__,
        "__reduce__": _reduce,
    }
    return type(kind.__name__, (kind, names.CompileTimeAssertionFailure), body)


def as_config_failure(error: _Error) -> _Error:
    """Makes an error one that costs the autotuner a single configuration.

    The autotuner goes on with the next configuration after a few kinds of
    exception, the failed compile-time assertion among them; any other exception
    ends it and loses all results.

    Args:
        error: Raised by our front end or passes. It keeps its type, message,
            attributes and traceback, and becomes in addition an instance of
            Triton's `CompileTimeAssertionFailure`.

    Returns:
        `error` itself.
    """
    if not isinstance(error, names.CompileTimeAssertionFailure):
        error.__class__ = _config_failure(type(error))
    return error


def keeps_tlx_errors(stage: _Stage) -> _Stage:
    """Makes the TLX errors of a stage cost the autotuner one configuration."""

    @functools.wraps(stage)
    def run(source: Any, metadata: dict[str, Any]) -> Any:
        try:
            return stage(source, metadata)
        except TLXError as error:
            raise as_config_failure(error) from error.__cause__

    return cast(Any, run)


def is_config_failure(error: Exception) -> bool:
    """Tells whether the autotuner would go on with the next configuration."""
    kinds = (
        names.CompileTimeAssertionFailure,
        names.OutOfResources,
        names.PTXASError,
    )
    return isinstance(error, kinds)


def in_one_line(error: Exception) -> str:
    """Returns what an error says, without source lines and notes."""
    if isinstance(error, TLXError):
        place = f"{error.file}:{error.line}: " if error.location else ""
        return f"{place}{error.headline}"
    message = getattr(error, "error_message", None) or str(error)
    return str(message).strip().split("\n")[0]
