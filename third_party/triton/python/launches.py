# SPDX-License-Identifier: MIT
"""Checks the options of a launch before Triton's parser sees them."""

from __future__ import annotations

import functools
from typing import Any

from triton.runtime.jit import JITFunction

from tlx.backend.cuda import TLXCUDABackend
from tlx.backend.detect import uses_tlx


def _check(kernel: Any, backend: Any, keywords: dict[str, Any]) -> None:
    from tlx.backend import options as launch_options

    given = {k: v for k, v in keywords.items() if k not in kernel.arg_names}
    launch_options.check(given)
    # Parsing may change what it is given.
    known = vars(backend.parse_options(dict(given)))
    launch_options.check_names(given, known, kernel.arg_names, kernel.__name__)


def install() -> None:
    """Makes launches of TLX kernels check their options, once for each compilation.

    Further calls change nothing.
    """
    original: Any = JITFunction._pack_args
    if getattr(original, "__module__", None) == __name__:
        return

    @functools.wraps(original, assigned=("__doc__", "__name__", "__qualname__"))
    def pack_args(
        self: Any,
        backend: Any,
        kwargs: dict[str, Any],
        bound_args: dict[str, Any],
        *others: Any,
    ) -> Any:
        constants = (bound_args.get(p.name) for p in self.params if p.is_constexpr)
        if isinstance(backend, TLXCUDABackend) and uses_tlx(self, constants):
            _check(self, backend, kwargs)
        return original(self, backend, kwargs, bound_args, *others)

    JITFunction._pack_args = pack_args  # type: ignore[method-assign]
