# SPDX-License-Identifier: MIT
"""Makes Triton hand kernels that use TLX to us.

Five things of Triton are set, once per process:

* `ASTSource.__new__`, which Triton does not define. It picks our subclass of
  `ASTSource` for kernels that use TLX. Every way to compile a kernel (launch,
  warm-up, preload, `triton.compile`, autotuner, torch) creates an `ASTSource`.
* The entry "nvidia" of the table of backends. It becomes a subclass of Triton's
  backend that adds our stages for our sources and else behaves like its base.
* `Config.__init__`, so that configurations take the option of `clusters`.
* `JITFunction._pack_args`, which Triton calls before it compiles for a launch. It
  checks the options of kernels that use TLX, which Triton's parser would assert.
* `Autotuner._bench` and `Autotuner.warmup`, so that a configuration of a kernel that
  uses TLX cannot end the process.

This module may run while Triton itself is still being imported (see
`triton/language/extra/tlx`), and it runs for people who never use TLX. So it
imports only what Triton has loaded by then, and the compiler on first use.
"""

from __future__ import annotations

import copy
import dataclasses
import importlib.util
import os
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import triton
from triton.backends import backends
from triton.compiler.compiler import ASTSource

from tlx.backend import clusters, launches, tuning, versions
from tlx.backend.cuda import TLXCUDABackend
from tlx.backend.detect import FORCE_ATTRIBUTE, uses_tlx

# The name that kernels written for Meta's TLX import.
ALIAS = "triton.language.extra.tlx"

_Kernel = TypeVar("_Kernel")


def _new_source(
    cls: type[Any],
    fn: object = None,
    signature: object = None,
    constexprs: dict[Any, Any] | None = None,
    attrs: object = None,
) -> Any:
    """Stands in for `ASTSource.__new__`: picks our class for TLX kernels."""
    if cls is ASTSource and fn is not None:
        arguments: Iterable[object] = (constexprs or {}).values()
        if uses_tlx(fn, arguments):
            from tlx.backend.source import TLXSource

            cls = TLXSource
    return object.__new__(cls)


def is_installed() -> bool:
    """Tells whether Triton hands TLX kernels to us."""
    return getattr(ASTSource.__new__, "__module__", None) == __name__


def install() -> None:
    """Makes Triton hand TLX kernels to us. Further calls change nothing.

    Raises:
        VersionError: Triton, or another extension, chooses the class of sources
            in the way we do.
    """
    if not is_installed():
        if "__new__" in vars(ASTSource):
            from tlx.errors import VersionError

            raise VersionError(
                f"expects 'ASTSource.__new__' of triton {triton.__version__} to be "
                "undefined, but something has defined it"
            )
        ASTSource.__new__ = staticmethod(_new_source)  # type: ignore[method-assign]
    if not issubclass(backends["nvidia"].compiler, TLXCUDABackend):
        backends["nvidia"] = dataclasses.replace(
            backends["nvidia"], compiler=TLXCUDABackend
        )
    clusters.install()
    launches.install()
    tuning.install()


def _simulate_if_asked() -> None:
    """Lets the simulator run launches if TLX_SIMULATE or TRITON_INTERPRET say so.

    What the variables say is checked at the first launch: this must not keep Triton
    from being imported.
    """
    from tlx.backend import interception

    if triton.knobs.runtime.interpret:
        interception.watch_interpreter()
    if os.environ.get("TLX_SIMULATE", "0") in ("", "0"):
        return

    def launcher() -> interception.Launcher | None:
        from tlx.simulator.launch.simulate import is_asked_for, process_simulation

        return process_simulation() if is_asked_for() else None

    interception.all_launches_go_to(launcher)


def _add_alias() -> None:
    """Makes `import triton.language.extra.tlx` work in a source checkout.

    An installed package has a folder of that name, which Triton imports itself.
    """
    if ALIAS in sys.modules or importlib.util.find_spec(ALIAS) is not None:
        return
    alias = ModuleType(ALIAS, "Another name for `tlx`.")
    alias.__getattr__ = lambda name: getattr(sys.modules["tlx"], name)  # type: ignore[method-assign]
    alias.__dir__ = lambda: dir(sys.modules["tlx"])  # type: ignore[method-assign]
    # Its modules, such as `warp_spec`, are those of the folder that is installed.
    root = Path(str(sys.modules["tlx"].__file__)).parents[1]
    alias.__path__ = [str(root.joinpath(*ALIAS.split(".")))]
    sys.modules[ALIAS] = alias
    vars(sys.modules["triton.language.extra"])["tlx"] = alias


def activate() -> None:
    """Checks the installed Triton and makes it hand TLX kernels to us.

    Raises:
        VersionError: The installed Triton is not one that we support.
    """
    versions.check_number(triton.__version__)
    install()
    _simulate_if_asked()
    # Triton sets `language` when it is through with importing the languages.
    if hasattr(triton, "language"):
        _add_alias()


def force(kernel: _Kernel) -> _Kernel:
    """Returns a copy of a kernel that is compiled by us although it uses no TLX.

    The copy has caches of its own, and its entries on disk differ from those of
    the original, so both can be used side by side.

    Args:
        kernel: A `@triton.jit` function.
    """
    forced: Any = copy.copy(kernel)
    forced.device_caches = defaultdict(forced.create_binder)
    setattr(forced, FORCE_ATTRIBUTE, True)
    return forced
