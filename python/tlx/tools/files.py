# SPDX-License-Identifier: MIT
"""Files of the user: kernels are in them, and stages are written to them."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import runpy
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from tlx.errors import (
    ArgumentError,
    CompileError,
    SourceLocation,
    TLXError,
    did_you_mean,
)
from tlx.tools import signatures


def check_script(path: Path) -> None:
    """Makes sure that a path is a file that can be read.

    Raises:
        ArgumentError: It is not.
    """
    if not path.is_file():
        raise ArgumentError(f"expects a Python file, but got '{path}'")
    if not os.access(path, os.R_OK):
        raise ArgumentError(f"expects a Python file that can be read, but got '{path}'")


def _place(path: Path, traceback: TracebackType | None) -> SourceLocation:
    """Returns where in a file an exception came from."""
    line = 1
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == str(path):
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return SourceLocation.read(str(path), line)


def load_file(path: Path) -> ModuleType:
    """Runs a Python file and returns it as a module.

    Raises:
        ArgumentError: There is no such file.
        CompileError: The file raises something.
    """
    check_script(path)
    name = path.stem
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ArgumentError(f"expects a Python file, but got '{path}'")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    # As for a script: the file finds what lies beside it.
    sys.path.insert(0, str(path.parent.resolve()))
    with _faults(path, "define kernels"):
        spec.loader.exec_module(module)
    return module


@contextlib.contextmanager
def _faults(path: Path, purpose: str) -> Iterator[None]:
    """Turns what a file raises into one message at a line of the file."""
    try:
        yield
    except TLXError as error:
        raise CompileError(str(error)) from error
    except SyntaxError as error:
        place = SourceLocation.read(str(error.filename or path), error.lineno or 1)
        raise CompileError(f"invalid syntax: {error.msg}", location=place) from None
    except (Exception, SystemExit) as error:
        raise CompileError(
            f"expects the file to {purpose}, but it raised "
            f"{type(error).__name__}: {error}".rstrip(": "),
            location=_place(path, error.__traceback__),
        ) from error


def run_script(path: Path, arguments: Sequence[str]) -> None:
    """Runs a script as `python FILE ARGS` does."""
    sys.argv = [str(path), *arguments]
    sys.path.insert(0, str(path.parent.resolve()))
    runpy.run_path(str(path), run_name="__main__")


def run_main(path: Path, arguments: Sequence[str], purpose: str) -> None:
    """Runs a script as `python FILE ARGS` does; it may end itself with status 0.

    Args:
        path: The script.
        arguments: Its arguments.
        purpose: What it is run for, for the message of an error.

    Raises:
        ArgumentError: There is no such file.
        CompileError: The script raises something.
    """
    check_script(path)
    with _faults(path, purpose):
        try:
            run_script(path, arguments)
        except SystemExit as error:
            if error.code not in (None, 0):
                raise


def find_kernel(module: ModuleType, name: str) -> Any:
    """Returns the kernel called `name`, or the only one if `name` is empty.

    Raises:
        ArgumentError: There is none, or more than one.
    """
    from tlx.backend import names

    kernels = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, names.JITFunction) and value.__module__ == module.__name__
    }
    if not name:
        wanted = list(signatures.declarations(module) or kernels)
        if len(wanted) != 1:
            raise ArgumentError(
                f"expects FILE:KERNEL with one of {', '.join(wanted)}, but got "
                f"'{module.__file__}'"
                if wanted
                else f"'{module.__file__}' has no @triton.jit function"
            )
        name = wanted[0]
    value = getattr(module, name, None)
    # Autotuners and heuristics hold the kernel.
    while value is not None and not isinstance(value, names.JITFunction):
        value = getattr(value, "fn", None)
    if value is None:
        raise ArgumentError(
            f"'{module.__file__}' has no kernel '{name}'{did_you_mean(name, kernels)}"
        )
    return value


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__


def make_folder(
    path: Path, option: str, rule: str = "a folder that can be written"
) -> None:
    """Makes sure that a folder is there and takes files.

    Args:
        path: The folder.
        option: What the user calls it.
        rule: What the option has to be.

    Raises:
        ArgumentError: It cannot be made or written.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArgumentError(
            f"expects '{option}' to be {rule}, but got '{path}': {_reason(error)}"
        ) from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise ArgumentError(f"expects '{option}' to be {rule}, but got '{path}'")


def write(path: Path, data: bytes) -> None:
    """Writes a file.

    Raises:
        ArgumentError: It cannot be written.
    """
    try:
        path.write_bytes(data)
    except OSError as error:
        raise ArgumentError(
            f"expects to write '{path}', but cannot: {_reason(error)}"
        ) from None
