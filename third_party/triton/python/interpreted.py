# SPDX-License-Identifier: MIT
"""Kernels under `TRITON_INTERPRET=1`, made fit for a compiler again.

With that variable `@triton.jit` makes objects that Triton's interpreter runs, of the
user's kernels as of the functions of `tl` itself. The interpreter knows nothing of TLX.
So where a kernel of ours is launched, it and everything it refers to is replaced by
what `@triton.jit` would have made without the variable, for our compiler's eyes only.
"""

from __future__ import annotations

import hashlib
import weakref
from typing import Any

from triton import language as tl
from triton.compiler.code_generator import BoundJITMethod
from triton.runtime.interpreter import InterpretedFunction

from tlx.backend import names


class _Compiled(names.JITFunction):
    """A jit function that sees other jit functions where interpreted ones are."""

    @property
    def cache_key(self) -> str:
        # Triton's own looks at what the function refers to, and finds it wanting.
        return hashlib.sha256(f"{self._fn_name}{self._src}".encode()).hexdigest()

    def get_capture_scope(self) -> dict[str, Any]:
        scope = super().get_capture_scope()
        return {name: compiled(value) for name, value in scope.items()}


_compiled: weakref.WeakKeyDictionary[InterpretedFunction[Any], _Compiled] = (
    weakref.WeakKeyDictionary()
)


def compiled(value: Any) -> Any:
    """Returns the jit function for an interpreted one; other values as they are."""
    if not isinstance(value, InterpretedFunction):
        return value
    if value not in _compiled:
        function = _Compiled(value.fn, **value.kwargs)
        function.pre_run_hooks = value.pre_run_hooks
        _compiled[value] = function
    return _compiled[value]


def compiled_attribute(owner: Any, name: str, found: Any) -> Any:
    """Returns what a kernel means by an attribute.

    Args:
        owner: Whose attribute it is.
        name: Its name.
        found: What Python finds there.
    """
    if isinstance(owner, names.tensor):
        # A method such as `x.sum()` hides the function behind a wrapper.
        function = getattr(tl, name, None)
        if isinstance(function, InterpretedFunction):
            return BoundJITMethod(owner, compiled(function))
    return compiled(found)
