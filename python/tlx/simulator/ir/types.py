# SPDX-License-Identifier: MIT
"""Types of the values of a simulated program, read from MLIR's text.

Layouts of tensors decide which thread holds an element, not its value; types that
differ in them are equal. Of those in shared memory is left what says where a view may
begin.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

from tlx.errors import UnsupportedError

DTYPES: dict[str, np.dtype[Any]] = {
    "i1": np.dtype(np.bool_),
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "index": np.dtype(np.int64),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "f8E4M3FN": np.dtype(ml_dtypes.float8_e4m3fn),
    "f8E5M2": np.dtype(ml_dtypes.float8_e5m2),
    "f8E4M3FNUZ": np.dtype(ml_dtypes.float8_e4m3fnuz),
    "f8E5M2FNUZ": np.dtype(ml_dtypes.float8_e5m2fnuz),
    "f8E4M3B11FNUZ": np.dtype(ml_dtypes.float8_e4m3b11fnuz),
}
"""NumPy's type of each element type. Integers are signed; i1 is bool."""


@dataclasses.dataclass(frozen=True, slots=True)
class Scalar:
    """An integer or a float.

    Attributes:
        name: MLIR's name, like `i32` or `bf16`.
    """

    name: str

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's type."""
        return DTYPES[self.name]

    @property
    def is_integer(self) -> bool:
        """Integers, index included."""
        return self.name[0] == "i"

    @property
    def width(self) -> int:
        """Bits of one value."""
        if self.name == "i1":
            return 1
        return self.dtype.itemsize * 8

    def __str__(self) -> str:
        return self.name


@dataclasses.dataclass(frozen=True, slots=True)
class Pointer:
    """An address of global memory, as a 64-bit integer."""

    pointee: Type

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's type."""
        return np.dtype(np.int64)

    def __str__(self) -> str:
        return f"!tt.ptr<{self.pointee}>"


@dataclasses.dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor in registers.

    Attributes:
        shape: Extents, or None for a scalar operation applied to whole arrays, as in
            the body of a reduction.
        element: Type of an element.
        layout: As MLIR prints it; empty if there is none.
    """

    shape: tuple[int, ...] | None
    element: Scalar | Pointer
    layout: str = dataclasses.field(default="", compare=False)

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's type."""
        return self.element.dtype


@dataclasses.dataclass(frozen=True, slots=True)
class Descriptor:
    """A tensor descriptor: a box of elements in a tensor in global memory.

    Attributes:
        shape: Extents of the box.
        element: Type of an element.
        unsigned: Integers are compared without a sign.
    """

    shape: tuple[int, ...]
    element: Scalar
    unsigned: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class SharedLayout:
    """What a layout in shared memory says about addresses.

    Attributes:
        swizzle: Bytes of a row of a swizzled tile; 0 for none.
        transposed: Rows run along the last dimension but one.
        alignment: Bytes of which an allocation begins at a multiple; as Triton's
            encodings ask for.
    """

    swizzle: int = 0
    transposed: bool = False
    alignment: int = 16


@dataclasses.dataclass(frozen=True, slots=True)
class Buffer:
    """A buffer in shared or tensor memory, or a ring of them.

    Attributes:
        num: Buffers of the ring; 0 for a single buffer.
        shape: Extents of one buffer.
        element: Type of an element.
        storage: `smem`, `tmem` or `smemCluster`.
        layout: None if it is not decided yet.
    """

    num: int
    shape: tuple[int, ...]
    element: Scalar
    storage: str
    layout: SharedLayout | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Barrier:
    """One mbarrier (`num` = 0) or an array of them.

    Attributes:
        count: Arrivals that complete a phase.
        warp: Each thread of a task arrives for itself.
    """

    num: int
    count: int
    warp: bool


@dataclasses.dataclass(frozen=True, slots=True)
class Opaque:
    """A value without content, such as a token."""

    text: str


Type = Scalar | Pointer | Tensor | Descriptor | Buffer | Barrier | Opaque

_SIGN = re.compile(r"([su])i(?=\d+$)")
_RING = re.compile(r"\[(\d+)\] ?(.*)", re.DOTALL)
_SWIZZLE = re.compile(r"swizzlingByteWidth = (\d+), transposed = (true|false)")
_ALIGNMENT = re.compile(r"alignment = (\d+)")


def _split(text: str) -> list[str]:
    """Splits at the commas outside of all brackets."""
    parts, depth, start = [], 0, 0
    for i, character in enumerate(text):
        if character in "<[({":
            depth += 1
        elif character in ">])}" and text[i - 1] != "-":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    parts.append(text[start:].strip())
    return parts


def _shaped(text: str) -> tuple[tuple[int, ...], Scalar | Pointer]:
    """Splits `64x128xf16` into extents and element."""
    shape: list[int] = []
    while match := re.match(r"(\d+)x", text):
        shape.append(int(match[1]))
        text = text[match.end() :]
    element = parse(text)
    if not isinstance(element, Scalar | Pointer):
        raise UnsupportedError(f"the simulator has no tensors of '{text}'")
    return tuple(shape), element


def _scalars(text: str) -> tuple[tuple[int, ...], Scalar]:
    shape, element = _shaped(text)
    if not isinstance(element, Scalar):
        raise UnsupportedError(f"the simulator has no buffers of '{text}'")
    return shape, element


def _descriptor(parts: Sequence[str]) -> Descriptor:
    box = _split(parts[0].removeprefix("tensor<").rstrip(">"))[0]
    # Only here do integers have a sign: `64xsi8`, `64xui8`.
    match = _SIGN.search(box)
    return Descriptor(*_scalars(_SIGN.sub("i", box)), bool(match and match[1] == "u"))


def _layout(text: str) -> SharedLayout:
    if match := _SWIZZLE.search(text):
        swizzle = int(match[1])
        return SharedLayout(swizzle, match[2] == "true", 8 * max(swizzle, 16))
    match = _ALIGNMENT.search(text)
    return SharedLayout(alignment=int(match[1]) if match else 16)


def _buffer(parts: Sequence[str]) -> Buffer:
    num, text = 0, parts[0]
    if match := _RING.match(text):
        num, text = int(match[1]), match[2]
    shape, element = _scalars(text)
    layout = _layout(parts[2]) if len(parts) > 2 else None
    return Buffer(num, shape, element, parts[1], layout)


def _memdesc(parts: Sequence[str]) -> Buffer:
    shape, element = _scalars(parts[0])
    tensor_memory = any("tensor_memory" in part for part in parts[1:])
    if tensor_memory:
        return Buffer(0, shape, element, "tmem")
    return Buffer(0, shape, element, "smem", _layout(parts[1]))


def _barrier(parts: Sequence[str]) -> Barrier:
    num, parts = 0, list(parts)
    if match := _RING.match(parts[0]):
        num = int(match[1])
        parts = parts[1:] if not match[2] else [match[2], *parts[1:]]
    count = next(int(p.split("=")[1]) for p in parts if p.startswith("count"))
    return Barrier(num, count, "warp" in parts)


def parse(text: str) -> Type:
    """Returns the type that MLIR prints as `text`.

    Raises:
        UnsupportedError: The simulator has no values of this type.
    """
    if text in DTYPES:
        return Scalar(text)
    head, bracket, rest = text.partition("<")
    parts = _split(rest[:-1]) if bracket else []
    if head == "tensor":
        return Tensor(*_shaped(parts[0]), layout=", ".join(parts[1:]))
    if head == "!tt.ptr":
        return Pointer(parse(parts[0]))
    if head == "!tt.tensordesc":
        return _descriptor(parts)
    if head == "!tlx.buffer":
        return _buffer(parts)
    if head == "!ttg.memdesc":
        return _memdesc(parts)
    if head == "!tlx.barrier":
        return _barrier(parts)
    if head in ("!tlx.token", "!ttg.async.token") or head.startswith("!llvm."):
        return Opaque(head)
    raise UnsupportedError(f"the simulator has no values of type '{text}'")
