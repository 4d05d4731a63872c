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
from .views import one_buffer, view_buffer

__all__ = ["local_alloc", "local_load", "local_store", "local_view"]


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
        TargetError: the target has no such storage.

    Source: PTX ISA, state spaces, `.shared`.
    """
    dims = const_shape(shape, "shape")
    element = const_dtype(dtype, "dtype")
    count = const_int(num, "num", least=1)
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
        buf: a ring of buffers or an array of barriers. Of one 1-D buffer an
            element is selected, with a constexpr.
        idx: slot number, an integer at run time or a constexpr in [0, num).

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
