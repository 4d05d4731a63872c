# SPDX-License-Identifier: MIT
"""Lets tensor descriptors be made of NumPy arrays while launches are simulated.

Triton's classes ask their tensor for what arrays do not have. While there is a
launcher, two of their functions are replaced: the one that makes a descriptor of a
tensor, and the one that checks a descriptor.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

from triton.tools.tensor_descriptor import TensorDescriptor

_GLUON = "triton.experimental.gluon.nvidia.hopper"
# What stood in the place of ours, by class.
_originals: dict[type[Any], tuple[Callable[..., Any], Callable[..., Any]]] = {}


def _classes() -> Iterator[type[Any]]:
    yield TensorDescriptor
    # Importing it takes a complete Triton.
    gluon: Any = sys.modules.get(_GLUON)
    kind = getattr(gluon, "TensorDescriptor", None)
    if kind is not None:
        yield kind


def _is_array(value: object) -> bool:
    numpy: Any = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray)


def replace(is_simulated: Callable[[], bool]) -> None:
    """Makes the classes take arrays; further calls find classes imported since.

    Args:
        is_simulated: Whether launches of this thread are.
    """
    for kind in _classes():
        if kind not in _originals:
            _replace(kind, is_simulated)


def _replace(kind: type[Any], is_simulated: Callable[[], bool]) -> None:
    check, make = kind.__post_init__, kind.from_tensor
    _originals[kind] = (check, make)

    @functools.wraps(make)
    def from_tensor(tensor: Any, *args: Any, **keywords: Any) -> Any:
        if is_simulated() and _is_array(tensor):
            from tlx.simulator.launch.descriptors import base_of

            tensor = base_of(tensor)
        return make(tensor, *args, **keywords)

    @functools.wraps(check)
    def post_init(self: Any) -> None:
        if not is_simulated() or not _is_array(self.base):
            check(self)
            return
        from tlx.simulator.launch.descriptors import prepared

        with prepared(self):
            check(self)

    kind.from_tensor = staticmethod(from_tensor)
    kind.__post_init__ = post_init


def restore() -> None:
    """Puts back what was there."""
    for kind, (check, make) in _originals.items():
        kind.from_tensor = staticmethod(make)
        kind.__post_init__ = check
    _originals.clear()
