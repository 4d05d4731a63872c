# SPDX-License-Identifier: MIT
"""Tensor descriptors in memory that the kernel chooses.

ptrs = tlx.allocate_tensor_descriptor(2)
tlx.make_tensor_descriptor(ptrs[i], base, shape, strides, block_shape)
desc = tlx.reinterpret_tensor_descriptor(ptrs[i], block_shape, dtype)
"""

from __future__ import annotations

from typing import Any

from triton.language import core as tl

from ..errors import ArgumentError, ShapeError
from ..tensormap import ALIGNMENT, DESCRIPTOR_BYTES
from ._core import (
    MAX_I32,
    build,
    builtin,
    const_dtype,
    const_int,
    const_shape,
    dtype_bytes,
    is_scalar,
    member_builtin,
    require_capability,
    segments,
    to_i32,
    unwrap,
)
from .types import HandleType, HandleValue, counted, slot_index

__all__ = [
    "allocate_tensor_descriptor",
    "reinterpret_tensor_descriptor",
    "tensor_descriptor_ptr",
    "tensor_descriptor_ptr_type",
]

_POINTER = "!tt.ptr<i8>"


class tensor_descriptor_ptr_type(HandleType):
    """Type of `tensor_descriptor_ptr`.

    Args:
        num: number of descriptors.
        size: bytes of one.
    """

    def __init__(self, num: Any, size: Any = DESCRIPTOR_BYTES) -> None:
        self.num: int = unwrap(num)
        self.size: int = unwrap(size)

    @property
    def key(self) -> tuple[Any, ...]:
        """Everything that makes two types different."""
        return (self.num, self.size)

    @property
    def mlir(self) -> str:
        """Spelling of the IR type."""
        return _POINTER

    @property
    def words(self) -> str:
        """What messages call a value of the type, with all that makes it differ."""
        return f"a pointer to {counted(self.num, 'tensor descriptor')}"

    def wrap(self, handle: Any) -> tensor_descriptor_ptr:
        """Return the value of an IR handle."""
        return tensor_descriptor_ptr(handle, self.num, self.size)

    def mangle(self) -> str:
        """Return the part of a function name that stands for this type."""
        return f"TDP{self.num}_{self.size}"


class tensor_descriptor_ptr(HandleValue):
    """Points to `num` tensor descriptors in memory, that is, to the first.

    `ptr[i]` points to another one.
    """

    def __init__(self, handle: Any, num: Any, size: Any = DESCRIPTOR_BYTES) -> None:
        super().__init__()
        self.handle = handle
        self.type = tensor_descriptor_ptr_type(num, size)

    @property
    def num(self) -> int:
        """Number of descriptors."""
        return self.type.num

    @member_builtin("descriptor_ptr[index]")
    def __getitem__(self, index: Any, _semantic: Any = None) -> tensor_descriptor_ptr:
        offset = tl.tensor(slot_index(index, self.num, _semantic), tl.int32)
        step = _semantic.mul(offset, self.type.size, sanitize_overflow=False)
        base = tl.tensor(self.handle, tl.pointer_type(tl.int8))
        moved = _semantic.add(base, step, sanitize_overflow=False)
        return tensor_descriptor_ptr(moved.handle, 1, self.type.size)


@builtin
def allocate_tensor_descriptor(
    num: Any, _semantic: Any = None
) -> tensor_descriptor_ptr:
    """Allocate global memory for tensor descriptors.

    Each program has its own. The memory comes at the launch, from the function
    that `triton.set_allocator` has set, else from torch.

    Args:
        num: number of descriptors, a constexpr of at least 1.

    Returns:
        A pointer to the first; `ptr[i]` points to descriptor `i`.

    Raises:
        ArgumentError: `num` is not a positive constexpr, or too large.
        TargetError: the target is older than sm_90.
    """
    require_capability(_semantic, 90, "tensor memory accelerator")
    count = const_int(num, "num", least=1, most=MAX_I32 // DESCRIPTOR_BYTES)
    (handle,) = build(
        _semantic,
        "ttg.global_scratch_alloc",
        [],
        [_POINTER],
        {
            "nbytes": f"{count * DESCRIPTOR_BYTES} : i32",
            "alignment": f"{DESCRIPTOR_BYTES} : i32",
        },
    )
    return tensor_descriptor_ptr(handle, count)


@builtin
def reinterpret_tensor_descriptor(
    desc_ptr: Any, block_shape: Any, dtype: Any, _semantic: Any = None
) -> tl.tensor_descriptor_base:
    """Use a tensor descriptor that is in memory.

    The descriptor has to be complete: if another task made it, put a barrier
    between.

    Args:
        desc_ptr: result of `allocate_tensor_descriptor`, or a pointer to int8 or
            uint8.
        block_shape: shape of a tile, as when it was made.
        dtype: element type, as when it was made.

    Returns:
        The descriptor.

    Raises:
        ArgumentError: `desc_ptr` is no such pointer.
        ShapeError: a row of the tile has less than 16 bytes.
        TargetError: the target is older than sm_90.

    Source: PTX ISA, `fence.proxy.tensormap`.
    """
    require_capability(_semantic, 90, "tensor memory accelerator")
    pointer = storage_pointer(desc_ptr, "desc_ptr")
    element = const_dtype(dtype, "dtype")
    tile = tile_shape(block_shape, element)
    block = tl.block_type(element, tile)
    handle = _create(
        _semantic, "tlx.reinterpret_tensor_descriptor", [pointer], block, {}
    )
    return tl.tensor_descriptor_base(handle, block)


def tile_shape(value: Any, element: tl.dtype) -> list[int]:
    """Return the shape of a tile with rows that are long enough."""
    tile = const_shape(value, "block_shape")
    row = tile[-1] * dtype_bytes(element)
    # Powers of two, so these are the multiples.
    if row < ALIGNMENT:
        raise ShapeError.expects(
            "block_shape[-1]", f"of at least {ALIGNMENT} bytes", row
        )
    return tile


def storage_pointer(value: Any, name: str) -> Any:
    """Return the handle of a pointer to descriptors."""
    plain = unwrap(value)
    if isinstance(plain, tensor_descriptor_ptr):
        return plain.handle
    if (
        is_scalar(plain)
        and plain.dtype.is_ptr()
        and plain.dtype.element_ty in (tl.int8, tl.uint8)
    ):
        return plain.handle
    raise ArgumentError.expects(
        name, "a result of tlx.allocate_tensor_descriptor or a pointer to int8", plain
    )


def make_in_storage(
    pointer: Any,
    base: Any,
    shape: list[Any],
    strides: list[Any],
    tile: list[int],
    padding: str,
    semantic: Any,
) -> tl.tensor_descriptor:
    """Create a descriptor at a pointer; the arguments have been checked."""
    extents = [
        tl.tensor(to_i32(extent, f"shape[{dim}]", semantic), tl.int32)
        for dim, extent in enumerate(shape)
    ]
    steps = [
        semantic.cast(semantic.to_tensor(unwrap(step)), tl.int64) for step in strides
    ]
    block = tl.block_type(base.dtype.element_ty, tile)
    # The last stride is 1.
    operands = [
        pointer,
        base.handle,
        *[extent.handle for extent in extents],
        *[step.handle for step in steps[:-1]],
    ]
    attributes = {
        "operandSegmentSizes": segments(1, 1, len(extents), len(steps) - 1),
        "padding": f"{2 if padding == 'nan' else 1} : i32",
    }
    handle = _create(
        semantic, "tlx.make_tensor_descriptor", operands, block, attributes
    )
    return tl.tensor_descriptor(handle, extents, steps, block)


def _create(
    semantic: Any,
    name: str,
    operands: list[Any],
    block: tl.block_type,
    attributes: dict[str, str],
) -> Any:
    builder = semantic.builder
    result = builder.create_tensor_descriptor_type(
        block.to_ir(builder), block.element_ty.is_int_signed()
    )
    attrs = {key: builder.parse_attr(text) for key, text in attributes.items()}
    return builder.create(name, operands, [result], attrs, 0).get_result(0)
