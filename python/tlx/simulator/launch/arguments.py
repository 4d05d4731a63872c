# SPDX-License-Identifier: MIT
"""From the arguments of a launch to the values of the kernel's parameters."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from tlx.backend import names
from tlx.backend.binding import Bound
from tlx.errors import ArgumentError, Phrase, TLXError, UnsupportedError
from tlx.simulator.launch.driver_rules import check_descriptor
from tlx.simulator.launch.dtypes import BY_TRITON_NAME, triton_name
from tlx.simulator.launch.storage import Pointer, map_all, pointer_to
from tlx.simulator.machine.descriptor import TensorDescriptor
from tlx.simulator.machine.global_memory import GlobalMemory

_EXPECTED = (
    "an array, a tensor descriptor, a number, None or a tuple of such, or a parameter "
    "marked tl.constexpr"
)


def _unsupported(parameter: str, value: object) -> TLXError:
    kind = type(value)
    name = kind.__qualname__
    if kind.__module__ != "builtins":
        name = f"{kind.__module__}.{name}"
    hint = ""
    if isinstance(value, np.generic):
        # Triton does not take NumPy's numbers either.
        hint = f"; pass {type(value.item()).__name__}({parameter})"
    return ArgumentError.expects(
        parameter, _EXPECTED, Phrase(f"an object of type {name}{hint}")
    )


class Arguments:
    """The arguments of one launch.

    Attributes:
        original: As the user wrote them, by parameter.
        values: The same with arrays replaced by pointers, for Triton.
        memory: Where the arrays are mapped.
    """

    def __init__(self, kernel: Any, original: Mapping[str, Any]) -> None:
        constants = {p.name for p in kernel.params if p.is_constexpr}
        self._pointers: list[Pointer] = []
        self._descriptors: list[tuple[str, Any]] = []
        self.original = dict(original)
        self.values = {
            name: value if name in constants else self._convert(name, value)
            for name, value in original.items()
        }
        self.memory = GlobalMemory()
        map_all(self._pointers, self.memory)
        for name, descriptor in self._descriptors:
            check_descriptor(name, descriptor)

    def _convert(self, name: str, value: object) -> Any:
        """Returns a value for Triton; remembers the pointers in it."""
        if value is None or isinstance(value, (bool, int, float)):
            return value
        if isinstance(value, tuple):
            items = [self._convert(f"{name}[{i}]", x) for i, x in enumerate(value)]
            # Tuples with named fields keep them.
            make: Callable[..., Any] = getattr(type(value), "_make", tuple)
            return make(items)
        if isinstance(value, (names.TensorDescriptor, names.GluonTensorDescriptor)):
            return self._convert_descriptor(name, value)
        if type(value).__name__ == "constexpr" or isinstance(value, names.JITCallable):
            return value
        pointer = self._pointer(name, value)
        if pointer is None:
            raise _unsupported(name, value)
        return pointer

    def _pointer(self, name: str, value: object) -> Pointer | None:
        if isinstance(value, names.TensorWrapper):
            # What triton.reinterpret returns: the bytes under another type.
            pointer = self._pointer(name, value.base)
            if pointer is not None:
                pointer.dtype = triton_name(name, value.dtype)
            return pointer
        pointer = pointer_to(name, value)
        if pointer is not None:
            self._pointers.append(pointer)
        return pointer

    def _convert_descriptor(self, name: str, value: Any) -> Any:
        base = self._pointer(name, value.base)
        if base is None:
            raise _unsupported(f"{name}.base", value.base)
        if value.round_f32_to_tf32:
            raise UnsupportedError(
                f"expects '{name}' not to round to tf32: the simulator cannot do that"
            )
        converted = copy.copy(value)
        converted.base = base
        self._descriptors.append((name, converted))
        return converted


def _float(kind: str) -> Callable[[Any], Any]:
    return BY_TRITON_NAME[kind].type


def _descriptor_values(value: Any, is_whole: bool) -> Iterator[Any]:
    """Yields a descriptor, or what it is made of, and the numbers that follow it."""
    shape = tuple(int(extent) for extent in value.shape)
    strides = tuple(int(stride) for stride in value.strides)
    nan_fill = value.padding == "nan"
    if is_whole:
        yield TensorDescriptor(
            value.base.address,
            shape,
            strides,
            tuple(int(extent) for extent in value.block_shape),
            BY_TRITON_NAME[value.base.dtype],
            nan_fill=nan_fill,
        )
    else:
        yield value.base.address
        yield from shape
        yield from strides
        yield int(nan_fill)
        yield int(value.round_f32_to_tf32)
    yield from shape
    yield from strides


def _values(kind: Any, value: Any, are_whole: bool) -> Iterator[Any]:
    """Yields the values of the kernel's parameters for one argument.

    Args:
        kind: Triton's type of the argument; for a tuple, a tuple.
        value: The argument, with pointers for arrays.
        are_whole: Descriptors are parameters.
    """
    if isinstance(kind, tuple):
        for inner_kind, inner in zip(kind, value, strict=True):
            yield from _values(inner_kind, inner, are_whole)
    elif kind == "constexpr":
        return
    elif kind.startswith("tensordesc"):
        yield from _descriptor_values(value, are_whole)
    elif kind.startswith("*"):
        yield value.address
    elif kind.startswith(("fp", "bf")):
        yield _float(kind)(value)
    else:
        yield int(value)


def parameter_values(bound: Bound, takes_descriptors: bool = True) -> list[Any]:
    """Returns one value for each parameter of the compiled kernel.

    Args:
        bound: The kernel with its arguments.
        takes_descriptors: Tensor descriptors are parameters. Triton passes what they
            are made of to GPUs that have none.
    """
    return [
        value
        for name, kind in bound.signature.items()
        for value in _values(kind, bound.values[name], takes_descriptors)
    ]
