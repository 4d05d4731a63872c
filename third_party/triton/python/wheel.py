# SPDX-License-Identifier: MIT
"""Drives the installed Triton wheel: text in, its own passes, a module out.

The wheel has another LLVM than we do. What crosses is text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from tlx.backend import names, stock_passes
from tlx.backend.capture import Captured, native_stderr
from tlx.backend.inventory import Inventory
from tlx.backend.messages import explain
from tlx.backend.reproducer import Reproducer
from tlx.backend.stock_passes import StockPass
from tlx.errors import (
    CompileError,
    Diagnostic,
    InternalError,
    TargetError,
    TLXError,
)

_Result = TypeVar("_Result")

# Pretty and generic form of the function that is the kernel.
_FUNCTION = re.compile(r"tt\.func public @(\w+)|sym_name = \"(\w+)\"")


def capability_of(options: Any) -> int:
    """Returns the compute capability of compile options, such as 90.

    Raises:
        TargetError: The target is not a CUDA architecture such as `sm90`.
    """
    match = re.fullmatch(r"sm_?(\d+)[af]?", str(options.arch))
    if match is None:
        raise TargetError(
            f"expects the architecture to be like 'sm90', but got {options.arch!r}"
        )
    return int(match[1])


def kernel_name(text: str) -> str:
    """Returns the name of the kernel in a module's text."""
    match = _FUNCTION.search(text)
    return (match[1] or match[2]) if match else "kernel"


def new_context() -> Any:
    """Returns a context of the wheel with all its dialects loaded."""
    context = names.ir.context()
    names.ir.load_dialects(context)
    names.nvidia.load_dialects(context)
    return context


def guarded(
    what: str, reproducer: Reproducer, action: Callable[[], _Result]
) -> _Result:
    """Runs a part of the wheel's compiler so that it fails with one short error.

    Args:
        what: The part, for the message, such as "parser".
        reproducer: Holds the IR that the part works on.
        action: Calls the part.

    Raises:
        CompileError: `action` raised `RuntimeError`, as the wheel does for
            everything, and its first diagnostic names a line of the kernel.
        InternalError: It did, but without such a line.
    """
    captured = Captured()
    crash_note = reproducer.crash_note(f"Triton's {what}")
    try:
        with native_stderr(captured, crash_note):
            return action()
    except RuntimeError as error:
        reason = str(error).strip().split("\n")[0]
    raise _failure(what, captured.first_error(), reason, reproducer)


def _failure(
    what: str, diagnostic: Diagnostic | None, reason: str, reproducer: Reproducer
) -> TLXError:
    """Returns the error for a failed part of the wheel's compiler.

    Args:
        what: The part.
        diagnostic: What it printed first.
        reason: What it raised.
        reproducer: Holds the IR that it worked on.
    """
    path = str(reproducer.path)
    place = diagnostic.location if diagnostic else None
    if diagnostic and place and place.text is not None and place.file != path:
        message = explain(diagnostic.message)
        error = CompileError(message, location=place, reproducer=path)
        error.add_note(f"found by Triton's {what}; reproducer written to {path}")
        return error
    if diagnostic:
        where = f"{place.file}:{place.line}:{place.column}: " if place else ""
        reason = f"{where}{diagnostic.message}"
    return InternalError(f"Triton's {what} failed: {reason}", reproducer=path)


def parse(reproducer: Reproducer, context: Any) -> Any:
    """Parses the TTGIR of a reproducer in a context of the wheel.

    Raises:
        InternalError: The text does not parse or does not verify.
    """
    module = guarded(
        "parser",
        reproducer,
        lambda: names.ir.parse_mlir_module(str(reproducer.path), context),
    )
    # The module's memory belongs to the context, which nothing else holds.
    module.context = context
    return module


def _function(name: str) -> Any:
    """Returns the function that adds the pass called `name` to a pass manager."""
    root: Any = names.passes
    *groups, function = name.split(".")
    if groups[0] == "nvidia":
        root, groups = names.nvidia.passes, groups[1:]
    for part in (*groups, function):
        root = getattr(root, part)
    return root


def run_stock_passes(module: Any, entries: Iterable[StockPass]) -> None:
    """Runs stock passes on a module of the wheel, in place."""
    manager = names.ir.pass_manager(module.context)
    manager.enable_debug()
    for entry in entries:
        _function(entry.name)(manager, *entry.args)
    manager.run(module, "tlx_make_ttgir")


def lower_ttgir(
    text: str,
    capability: int,
    maxnreg: int | None = None,
    num_stages: int = 3,
    further: Iterable[StockPass] = (),
) -> Any:
    """Parses TTGIR and runs our list of stock passes on it.

    The text stays on disk while the wheel works on it: some invalid IR ends the
    process from inside the wheel.

    Args:
        text: TTGIR in the form of the installed release.
        capability: Compute capability, such as 90.
        maxnreg: Cap on registers per thread for the whole kernel.
        num_stages: Depth of the software pipeline of kernels that leave it to
            the compiler.
        further: Passes that run behind the list.

    Returns:
        The module, owned by a fresh context of the wheel.

    Raises:
        InternalError: The wheel rejects the text or one of its passes fails.
    """
    with Reproducer(text, kernel_name(text), ".ttgir") as reproducer:
        module = parse(reproducer, new_context())
        if maxnreg is not None:
            builder = names.ir.builder(module.context)
            module.set_attr("ttg.maxnreg", builder.get_int32_attr(maxnreg))
        before = Inventory.of(str(module))
        selected = stock_passes.select(
            names.TRITON_VERSION, capability, num_stages, explicit=before.is_explicit
        )
        entries = [*selected, *further]
        guarded("passes", reproducer, lambda: run_stock_passes(module, entries))
        after = Inventory.of(str(module))
        # A barrier counts threads: a task with other warps than it asked for hangs.
        if before.warps_text() != after.warps_text():
            raise InternalError(
                f"Triton's passes changed the warps of tasks from "
                f"{before.warps_text()} to {after.warps_text()}",
                reproducer=str(reproducer.path),
            )
    return module
