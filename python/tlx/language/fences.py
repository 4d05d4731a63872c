# SPDX-License-Identifier: MIT
"""Memory fences."""

from __future__ import annotations

from typing import Any

from ._core import build, builtin, const_choice, require_capability

__all__ = ["fence", "fence_async_shared"]

SCOPES = ("async_shared", "gpu", "sys")


@builtin
def fence(scope: Any, _semantic: Any = None) -> None:
    """Order memory accesses.

    Args:
        scope: "async_shared" orders generic writes to shared memory before
            accesses by the asynchronous proxy (TMA, bulk copies, tensor core);
            "gpu" and "sys" order all accesses at that scope.

    Raises:
        ArgumentError: another scope.
        TargetError: the target is older than sm_90.

    Source: PTX ISA, `fence.proxy.async` and `fence.acq_rel`.
    """
    require_capability(_semantic, 90, "proxy fences")
    _fence(const_choice(scope, "scope", SCOPES), _semantic)


@builtin
def fence_async_shared(_semantic: Any = None) -> None:
    """Order generic writes to shared memory before asynchronous reads.

    The same as `fence("async_shared")`.

    Raises:
        TargetError: the target is older than sm_90.

    Source: PTX ISA, `fence.proxy.async`.
    """
    require_capability(_semantic, 90, "proxy fences")
    _fence("async_shared", _semantic)


def _fence(scope: str, semantic: Any) -> None:
    attributes = {"scope": f"{SCOPES.index(scope)} : i32"}
    build(semantic, "tlx.fence", [], [], attributes)
