# SPDX-License-Identifier: MIT
"""The compiler: front end (visitor, builder) and runs of our passes.

Triton imports `tlx` while it is itself being imported, so nothing here may
import Triton's code generator before the first compilation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tlx.compiler.frontend import make_tlxir

__all__ = ["make_tlxir"]


def __getattr__(name: str) -> Any:
    if name == "make_tlxir":
        from tlx.compiler.frontend import make_tlxir

        return make_tlxir
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
