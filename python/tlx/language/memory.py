# SPDX-License-Identifier: MIT
"""On-chip buffers: allocate, load, store.

Buffers live as long as the kernel. Their layout is chosen by the compiler from
what uses them; `layout=` pins it.
"""

from __future__ import annotations

from typing import Any

from triton.language import core as tl

from ..errors import (
    ArgumentError,
    DTypeError,
    ShapeError,
    TargetError,
    UnsupportedError,
    describe,
)
from ._core import (
    block_shape,
    build,
    builtin,
    capability,
    check_shared_memory,
    const_bool,
    const_dtype,
    const_int,
    const_shape,
    is_block,
    unwrap,
)
from .layouts import register_layout, shared_layout_encoding
from .types import (
    async_token,
    buffered_tensor,
    buffered_tensor_type,
    mbarrier,
    storage_kind,
    tensor_text,
    view_barrier,
)
from .views import one_buffer, smem_buffer, view_buffer

__all__ = [
    "local_alloc",
    "local_gather",
    "local_load",
    "local_scatter",
    "local_store",
    "local_view",
]


@builtin
def local_alloc(
    shape: Any,
    dtype: Any,
    num: Any,
    storage: Any = storage_kind.smem,
    reuse: Any = None,
    layout: Any = None,
    _semantic: Any = None,
) -> buffered_tensor:
    """Allocate a ring of equal buffers.

    Args:
        shape: shape of one buffer; 1 to 5 powers of two.
        dtype: element type of at least 8 bits.
        num: number of buffers, a constexpr of at least 1.
        storage: where to allocate; tensor memory needs sm_100.
        reuse: storage to share; not in this version.
        layout: shared memory layout to use instead of the compiler's choice.

    Returns:
        The ring; index it to get one buffer. The contents are undefined.

    Raises:
        ArgumentError: `num` is not a positive constexpr, or `layout` is none.
        ShapeError: a dimension is not a power of two.
        DTypeError: `dtype` is no element type.
        ResourceError: the ring takes more than the shared memory of a CTA.
        TargetError: the target has no such storage.

    Source: PTX ISA, state spaces, `.shared`.
    """
    dims = const_shape(shape, "shape")
    element = const_dtype(dtype, "dtype")
    count = const_int(num, "num", least=1, most=None)
    kind = unwrap(storage)
    if not isinstance(kind, storage_kind):
        raise ArgumentError.expects("storage", "a tlx.storage_kind", kind)
    if kind is storage_kind.smemCluster:
        raise ArgumentError.expects("storage", "smem or tmem", kind.value)
    if kind is storage_kind.tmem:
        _reject_tmem(_semantic)
    if unwrap(reuse) is not None:
        raise UnsupportedError("cannot take 'reuse': it needs storage aliases")
    pin = unwrap(layout)
    if pin is not None and not isinstance(pin, shared_layout_encoding):
        raise ArgumentError.expects("layout", "a shared memory layout", pin)
    type_ = buffered_tensor_type(element, dims, count, kind, pin)
    check_shared_memory(type_.nbytes * count, _semantic)
    (handle,) = build(_semantic, "tlx.local_alloc", [], [type_.mlir])
    return type_.wrap(handle)


def _reject_tmem(semantic: Any) -> None:
    found = capability(semantic)
    if found < 100 or found >= 120:
        raise TargetError(
            f"needs sm_100 or sm_103 (tensor memory), but the target is sm_{found}",
            expected="sm_100",
            found=f"sm_{found}",
        )
    raise UnsupportedError("cannot allocate tensor memory in this version")


@builtin
def local_view(buf: Any, idx: Any, _semantic: Any = None) -> Any:
    """Select one buffer of a ring, or one barrier of an array; also `buf[idx]`.

    Args:
        buf: a ring of buffers or an array of barriers. Of one buffer, an entry of
            the first dimension is selected; if that is the only one, an element
            of shape (1,), with a constexpr.
        idx: slot number, an integer at run time or a constexpr in [0, num), or in
            [0, buf.shape[0]) for one buffer.

    Returns:
        The buffer or barrier, which shares the memory of `buf`.

    Raises:
        ArgumentError: a constant index is out of range.
    """
    if isinstance(buf, mbarrier):
        return view_barrier(buf, idx, _semantic)
    if not isinstance(buf, buffered_tensor):
        raise ArgumentError.expects("buf", "a buffer or a barrier array", buf)
    return view_buffer(buf, idx, _semantic)


@builtin
def local_load(
    src: Any,
    token: Any = None,
    layout: Any = None,
    relaxed: Any = False,
    rematerialize_coordinates: Any = False,
    rematerialize_coordinates_group: Any = None,
    _semantic: Any = None,
) -> tl.tensor:
    """Read a buffer into a tensor.

    Args:
        src: one buffer.
        token: result of an async wait that the load follows.
        layout: register layout of the result.
        relaxed: the load is already ordered by an async wait; no effect on
            NVIDIA targets.
        rematerialize_coordinates: for AMD targets only.
        rematerialize_coordinates_group: for AMD targets only.

    Returns:
        A tensor of the shape and element type of the buffer.

    Raises:
        ArgumentError: `src` is no single buffer, or an option is for AMD.
    """
    if (
        unwrap(rematerialize_coordinates)
        or unwrap(rematerialize_coordinates_group) is not None
    ):
        raise TargetError("takes 'rematerialize_coordinates' on AMD targets only")
    const_bool(relaxed, "relaxed")
    view = one_buffer(src, "src", _semantic)
    operands = [view.handle]
    after = unwrap(token)
    if after is not None:
        if not isinstance(after, async_token):
            raise ArgumentError.expects("token", "an async token", after)
        operands.append(after.handle)
    result = tensor_text(view.shape, view.dtype)
    (handle,) = build(_semantic, "tlx.local_load", operands, [result])
    value = tl.tensor(handle, tl.block_type(view.dtype, view.shape))
    pin = unwrap(layout)
    if pin is None:
        return value
    return register_layout(value, pin, soft=False, semantic=_semantic)


@builtin
def local_store(dst: Any, src: Any, _semantic: Any = None) -> None:
    """Write a tensor to a buffer; the destination comes first.

    Args:
        dst: one buffer.
        src: a tensor of the shape and element type of the buffer.

    Raises:
        ShapeError: the shapes differ.
        DTypeError: the element types differ.
    """
    view = one_buffer(dst, "dst", _semantic)
    if not is_block(src):
        raise ArgumentError.expects("src", "a tensor", src)
    shape = block_shape(src)
    if shape != view.shape:
        raise ShapeError.expects(
            "src", f"of the shape {describe(view.shape)}", tuple(shape)
        )
    if src.dtype != view.dtype:
        raise DTypeError.expects(
            "src", f"of the buffer's dtype {view.dtype} (cast with .to())", src.dtype
        )
    build(_semantic, "tlx.local_store", [src.handle, view.handle])


@builtin
def local_gather(
    src: Any, indices: Any, axis: Any, token: Any = None, _semantic: Any = None
) -> tl.tensor:
    """Read the elements of a buffer that indices select.

    Element `[..., i, ...]` of the result is `src[..., indices[..., i, ...], ...]`,
    with the index along `axis`. Indices are not checked at run time.

    Args:
        src: one buffer in shared memory.
        indices: a tensor of integers of the rank of `src`, with its extents in
            all dimensions but `axis`.
        axis: the dimension along which `indices` select; a constexpr.
        token: result of an async wait that the load follows; of no effect.

    Returns:
        A tensor of the shape of `indices` and the element type of the buffer.

    Raises:
        ShapeError: the shape of `indices` does not fit the buffer.
        DTypeError: `indices` does not hold integers.
    """
    view, dim = _selection(src, "src", indices, axis, token, _semantic)
    shape = block_shape(indices)
    (handle,) = build(
        _semantic,
        "tlx.local_gather",
        [view.handle, indices.handle],
        [tensor_text(shape, view.dtype)],
        {"axis": f"{dim} : i32"},
    )
    return tl.tensor(handle, tl.block_type(view.dtype, shape))


@builtin
def local_scatter(
    dst: Any,
    src: Any,
    indices: Any,
    axis: Any,
    token: Any = None,
    _semantic: Any = None,
) -> None:
    """Write a tensor to the elements of a buffer that indices select.

    Element `[..., i, ...]` of `src` goes to `dst[..., indices[..., i, ...], ...]`,
    with the index along `axis`. Where two go to one place, one of them stays.

    Args:
        dst: one buffer in shared memory.
        src: a tensor of the shape of `indices` and the buffer's element type.
        indices: a tensor of integers of the rank of `dst`, with its extents in
            all dimensions but `axis`.
        axis: the dimension along which `indices` select; a constexpr.
        token: result of an async wait that the store follows; of no effect.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the element types differ, or `indices` does not hold integers.
    """
    view, dim = _selection(dst, "dst", indices, axis, token, _semantic)
    if not is_block(src):
        raise ArgumentError.expects("src", "a tensor", src)
    if block_shape(src) != block_shape(indices):
        raise ShapeError.expects(
            "src",
            f"of the shape {describe(block_shape(indices))} of 'indices'",
            tuple(block_shape(src)),
        )
    if src.dtype != view.dtype:
        raise DTypeError.expects(
            "src", f"of the buffer's dtype {view.dtype} (cast with .to())", src.dtype
        )
    build(
        _semantic,
        "tlx.local_scatter",
        [src.handle, view.handle, indices.handle],
        [],
        {"axis": f"{dim} : i32"},
    )


def _selection(
    buf: Any, name: str, indices: Any, axis: Any, token: Any, semantic: Any
) -> tuple[buffered_tensor, int]:
    """Check what gather and scatter share; return the buffer and the axis."""
    view = smem_buffer(buf, name, semantic)
    dim = const_int(axis, "axis")
    if not 0 <= dim < view.rank:
        raise ArgumentError.expects("axis", f"in [0, {view.rank})", dim)
    after = unwrap(token)
    if after is not None and not isinstance(after, async_token):
        raise ArgumentError.expects("token", "an async token", after)
    if not is_block(indices) or not indices.dtype.is_int():
        raise DTypeError.expects("indices", "a tensor of integers", indices)
    shape = block_shape(indices)
    legal = list(view.shape)
    if len(shape) == view.rank:
        legal[dim] = shape[dim]
    if shape != legal:
        raise ShapeError.expects(
            "indices",
            f"of the buffer's shape {describe(view.shape)} but for dimension {dim}",
            tuple(shape),
        )
    return view, dim
