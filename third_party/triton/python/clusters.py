# SPDX-License-Identifier: MIT
"""Lets launches and configurations have the option `ctas_per_cga`.

Kernels written for Meta's TLX give the shape of a cluster with it. Triton has no such
option: its `triton.Config` rejects the keyword, and so does a launch.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from triton.runtime.autotuner import Config

OPTION = "ctas_per_cga"
_DIMENSIONS = 3


def check(shape: object) -> tuple[int, ...]:
    """Returns the shape of a cluster; None stands for a single CTA.

    Raises:
        ArgumentError: It is none.
        UnsupportedError: The cluster has more than one CTA.
    """
    from tlx.backend.failures import as_config_failure
    from tlx.errors import ArgumentError, UnsupportedError

    if shape is None:
        return (1,) * _DIMENSIONS
    if not (
        isinstance(shape, Sequence)
        and len(shape) == _DIMENSIONS
        and all(isinstance(size, int) and size > 0 for size in shape)
    ):
        raise ArgumentError.expects(OPTION, "three positive integers", shape)
    if any(size != 1 for size in shape):
        raise as_config_failure(
            UnsupportedError(
                f"expects '{OPTION}' to be (1, 1, 1), but got {tuple(shape)}: clusters "
                "are not supported"
            )
        )
    return tuple(shape)


def install() -> None:
    """Makes `triton.Config` take the option. Further calls change nothing."""
    original: Any = Config.__init__
    if getattr(original, "__module__", None) == __name__:
        return

    @functools.wraps(original, assigned=("__doc__", "__name__", "__qualname__"))
    def init(
        self: Any,
        kwargs: dict[str, Any],
        *args: Any,
        ctas_per_cga: Sequence[int] | None = None,
        **options: Any,
    ) -> None:
        if ctas_per_cga is not None:
            # What is in there goes to the launch, which takes it for an option.
            kwargs = {**kwargs, OPTION: tuple(ctas_per_cga)}
        original(self, kwargs, *args, **options)

    Config.__init__ = init  # type: ignore[method-assign]
