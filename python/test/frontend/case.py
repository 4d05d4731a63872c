# SPDX-License-Identifier: MIT
"""What a plain `tl` kernel needs to be compiled: types and constants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Case:
    """One kernel with the types of its arguments.

    Args:
        kernel: the jit function.
        types: Triton's type of each argument that is no constant.
        constants: values of the constexpr arguments.
        since: first version of Triton that can compile it.
        capability: GPU that it is compiled for.
        options: compile options.
        aligned: arguments that are multiples of 16.
    """

    kernel: Any
    types: Mapping[str, str]
    constants: Mapping[str, Any] = field(default_factory=dict)
    since: tuple[int, int] = (3, 8)
    capability: int = 90
    options: Mapping[str, Any] = field(default_factory=dict)
    aligned: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name of the kernel."""
        return self.kernel.__name__


def collector() -> tuple[list[Case], Callable[..., Callable[[Any], Any]]]:
    """Make a list of cases and the decorator that fills it.

    The decorator takes the types as one string, "x=*fp32 n=i32", and everything
    else as `Case` does. It goes above `triton.jit`.
    """
    cases: list[Case] = []

    def case(types: str, **details: Any) -> Callable[[Any], Any]:
        pairs = dict(item.split("=", 1) for item in types.split())
        pairs = {name: text.replace(";", " ") for name, text in pairs.items()}

        def add(kernel: Any) -> Any:
            cases.append(Case(kernel, pairs, **details))
            return kernel

        return add

    return cases, case
