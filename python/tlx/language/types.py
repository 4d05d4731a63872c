# SPDX-License-Identifier: MIT
"""Values and types that a kernel handles: buffers, barriers, tokens.

A value wraps one IR handle; its type knows everything that is fixed at compile
time, so that values can be loop carried, captured by tasks, put in tuples and
passed to jit functions. Two types that differ mangle differently: a jit function
called with a ring of 2 and with a ring of 3 is generated twice.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from triton.language import core as tl

from ..errors import ArgumentError, Phrase
from ._core import const_index, dtype_bytes, member_builtin, to_i32, unwrap

__all__ = [
    "async_token",
    "async_token_type",
    "buffered_tensor",
    "buffered_tensor_type",
    "mbarrier",
    "mbarrier_type",
    "storage_kind",
]

# MLIR spelling of the element types; integers are signless.
_MLIR_ELEMENT = {
    "int1": "i1",
    "int8": "i8",
    "uint8": "i8",
    "int16": "i16",
    "uint16": "i16",
    "int32": "i32",
    "uint32": "i32",
    "int64": "i64",
    "uint64": "i64",
    "fp8e4nv": "f8E4M3FN",
    "fp8e4b8": "f8E4M3FNUZ",
    "fp8e4b15": "f8E4M3B11FNUZ",
    "fp8e5": "f8E5M2",
    "fp8e5b16": "f8E5M2FNUZ",
    "fp16": "f16",
    "bf16": "bf16",
    "fp32": "f32",
    "fp64": "f64",
}


class storage_kind(Enum):
    """Where a buffer lives: shared memory, tensor memory, or a peer CTA."""

    # Triton lets a kernel name a global only if it is marked or a constexpr.
    __triton_builtin__ = True

    smem = "smem"
    tmem = "tmem"
    smemCluster = "smemCluster"


def counted(number: int, noun: str) -> str:
    """Return "1 buffer", "2 buffers"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def mlir_element(dtype: tl.dtype) -> str:
    """Return the MLIR spelling of an element type."""
    return _MLIR_ELEMENT[str(dtype.name)]


def tensor_text(shape: list[int], dtype: tl.dtype) -> str:
    """Return the MLIR spelling of a layout-free tensor type."""
    dims = "x".join(str(dim) for dim in shape)
    return f"tensor<{dims}x{mlir_element(dtype)}>"


class HandleType(tl.base_type):
    """A type whose values are one IR handle.

    Subclasses define `key` (everything that makes two types different),
    `mlir` (the spelling of the IR type) and `wrap` (handle to value).
    """

    @property
    def key(self) -> tuple[Any, ...]:
        """Everything that makes two types different."""
        raise NotImplementedError

    @property
    def mlir(self) -> str:
        """Spelling of the IR type."""
        raise NotImplementedError

    @property
    def words(self) -> str:
        """What messages call a value of the type, with all that makes it differ."""
        raise NotImplementedError

    def wrap(self, handle: Any) -> tl.base_value:
        """Return the value of an IR handle."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.key == other.key  # type: ignore[attr-defined]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.key))

    def __repr__(self) -> str:
        return self.mlir

    def to_ir(self, builder: Any) -> Any:
        """Return the IR type."""
        return builder.parse_type(self.mlir)

    def _unflatten_ir(self, handles: list[Any], cursor: int) -> tuple[Any, int]:
        return self.wrap(handles[cursor]), cursor + 1

    def _flatten_ir_types(self, builder: Any, out: list[Any]) -> None:
        out.append(self.to_ir(builder))


class HandleValue(tl.base_value):
    """A value that is one IR handle."""

    handle: Any
    type: Any

    def _flatten_ir(self, handles: list[Any]) -> None:
        handles.append(self.handle)

    def _set_name(self, builder: Any, name: str) -> None:
        self.handle.set_loc(builder.create_name_loc(name, self.handle.get_loc()))

    def __str__(self) -> str:
        return str(self.type.words)


class buffered_tensor_type(HandleType):
    """Type of `buffered_tensor`.

    Args:
        element_ty: element type.
        shape: shape of one buffer, without `num`.
        num: number of buffers of a ring, 0 for one buffer.
        storage: where it lives.
        layout: layout that the user pinned, or None.
        is_part: whether it is a slice. What is lowered for one says what it is a
            slice of, so it cannot become one value with another buffer.
    """

    def __init__(
        self,
        element_ty: tl.dtype,
        shape: Any,
        num: Any,
        storage: storage_kind,
        layout: Any = None,
        is_part: bool = False,
    ) -> None:
        self.is_part = is_part
        self.element_ty = element_ty
        self.shape: list[int] = list(unwrap(shape))
        self.num: int = unwrap(num)
        self.storage = storage
        self.layout = layout

    @property
    def scalar(self) -> tl.dtype:
        """Element type."""
        return self.element_ty

    @property
    def nbytes(self) -> int:
        """Size of one buffer in bytes."""
        size = dtype_bytes(self.element_ty)
        for dim in self.shape:
            size *= dim
        return size

    @property
    def key(self) -> tuple[Any, ...]:
        """Everything that makes two types different."""
        layout = None if self.layout is None else str(self.layout)
        shape = tuple(self.shape)
        kind = (self.element_ty.name, shape, self.num, self.storage)
        return (*kind, layout, self.is_part)

    @property
    def mlir(self) -> str:
        """Spelling of the IR type."""
        dims = "".join(f"{dim}x" for dim in self.shape)
        ring = f"[{self.num}] " if self.num else ""
        layout = "" if self.layout is None else f", {self.layout.to_mlir(self.shape)}"
        element = mlir_element(self.element_ty)
        return f"!tlx.buffer<{ring}{dims}{element}, {self.storage.value}{layout}>"

    @property
    def words(self) -> str:
        """What messages call a value of the type, with all that makes it differ."""
        dims = ", ".join(str(dim) for dim in self.shape)
        tile = f"{self.element_ty}[{dims}]"
        pinned = "" if self.layout is None else f" with the layout {self.layout}"
        if self.num:
            return f"a ring of {counted(self.num, 'buffer')} of {tile}{pinned}"
        if self.is_part:
            return f"a slice of a buffer, {tile}{pinned}"
        return f"a buffer of {tile}{pinned}"

    def wrap(self, handle: Any) -> buffered_tensor:
        """Return the value of an IR handle."""
        value = buffered_tensor(
            handle, self.element_ty, self.shape, self.num, self.storage, self.layout
        )
        value.type = self
        return value

    def with_shape(self, shape: list[int]) -> buffered_tensor_type:
        """Type of one buffer of another shape, without a pinned layout."""
        return buffered_tensor_type(
            self.element_ty, shape, 0, self.storage, None, self.is_part
        )

    def part(self, shape: list[int]) -> buffered_tensor_type:
        """Type of a slice of one buffer."""
        result = self.with_shape(shape)
        result.is_part = self.is_part or shape != self.shape
        return result

    def slot(self) -> buffered_tensor_type:
        """Type of one buffer of the ring."""
        return buffered_tensor_type(
            self.element_ty, self.shape, 0, self.storage, self.layout
        )

    def mangle(self) -> str:
        """Return the part of a function name that stands for this type."""
        dims = "x".join(str(dim) for dim in self.shape)
        text = f"B{self.num}_{dims}_{self.element_ty.mangle()}_{self.storage.value}"
        text += "_P" if self.is_part else ""
        return text if self.layout is None else f"{text}_{self.layout.mangle()}"


class buffered_tensor(HandleValue):
    """One on-chip buffer, or a ring of `num` equal ones.

    `buf[i]` selects one buffer of a ring, or an entry of the first dimension of
    a single buffer. `num` is 0 for a single buffer.
    """

    def __init__(
        self,
        handle: Any,
        element_ty: tl.dtype,
        shape: Any,
        num: Any,
        storage: storage_kind,
        layout: Any = None,
    ) -> None:
        super().__init__()
        self.handle = handle
        self.type = buffered_tensor_type(element_ty, shape, num, storage, layout)

    @property
    def shape(self) -> list[int]:
        """Shape of one buffer."""
        return self.type.shape

    @property
    def num(self) -> int:
        """Number of buffers of a ring, 0 for one buffer."""
        return self.type.num

    @property
    def dtype(self) -> tl.dtype:
        """Element type."""
        return self.type.element_ty

    @property
    def rank(self) -> int:
        """Number of dimensions of one buffer."""
        return len(self.type.shape)

    @member_builtin("buffer[index]")
    def __getitem__(self, index: Any, _semantic: Any = None) -> buffered_tensor:
        # Views are made of these types, so they cannot be imported above.
        from .views import view_buffer

        return view_buffer(self, index, _semantic)


class mbarrier_type(HandleType):
    """Type of `mbarrier`.

    Args:
        num: length of the array, 0 for one barrier.
        layout: unused, kept for the argument order of the public class.
        storage: where it lives.
        is_warp_barrier: whether every thread arrives.
        arrive_count: arrivals that complete a phase.
    """

    def __init__(
        self,
        num: Any,
        layout: Any = None,
        storage: storage_kind = storage_kind.smem,
        is_warp_barrier: bool = False,
        arrive_count: int = 1,
    ) -> None:
        self.num: int = unwrap(num)
        self.layout = layout
        self.storage = storage
        self.is_warp_barrier: bool = bool(unwrap(is_warp_barrier))
        self.arrive_count: int = unwrap(arrive_count)

    @property
    def key(self) -> tuple[Any, ...]:
        """Everything that makes two types different."""
        return (self.num, self.storage, self.is_warp_barrier, self.arrive_count)

    @property
    def mlir(self) -> str:
        """Spelling of the IR type."""
        ring = f"[{self.num}], " if self.num else ""
        warp = ", warp" if self.is_warp_barrier else ""
        return f"!tlx.barrier<{ring}count = {self.arrive_count}{warp}>"

    @property
    def words(self) -> str:
        """What messages call a value of the type, with all that makes it differ."""
        kind = "warp barrier" if self.is_warp_barrier else "barrier"
        arrivals = counted(self.arrive_count, "arrival")
        if self.num:
            return f"an array of {counted(self.num, kind)} of {arrivals}"
        return f"a {kind} of {arrivals}"

    def wrap(self, handle: Any) -> mbarrier:
        """Return the value of an IR handle."""
        return mbarrier(
            handle,
            self.num,
            self.layout,
            self.storage,
            self.is_warp_barrier,
            self.arrive_count,
        )

    def slot(self) -> mbarrier_type:
        """Type of one barrier of the array."""
        return mbarrier_type(
            0, self.layout, self.storage, self.is_warp_barrier, self.arrive_count
        )

    def mangle(self) -> str:
        """Return the part of a function name that stands for this type."""
        kind = "W" if self.is_warp_barrier else "M"
        return f"{kind}BAR{self.num}_{self.arrive_count}_{self.storage.value}"


class mbarrier(HandleValue):
    """One mbarrier in shared memory, or an array of `num` ones.

    `bars[i]` selects one barrier of an array. `num` is 0 for one barrier.
    """

    def __init__(
        self,
        handle: Any,
        num: Any,
        layout: Any = None,
        storage: storage_kind = storage_kind.smem,
        is_warp_barrier: bool = False,
        arrive_count: int = 1,
    ) -> None:
        super().__init__()
        self.handle = handle
        self.type = mbarrier_type(num, layout, storage, is_warp_barrier, arrive_count)

    @property
    def num(self) -> int:
        """Length of the array, 0 for one barrier."""
        return self.type.num

    @property
    def is_warp_barrier(self) -> bool:
        """Whether every thread arrives."""
        return self.type.is_warp_barrier

    @property
    def arrive_count(self) -> int:
        """Arrivals that complete a phase."""
        return self.type.arrive_count

    @member_builtin("barrier[index]")
    def __getitem__(self, index: Any, _semantic: Any = None) -> mbarrier:
        return view_barrier(self, index, _semantic)


def view_barrier(bars: mbarrier, index: Any, semantic: Any) -> mbarrier:
    """Select one barrier of an array."""
    if bars.num == 0:
        raise ArgumentError("cannot be applied to one barrier: it has no slots")
    handle = slot_index(index, bars.num, semantic)
    slot = bars.type.slot()
    op = semantic.builder.create(
        "tlx.barrier_view", [bars.handle, handle], [slot.to_ir(semantic.builder)], {}, 0
    )
    return slot.wrap(op.get_result(0))


def check_one_index(index: Any, hint: str = "") -> None:
    """Reject a slice, or several indices.

    Args:
        index: what stands between the brackets, without constexprs.
        hint: the way out, the end of the message.
    """
    if isinstance(index, (list, tl.slice)):
        found = Phrase("a slice") if isinstance(index, tl.slice) else index
        error = ArgumentError.expects("index", "one integer", found)
        error.message += hint
        raise error


def slot_index(index: Any, num: int, semantic: Any) -> Any:
    """Return the handle of a slot number after checking a constant one."""
    plain = unwrap(index)
    check_one_index(plain)
    const_index(plain, "index", num)
    return to_i32(plain, "index", semantic)


class async_token_type(HandleType):
    """Type of `async_token`."""

    @property
    def key(self) -> tuple[Any, ...]:
        """Everything that makes two types different."""
        return ()

    @property
    def mlir(self) -> str:
        """Spelling of the IR type."""
        return "!tlx.token"

    @property
    def words(self) -> str:
        """What messages call a value of the type, with all that makes it differ."""
        return "a token"

    def wrap(self, handle: Any) -> async_token:
        """Return the value of an IR handle."""
        return async_token(handle)

    def mangle(self) -> str:
        """Return the part of a function name that stands for this type."""
        return "TOKEN"


class async_token(HandleValue):
    """Orders an asynchronous copy before its wait; holds no data."""

    def __init__(self, handle: Any) -> None:
        super().__init__()
        self.handle = handle
        self.type = async_token_type()
