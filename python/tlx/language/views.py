# SPDX-License-Identifier: MIT
"""Views of buffers: the same bytes under another shape, order or type."""

from __future__ import annotations

import math
from typing import Any

from ..errors import (
    ArgumentError,
    Phrase,
    ShapeError,
    TargetError,
    describe,
)
from ._core import (
    build,
    builtin,
    const_dtype,
    const_index,
    const_int,
    const_shape,
    dtype_bytes,
    unwrap,
)
from .layouts import shared_layout_encoding
from .types import (
    buffered_tensor,
    buffered_tensor_type,
    check_one_index,
    slot_index,
    storage_kind,
)

__all__ = [
    "local_reinterpret",
    "local_reshape",
    "local_slice",
    "local_trans",
    "subslice",
]


def view_buffer(buf: buffered_tensor, index: Any, semantic: Any) -> buffered_tensor:
    """Select one buffer of a ring, or an entry of one buffer."""
    check_one_index(
        unwrap(index), "; tlx.local_slice(buffer, offset, shape) is a part of a buffer"
    )
    if buf.num == 0:
        return _entry(buf, index, semantic)
    handle = slot_index(index, buf.num, semantic)
    slot = buf.type.slot()
    (result,) = build(semantic, "tlx.local_view", [buf.handle, handle], [slot.mlir])
    return slot.wrap(result)


def _entry(buf: buffered_tensor, index: Any, semantic: Any) -> buffered_tensor:
    if buf.rank > 1:
        view = smem_buffer(buf, "buf", semantic)
        handle = slot_index(index, buf.shape[0], semantic)
        entry = buf.type.with_shape(buf.shape[1:])
        (result,) = build(
            semantic, "tlx.local_index", [view.handle, handle], [entry.mlir]
        )
        return entry.wrap(result)
    position = const_index(index, "index", buf.shape[0])
    if position is None:
        raise ArgumentError.expects(
            "index", "a constexpr, because the buffer is not a ring", unwrap(index)
        )
    return _slice(buf, [position], [1], semantic)


def one_buffer(value: Any, name: str, semantic: Any) -> buffered_tensor:
    """Return a single buffer; the only one of a ring of 1 stands for itself."""
    if not isinstance(value, buffered_tensor):
        raise ArgumentError.expects(name, "a buffer", value)
    if value.num == 1:
        return view_buffer(value, 0, semantic)
    if value.num > 1:
        raise ArgumentError.expects(
            name,
            "one buffer, such as buf[i]",
            Phrase(f"a ring of {value.num} buffers"),
        )
    return value


def smem_buffer(value: Any, name: str, semantic: Any) -> buffered_tensor:
    """Return a single buffer in shared memory."""
    view = one_buffer(value, name, semantic)
    if view.type.storage is not storage_kind.smem:
        raise ArgumentError.expects(
            name, "a buffer in shared memory", view.type.storage.value
        )
    return view


@builtin
def local_trans(buf: Any, dims: Any = (1, 0), _semantic: Any = None) -> buffered_tensor:
    """Permute the dimensions of a buffer without moving data.

    Args:
        buf: one buffer.
        dims: dimension `i` of the result is dimension `dims[i]` of `buf`.

    Returns:
        A view of shape `[buf.shape[d] for d in dims]`.

    Raises:
        ShapeError: `dims` is not a permutation of the dimensions.
    """
    view = one_buffer(buf, "buf", _semantic)
    order = unwrap(dims)
    legal = list(range(view.rank))
    if not isinstance(order, list) or sorted(map(str, order)) != list(map(str, legal)):
        raise ShapeError.expects("dims", f"a permutation of {describe(legal)}", order)
    result = view.type.with_shape([view.shape[dim] for dim in order])
    return _view("tlx.local_trans", view, result, _semantic, order=i32_array(order))


@builtin
def local_slice(
    buf: Any, offset: Any, shape: Any, _semantic: Any = None
) -> buffered_tensor:
    """Select a rectangle of a buffer.

    Args:
        buf: one buffer in shared memory.
        offset: first element in each dimension; constexpr multiples of `shape`.
        shape: shape of the rectangle; powers of two.

    Returns:
        A view of shape `shape`.

    Raises:
        ShapeError: the rectangle does not lie inside the buffer.
    """
    view = one_buffer(buf, "buf", _semantic)
    sizes = const_shape(shape, "shape")
    starts = unwrap(offset)
    if not isinstance(starts, list) or len(starts) != view.rank:
        raise ShapeError.expects("offset", f"{view.rank} constexpr integers", starts)
    if len(sizes) != view.rank:
        raise ShapeError.expects("shape", f"of rank {view.rank}", sizes)
    for dim, (start, size, extent) in enumerate(
        zip(starts, sizes, view.shape, strict=True)
    ):
        const_int(start, f"offset[{dim}]", least=0)
        if start + size > extent:
            raise ShapeError.expects(
                f"offset[{dim}] + shape[{dim}]", f"at most {extent}", start + size
            )
        if start % size:
            raise ShapeError.expects(f"offset[{dim}]", f"a multiple of {size}", start)
    return _slice(view, starts, sizes, _semantic)


def _slice(
    buf: buffered_tensor, offsets: list[int], shape: list[int], semantic: Any
) -> buffered_tensor:
    result = buf.type.part(shape)
    return _view("tlx.local_slice", buf, result, semantic, offsets=i32_array(offsets))


@builtin
def subslice(buf: Any, offset: Any, size: Any, _semantic: Any = None) -> Any:
    """Select columns of a buffer in tensor memory; needs sm_100.

    Args:
        buf: one 2-D buffer in tensor memory.
        offset: first column.
        size: number of columns.

    Raises:
        TargetError: the buffer is in shared memory; use `local_slice`.
    """
    del offset, size
    one_buffer(buf, "buf", _semantic)
    raise TargetError(
        "needs a buffer in tensor memory (sm_100); use tlx.local_slice in shared memory"
    )


@builtin
def local_reshape(buf: Any, shape: Any, _semantic: Any = None) -> buffered_tensor:
    """View a buffer under another shape, in row-major order.

    Args:
        buf: one buffer in shared memory.
        shape: shape with as many elements.

    Returns:
        A view of shape `shape`.

    Raises:
        ShapeError: the number of elements differs.
    """
    view = smem_buffer(buf, "buf", _semantic)
    sizes = const_shape(shape, "shape")
    if math.prod(sizes) != math.prod(view.shape):
        raise ShapeError.expects(
            "shape", f"of {math.prod(view.shape)} elements", math.prod(sizes)
        )
    return _view("tlx.local_reshape", view, view.type.with_shape(sizes), _semantic)


@builtin
def local_reinterpret(
    buf: Any, dtype: Any, shape: Any = None, layout: Any = None, _semantic: Any = None
) -> buffered_tensor:
    """View the bytes of a buffer as elements of another type.

    Args:
        buf: one buffer, or a ring if the size of a slot stays the same.
        dtype: new element type.
        shape: new shape; that of `buf` if left out.
        layout: shared memory layout of the view.

    Returns:
        A view that starts at the first byte of `buf`.

    Raises:
        ShapeError: the view is larger than the buffer.
    """
    if not isinstance(buf, buffered_tensor):
        raise ArgumentError.expects("buf", "a buffer", buf)
    element = const_dtype(dtype, "dtype")
    sizes = buf.shape if unwrap(shape) is None else const_shape(shape, "shape")
    pin = unwrap(layout)
    if pin is not None and not isinstance(pin, shared_layout_encoding):
        raise ArgumentError.expects("layout", "a shared memory layout", pin)
    needed = math.prod(sizes) * dtype_bytes(element)
    if buf.num > 1 and needed != buf.type.nbytes:
        raise ShapeError.expects(
            "shape and dtype",
            f"of {buf.type.nbytes} bytes as a slot of the ring",
            needed,
        )
    if needed > buf.type.nbytes:
        raise ShapeError.expects(
            "shape and dtype", f"of at most {buf.type.nbytes} bytes", needed
        )
    source = buf if buf.num > 1 else one_buffer(buf, "buf", _semantic)
    result = buffered_tensor_type(
        element, sizes, source.num, buf.type.storage, pin, buf.type.is_part
    )
    return _view("tlx.local_reinterpret", source, result, _semantic)


def _view(
    op: str,
    buf: buffered_tensor,
    result: buffered_tensor_type,
    semantic: Any,
    **attributes: str,
) -> buffered_tensor:
    (handle,) = build(semantic, op, [buf.handle], [result.mlir], attributes)
    return result.wrap(handle)


def i32_array(values: list[int]) -> str:
    """Return the text of a dense i32 array attribute."""
    return "array<i32: " + ", ".join(str(value) for value in values) + ">"
