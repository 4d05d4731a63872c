# SPDX-License-Identifier: MIT
"""Copies by the tensor memory accelerator (TMA) and their descriptors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from triton.language import core as tl

from ..errors import (
    ArgumentError,
    DTypeError,
    Phrase,
    ShapeError,
    UnsupportedError,
    describe,
)
from ..tensormap import MAX_RANK, extent_faults, stride_faults
from ._core import (
    build,
    builtin,
    const_choice,
    const_int,
    const_shape,
    dtype_bytes,
    is_scalar,
    require_capability,
    segments,
    to_i32,
    to_pred,
    unwrap,
)
from .barriers import one_barrier
from .copies import EVICTION_POLICIES
from .descriptor_storage import make_in_storage, storage_pointer, tile_shape
from .types import buffered_tensor
from .views import smem_buffer

__all__ = [
    "async_descriptor_load",
    "async_descriptor_prefetch_tensor",
    "async_descriptor_store",
    "async_descriptor_store_wait",
    "make_tensor_descriptor",
]

# Numbers of Triton's DescriptorReduceKind.
REDUCE_KINDS = {"add": 1, "min": 2, "max": 3, "and": 6, "or": 7, "xor": 8}
# PTX ISA, cp.reduce.async.bulk.tensor: types of each operation.
_INTS = ("int32", "uint32", "int64", "uint64")
_REDUCE_DTYPES = {
    "add": ("int32", "uint32", "uint64", "fp16", "bf16", "fp32"),
    "min": (*_INTS, "fp16", "bf16"),
    "max": (*_INTS, "fp16", "bf16"),
    "and": _INTS,
    "or": _INTS,
    "xor": _INTS,
}


@builtin
def async_descriptor_load(
    desc: Any,
    result: Any,
    offsets: Any,
    barrier: Any,
    pred: Any = None,
    cache_modifier: Any = "",
    eviction_policy: Any = "",
    multicast_targets: Any = (),
    two_ctas: Any = False,
    _semantic: Any = None,
) -> None:
    """Copy a tile from memory to a buffer with the TMA.

    The bytes complete on `barrier`, which must expect them; elements outside of
    the tensor are filled and count as well.

    Args:
        desc: tensor descriptor whose block has the shape of the buffer.
        result: one buffer in shared memory.
        offsets: first element in each dimension, integer scalars.
        barrier: one barrier.
        pred: skip if false.
        cache_modifier: "" only; the TMA has no other.
        eviction_policy: "", "evict_first" or "evict_last", for the L2 cache.
        multicast_targets: CTAs of the cluster that receive the tile; not in
            this version.
        two_ctas: load for a pair of CTAs; needs sm_100.

    Raises:
        ShapeError: block, buffer and offsets do not fit together.
        DTypeError: the element types differ.
        TargetError: the target is older than sm_90.

    Source: PTX ISA, `cp.async.bulk.tensor`.
    """
    require_capability(_semantic, 90, "tensor memory accelerator")
    view = smem_buffer(result, "result", _semantic)
    _check_descriptor(desc, view, "result")
    coords = _coordinates(desc, offsets, _semantic)
    bar = one_barrier(barrier, "barrier", _semantic)
    const_choice(cache_modifier, "cache_modifier", [""])
    evict = _eviction(eviction_policy)
    if unwrap(multicast_targets):
        raise UnsupportedError("cannot take 'multicast_targets': it needs clusters")
    if unwrap(two_ctas):
        require_capability(_semantic, 100, "loads for a pair of CTAs")
        raise UnsupportedError("cannot take 'two_ctas': it needs clusters")
    predicate = to_pred(pred, "pred", _semantic)
    extra = [] if predicate is None else [predicate]
    build(
        _semantic,
        "tlx.async_descriptor_load",
        [desc.handle, *coords, view.handle, bar.handle, *extra],
        [],
        {
            "operandSegmentSizes": segments(1, len(coords), 1, 1, len(extra)),
            "eviction_policy": evict,
        },
    )


@builtin
def async_descriptor_store(
    desc: Any,
    source: Any,
    offsets: Any,
    eviction_policy: Any = "",
    store_reduce: Any = "",
    _semantic: Any = None,
) -> None:
    """Copy a buffer to a tile in memory with the TMA.

    Writes of other tasks to the buffer need a `fence("async_shared")` before;
    for those of this task the compiler inserts it.
    `async_descriptor_store_wait` waits for the copy.

    Args:
        desc: tensor descriptor whose block has the shape of the buffer.
        source: one buffer in shared memory.
        offsets: first element in each dimension, integer scalars.
        eviction_policy: "", "evict_first" or "evict_last", for the L2 cache.
        store_reduce: "" to overwrite, or "add", "min", "max", "and", "or",
            "xor" to combine with what is there.

    Raises:
        ShapeError: block, buffer and offsets do not fit together.
        DTypeError: the element types differ, or have no such reduction.
        TargetError: the target is older than sm_90.

    Source: PTX ISA, `cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`.
    """
    require_capability(_semantic, 90, "tensor memory accelerator")
    view = smem_buffer(source, "source", _semantic)
    _check_descriptor(desc, view, "source")
    coords = _coordinates(desc, offsets, _semantic)
    attributes = {"eviction_policy": _eviction(eviction_policy)}
    kind = const_choice(store_reduce, "store_reduce", ["", *REDUCE_KINDS])
    if kind:
        legal = _REDUCE_DTYPES[kind]
        if view.dtype.name not in legal:
            raise DTypeError.expects(
                "source",
                f"of dtype {', '.join(legal)} to reduce with {kind}",
                view.dtype,
            )
        attributes["reduce"] = f"{REDUCE_KINDS[kind]} : i32"
    build(
        _semantic,
        "tlx.async_descriptor_store",
        [desc.handle, *coords, view.handle],
        [],
        attributes,
    )


@builtin
def async_descriptor_store_wait(pendings: Any, _semantic: Any = None) -> None:
    """Wait until at most `pendings` TMA or bulk stores still read their buffer.

    Args:
        pendings: number of stores, a constexpr of at least 0.

    Raises:
        ArgumentError: `pendings` is no constexpr or negative.

    Source: PTX ISA, `cp.async.bulk.wait_group`.
    """
    require_capability(_semantic, 90, "tensor memory accelerator")
    count = const_int(pendings, "pendings", least=0)
    build(
        _semantic,
        "tlx.async_descriptor_store_wait",
        [],
        [],
        {"pendings": f"{count} : i32"},
    )


@builtin
def async_descriptor_prefetch_tensor(
    desc: Any,
    offsets: Any,
    pred: Any = None,
    eviction_policy: Any = "",
    _semantic: Any = None,
) -> None:
    """Bring a tile into the L2 cache with the TMA.

    Args:
        desc: tensor descriptor.
        offsets: first element in each dimension, integer scalars.
        pred: skip if false.
        eviction_policy: "", "evict_first" or "evict_last".

    Raises:
        ShapeError: the number of offsets is not the rank of the descriptor.
        TargetError: the target is older than sm_90.

    Source: PTX ISA, `cp.async.bulk.prefetch.tensor`.
    """
    require_capability(_semantic, 90, "tensor memory accelerator")
    _require_descriptor(desc)
    coords = _coordinates(desc, offsets, _semantic)
    evict = _eviction(eviction_policy)
    predicate = to_pred(pred, "pred", _semantic)
    extra = [] if predicate is None else [predicate]
    build(
        _semantic,
        "tlx.async_descriptor_prefetch",
        [desc.handle, *coords, *extra],
        [],
        {
            "operandSegmentSizes": segments(1, len(coords), len(extra)),
            "eviction_policy": evict,
        },
    )


@builtin
def make_tensor_descriptor(
    desc_ptr: Any,
    base: Any,
    shape: Any,
    strides: Any,
    block_shape: Any,
    padding_option: Any = "zero",
    _semantic: Any = None,
) -> tl.tensor_descriptor:
    """Build a tensor descriptor on the device.

    Args:
        desc_ptr: where to put it, a result of `allocate_tensor_descriptor` or a
            pointer to int8 or uint8; None for storage of the compiler's choice.
        base: pointer to the first element, 16-byte aligned.
        shape: extents of the tensor in elements; 1 to 5 integers.
        strides: strides in elements; the last is 1.
        block_shape: shape of a tile; the last dimension has at least 16 bytes.
        padding_option: "zero" or "nan" for elements outside of the tensor.

    Returns:
        The descriptor.

    Raises:
        ShapeError: ranks differ, or a row of the tile is too short.
        ArgumentError: the last stride is not 1, the padding is unknown, or a constant
            is out of range: extents from 1 to 2^32, other strides multiples of 16
            bytes and less than 2^40 bytes.
        DTypeError: NaN padding of integers, or `base` is no pointer.

    Source: CUDA driver API, `cuTensorMapEncodeTiled`; PTX ISA, tensors.
    """
    require_capability(_semantic, 90, "tensor memory accelerator")
    storage = unwrap(desc_ptr)
    if storage is not None:
        storage = storage_pointer(storage, "desc_ptr")
    if not is_scalar(base) or not base.dtype.is_ptr():
        raise DTypeError.expects("base", "a pointer", base)
    extents, steps = _integers(shape, "shape"), _integers(strides, "strides")
    rank = len(extents)
    if not 1 <= rank <= MAX_RANK:
        raise ShapeError.expects("shape", f"of rank 1 to {MAX_RANK}", rank)
    element = base.dtype.element_ty
    tile = const_shape(block_shape, "block_shape")
    for name, items in (("strides", steps), ("block_shape", tile)):
        if len(items) != rank:
            raise ShapeError.expects(name, f"of rank {rank}", len(items))
    last = unwrap(steps[-1])
    if not isinstance(last, int) or last != 1:
        raise ArgumentError.expects("strides[-1]", "the constexpr 1", last)
    tile = tile_shape(tile, element)
    _check_constants(extents, steps, dtype_bytes(element))
    padding = const_choice(padding_option, "padding_option", ["zero", "nan"])
    if padding == "nan" and element.is_int():
        raise DTypeError.expects(
            "base", "a pointer to floats with padding nan", element
        )
    if storage is not None:
        return make_in_storage(storage, base, extents, steps, tile, padding, _semantic)
    return _semantic.make_tensor_descriptor(
        base, extents, steps, [tl.constexpr(dim) for dim in tile], padding
    )


def _constant(value: Any) -> int | None:
    plain = unwrap(value)
    return plain if isinstance(plain, int) else None


def _check_constants(extents: list[Any], steps: list[Any], itemsize: int) -> None:
    strides = [_constant(step) for step in steps[:-1]]
    sizes = [None if stride is None else stride * itemsize for stride in strides]
    known = [_constant(extent) for extent in extents]
    for fault in (*extent_faults(known), *stride_faults(sizes)):
        raise ArgumentError.expects(fault.name, fault.rule, Phrase(fault.found))


def _items(value: Any, name: str) -> list[Any]:
    # Keeps constexpr items: Triton's own functions tell them from run-time ones.
    plain = value.value if isinstance(value, tl.constexpr) else value
    if not isinstance(plain, (list, tuple, tl.tuple)):
        raise ArgumentError.expects(name, "a list or tuple", plain)
    return [
        item if isinstance(item, tl.base_value) else tl.constexpr(item)
        for item in cast("Sequence[Any]", plain)
    ]


def _is_integer(value: Any) -> bool:
    if isinstance(value, int):
        return not isinstance(value, bool)
    return is_scalar(value) and value.dtype.is_int()


def _integers(value: Any, name: str) -> list[Any]:
    items = _items(value, name)
    for item in items:
        if not _is_integer(unwrap(item)):
            raise DTypeError.expects(name, "made of integers", item)
    return items


def _require_descriptor(desc: Any) -> None:
    if not isinstance(desc, tl.tensor_descriptor_base):
        raise ArgumentError.expects("desc", "a tensor descriptor", desc)


def _check_descriptor(desc: Any, view: buffered_tensor, name: str) -> None:
    _require_descriptor(desc)
    block = [int(unwrap(dim)) for dim in desc.block_shape]
    if block != view.shape:
        raise ShapeError.expects(
            name,
            f"of the descriptor's block shape {describe(block)}",
            tuple(view.shape),
        )
    if desc.dtype != view.dtype:
        raise DTypeError.expects(
            name, f"of the descriptor's dtype {desc.dtype}", view.dtype
        )


def _coordinates(desc: Any, offsets: Any, semantic: Any) -> list[Any]:
    items = _items(offsets, "offsets")
    rank = len(desc.block_shape)
    if len(items) != rank:
        raise ShapeError.expects(
            "offsets", f"{rank} integers, one for each dimension", len(items)
        )
    return [to_i32(item, f"offsets[{dim}]", semantic) for dim, item in enumerate(items)]


def _eviction(policy: Any) -> str:
    name = const_choice(policy, "eviction_policy", list(EVICTION_POLICIES))
    return f"{EVICTION_POLICIES[name]} : i32"
