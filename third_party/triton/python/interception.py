# SPDX-License-Identifier: MIT
"""Takes over the launches of kernels, for as long as somebody wants them.

Three methods of Triton are replaced while there is a launcher, and put back after:

* `JITFunction.run`, through which every launch and warm-up goes.
* `Autotuner.run`, which measures times, and there are none to measure.
* `InterpretedFunction.run`, what kernels become under `TRITON_INTERPRET=1`.

Tensor descriptors are made of NumPy arrays, too, as long (`host_descriptors`).

Like `hook`, this module may run while Triton is being imported.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, Protocol

from triton import knobs
from triton.runtime.autotuner import Autotuner
from triton.runtime.jit import JITFunction

from tlx.backend import host_descriptors
from tlx.backend.detect import uses_tlx

# A grid as users write it: a tuple, or a function of the arguments.
Grid = Any


class Launcher(Protocol):
    """Runs kernels in Triton's place."""

    def launch(
        self,
        kernel: Any,
        args: tuple[Any, ...],
        keywords: dict[str, Any],
        grid: Grid,
        warmup: bool,
    ) -> Any:
        """Runs a kernel, or only compiles it if `warmup` is set.

        Args:
            kernel: A `@triton.jit` function.
            args: Arguments of the launch.
            keywords: Keyword arguments of the launch, options among them.
            grid: As the user wrote it.
            warmup: Whether to compile only.

        Returns:
            What the launch returns to the user.
        """
        ...

    def tune(self, tuner: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Runs an autotuned kernel with a configuration of its choice."""
        ...


_current: ContextVar[Launcher | None] = ContextVar("tlx_launcher", default=None)
_default: Callable[[], Launcher | None] | None = None
_lock = threading.RLock()
_users = 0
_originals: dict[type[Any], Callable[..., Any]] = {}


def current() -> Launcher | None:
    """Returns who runs the kernels of this thread, None for Triton itself."""
    launcher = _current.get()
    if launcher is None and _default is not None:
        return _default()
    return launcher


def _launcher_for(kernel: Any) -> Launcher | None:
    """Returns who runs a kernel.

    Triton's interpreter knows nothing of TLX, so under TRITON_INTERPRET=1 the simulator
    runs kernels that use it, asked or not.
    """
    launcher = current()
    if launcher is None and knobs.runtime.interpret and uses_tlx(kernel):
        from tlx.simulator.launch.simulate import process_simulation

        return process_simulation()
    return launcher


def _run(self: Any, *args: Any, grid: Grid, warmup: bool, **keywords: Any) -> Any:
    """Stands in for `JITFunction.run`."""
    launcher = current()
    if launcher is None:
        original = _originals[JITFunction]
        return original(self, *args, grid=grid, warmup=warmup, **keywords)
    return launcher.launch(self, args, keywords, grid, warmup)


def _tune(self: Any, *args: Any, **keywords: Any) -> Any:
    """Stands in for `Autotuner.run`."""
    launcher = _launcher_for(self)
    if launcher is None:
        return _originals[Autotuner](self, *args, **keywords)
    return launcher.tune(self, args, keywords)


def _run_interpreted(
    self: Any, *args: Any, grid: Grid, warmup: bool, **keywords: Any
) -> Any:
    """Stands in for `InterpretedFunction.run`."""
    launcher = _launcher_for(self)
    if launcher is None:
        original = _originals[type(self)]
        return original(self, *args, grid=grid, warmup=warmup, **keywords)
    from tlx.backend.interpreted import compiled

    return launcher.launch(
        compiled(self),
        tuple(compiled(value) for value in args),
        {name: compiled(value) for name, value in keywords.items()},
        grid,
        warmup,
    )


def _replacements() -> dict[type[Any], Callable[..., Any]]:
    table: dict[type[Any], Callable[..., Any]] = {JITFunction: _run, Autotuner: _tune}
    if knobs.runtime.interpret:
        from triton.runtime.interpreter import InterpretedFunction

        table[InterpretedFunction] = _run_interpreted
    return table


def _acquire() -> None:
    global _users
    with _lock:
        _users += 1
        for owner, replacement in _replacements().items():
            if owner.run is not replacement:
                _originals[owner] = owner.run
                owner.run = replacement
        host_descriptors.replace(lambda: current() is not None)


def _release() -> None:
    global _users
    with _lock:
        _users -= 1
        if _users:
            return
        for owner, replacement in _replacements().items():
            # Somebody may have wrapped ours; then it stays and hands on.
            if owner.run is replacement:
                owner.run = _originals[owner]
        host_descriptors.restore()


@contextlib.contextmanager
def launches_go_to(launcher: Launcher) -> Iterator[None]:
    """Makes a launcher run what this thread launches inside of the context."""
    _acquire()
    token = _current.set(launcher)
    try:
        yield
    finally:
        _current.reset(token)
        _release()


def all_launches_go_to(factory: Callable[[], Launcher | None] | None) -> None:
    """Makes a launcher run what any thread launches outside of other contexts.

    Args:
        factory: Returns the launcher, None for Triton itself; called at each launch.
            Without a factory Triton runs kernels again.
    """
    global _default
    with _lock:
        if factory is not None and _default is None:
            _acquire()
        if factory is None and _default is not None:
            _release()
        _default = factory


def watch_interpreter() -> None:
    """Makes the simulator run TLX kernels that Triton's interpreter is to run."""
    _acquire()
