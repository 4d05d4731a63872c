# SPDX-License-Identifier: MIT
"""Asynchronous copies without a tensor descriptor: cp.async and 1-D bulk."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

from triton.language import core as tl

from ..errors import ArgumentError, DTypeError, ShapeError, describe
from ._core import (
    block_shape,
    build,
    builtin,
    const_bool,
    const_choice,
    const_int,
    dtype_bytes,
    is_block,
    require_capability,
    segments,
    to_i32,
    to_value,
    unwrap,
)
from .barriers import one_barrier
from .descriptor_storage import storage_pointer
from .types import async_token, buffered_tensor
from .views import smem_buffer

__all__ = [
    "async_load",
    "async_load_commit_group",
    "async_load_wait_group",
    "async_store",
    "prefetch",
]

# Numbers of Triton's enums; the dialect stores them as i32.
CACHE_MODIFIERS = {"": 1, ".ca": 2, ".cg": 3}
EVICTION_POLICIES = {"": 1, "evict_first": 2, "evict_last": 3}
# PTX ISA, cp.async.bulk: granularity of the size in bytes.
BULK_GRANULE = 16


@builtin
def async_load(
    src_ptrs: Any,
    result: Any,
    mask: Any = None,
    other: Any = None,
    cache_modifier: Any = "",
    eviction_policy: Any = "",
    is_volatile: Any = False,
    bulk: Any = False,
    bulk_size: Any = None,
    barrier: Any = None,
    _semantic: Any = None,
) -> async_token | None:
    """Copy from global to shared memory without waiting.

    Each thread copies the elements its pointers point to (`cp.async`), or with
    `bulk` one thread copies contiguous bytes that complete on a barrier
    (`cp.async.bulk`).

    Args:
        src_ptrs: tensor of pointers of the shape of the buffer; with `bulk` the
            first pointer is the start, and one pointer is enough.
        result: one buffer in shared memory; 1-D with `bulk`.
        mask: copy only where true; other elements become `other`, or zero.
        other: value of masked elements.
        cache_modifier: "", ".ca" or ".cg".
        eviction_policy: "", "evict_first" or "evict_last".
        is_volatile: keep the copy even if it looks redundant.
        bulk: one contiguous copy.
        bulk_size: bytes to copy, a multiple of 16; the whole buffer if left out.
        barrier: one barrier that the bytes complete on; it must expect them.

    Returns:
        A token for `async_load_commit_group`; None with `bulk`.

    Raises:
        ArgumentError: arguments that do not go together.
        ShapeError: the shapes of pointers, mask and buffer differ.
        DTypeError: the pointers do not point to the element type.

    Source: PTX ISA, `cp.async` and `cp.async.bulk`.
    """
    view = smem_buffer(result, "result", _semantic)
    if const_bool(bulk, "bulk"):
        for name, value in (("mask", mask), ("other", other)):
            if unwrap(value) is not None:
                raise ArgumentError(f"cannot take '{name}' with bulk=True")
        _bulk_load(src_ptrs, view, bulk_size, barrier, _semantic)
        return None
    for name, value in (("bulk_size", bulk_size), ("barrier", barrier)):
        if unwrap(value) is not None:
            raise ArgumentError(f"takes '{name}' only with bulk=True")
    _check_pointers(src_ptrs, view)
    operands, sizes = _mask_operands(mask, other, view, _semantic)
    cache = const_choice(cache_modifier, "cache_modifier", list(CACHE_MODIFIERS))
    evict = const_choice(eviction_policy, "eviction_policy", list(EVICTION_POLICIES))
    attributes = {
        "operandSegmentSizes": segments(1, 1, *sizes),
        "cache_modifier": f"{CACHE_MODIFIERS[cache]} : i32",
        "eviction_policy": f"{EVICTION_POLICIES[evict]} : i32",
    }
    if const_bool(is_volatile, "is_volatile"):
        attributes["is_volatile"] = "unit"
    (handle,) = build(
        _semantic,
        "tlx.async_load",
        [src_ptrs.handle, view.handle, *operands],
        ["!tlx.token"],
        attributes,
    )
    return async_token(handle)


def _check_pointers(src: Any, view: buffered_tensor) -> None:
    if not is_block(src) or not src.dtype.is_ptr():
        raise ArgumentError.expects("src_ptrs", "a tensor of pointers", src)
    if block_shape(src) != view.shape:
        raise ShapeError.expects(
            "src_ptrs", f"of the shape {describe(view.shape)}", tuple(block_shape(src))
        )
    _check_pointee(src, view, "src_ptrs")


def _check_pointee(pointer: Any, view: buffered_tensor, name: str) -> None:
    pointee = pointer.dtype.element_ty
    if pointee != view.dtype:
        raise DTypeError.expects(
            name, f"pointing to the buffer's dtype {view.dtype}", pointee
        )


def _mask_operands(
    mask: Any, other: Any, view: buffered_tensor, semantic: Any
) -> tuple[list[Any], list[int]]:
    condition, fill = unwrap(mask), unwrap(other)
    if condition is None:
        if fill is not None:
            raise ArgumentError("takes 'other' only with a mask")
        return [], [0, 0]
    value = to_value(condition, "mask", semantic)
    if not value.dtype.is_int1():
        raise DTypeError.expects("mask", "made of booleans (int1)", value.dtype)
    operands = [_broadcast(value, "mask", view, semantic).handle]
    if fill is None:
        return operands, [1, 0]
    filler = _fill(fill, view, semantic)
    return [*operands, _broadcast(filler, "other", view, semantic).handle], [1, 1]


def _fill(fill: Any, view: buffered_tensor, semantic: Any) -> Any:
    value = to_value(fill, "other", semantic)
    if value.dtype.is_ptr():
        raise DTypeError.expects("other", f"of the buffer's dtype {view.dtype}", value)
    return semantic.cast(value, view.dtype)


def _broadcast(value: Any, name: str, view: buffered_tensor, semantic: Any) -> Any:
    if is_block(value):
        shape = block_shape(value)
        fits = len(shape) == len(view.shape) and all(
            have in (1, want) for have, want in zip(shape, view.shape, strict=True)
        )
        if not fits:
            raise ShapeError.expects(
                name,
                f"of a shape that broadcasts to {describe(view.shape)}",
                tuple(shape),
            )
    return semantic.broadcast_impl_shape(value, view.shape)


def _bulk_load(
    src: Any, view: buffered_tensor, size: Any, barrier: Any, semantic: Any
) -> None:
    require_capability(semantic, 90, "bulk copies")
    if unwrap(barrier) is None:
        raise ArgumentError("needs 'barrier' with bulk=True")
    bar = one_barrier(barrier, "barrier", semantic)
    _check_pointer(src, view, "src_ptrs")
    nbytes = _bulk_size(size, "bulk_size", view, semantic)
    build(
        semantic, "tlx.async_bulk_load", [src.handle, view.handle, nbytes, bar.handle]
    )


def _check_pointer(src: Any, view: buffered_tensor, name: str) -> None:
    if not isinstance(src, tl.tensor) or not src.dtype.is_ptr():
        raise ArgumentError.expects(name, "a pointer", src)
    if len(view.shape) != 1:
        raise ShapeError.expects("buffer", "of rank 1 in a bulk copy", view.shape)
    _check_pointee(src, view, name)


def _bulk_size(size: Any, name: str, view: buffered_tensor, semantic: Any) -> Any:
    total = math.prod(view.shape) * dtype_bytes(view.dtype)
    plain = unwrap(size)
    if plain is None:
        plain = total
    if isinstance(plain, int) and not isinstance(plain, bool):
        if not BULK_GRANULE <= plain <= total or plain % BULK_GRANULE:
            raise ArgumentError.expects(
                name,
                f"a multiple of {BULK_GRANULE} bytes in [{BULK_GRANULE}, {total}]",
                plain,
            )
    return to_i32(plain, name, semantic)


@builtin
def async_load_commit_group(tokens: Any = (), _semantic: Any = None) -> async_token:
    """Close a group of asynchronous loads.

    Args:
        tokens: results of the `async_load`s that the group holds; all earlier
            ones of the task if empty.

    Returns:
        A token for `async_load_wait_group`.

    Raises:
        ArgumentError: an item is no token.

    Source: PTX ISA, `cp.async.commit_group`.
    """
    handles = _tokens(tokens)
    (handle,) = build(_semantic, "tlx.async_load_commit_group", handles, ["!tlx.token"])
    return async_token(handle)


@builtin
def async_load_wait_group(
    pendings: Any, tokens: Any = (), _semantic: Any = None
) -> async_token:
    """Wait until at most `pendings` groups of asynchronous loads are outstanding.

    Args:
        pendings: number of groups, a constexpr of at least 0.
        tokens: groups that the wait follows.

    Returns:
        A token for `local_load`.

    Raises:
        ArgumentError: `pendings` is no constexpr or negative.

    Source: PTX ISA, `cp.async.wait_group`.
    """
    count = const_int(pendings, "pendings", least=0)
    handles = _tokens(tokens)
    (handle,) = build(
        _semantic,
        "tlx.async_load_wait_group",
        handles,
        ["!tlx.token"],
        {"pendings": f"{count} : i32"},
    )
    return async_token(handle)


def _tokens(tokens: Any) -> list[Any]:
    plain = unwrap(tokens)
    items = [plain] if isinstance(plain, async_token) else plain
    if not isinstance(items, list):
        raise ArgumentError.expects("tokens", "a list of async tokens", plain)
    handles: list[Any] = []
    for item in cast("Sequence[Any]", items):
        if not isinstance(item, async_token):
            raise ArgumentError.expects("tokens", "a list of async tokens", item)
        handles.append(item.handle)
    return handles


@builtin
def async_store(
    dst_global_ptr: Any, src_smem: Any, size: Any, _semantic: Any = None
) -> None:
    """Copy contiguous bytes from shared to global memory without waiting.

    Writes to the buffer, also those of this task, need a `fence("async_shared")`
    before. `async_descriptor_store_wait` waits for the copy.

    Args:
        dst_global_ptr: where to write; of a tensor of pointers the first.
        src_smem: one 1-D buffer in shared memory.
        size: bytes, a multiple of 16 up to the size of the buffer.

    Raises:
        ArgumentError: `size` is out of range.
        DTypeError: the pointer does not point to the element type.

    Source: PTX ISA, `cp.async.bulk`.
    """
    require_capability(_semantic, 90, "bulk copies")
    view = smem_buffer(src_smem, "src_smem", _semantic)
    _check_pointer(dst_global_ptr, view, "dst_global_ptr")
    nbytes = _bulk_size(size, "size", view, _semantic)
    build(
        _semantic,
        "tlx.async_bulk_store",
        [view.handle, dst_global_ptr.handle, nbytes],
    )


@builtin
def prefetch(
    pointer: Any,
    level: Any = "L2",
    mask: Any = None,
    tensormap: Any = False,
    _semantic: Any = None,
) -> None:
    """Hint that memory will be read soon.

    Args:
        pointer: a pointer or a tensor of pointers to global memory; with
            `tensormap` a tensor descriptor or a pointer to one.
        level: cache to bring the data into, "L1" or "L2".
        mask: booleans, as many as pointers; no prefetch where false.
        tensormap: prefetch the descriptor itself, not the data it describes.

    Raises:
        ArgumentError: `pointer` is none, or an option does not fit `tensormap`.
        ShapeError: `mask` has another shape than `pointer`.
        TargetError: the target is older than sm_90.

    Source: PTX ISA, `prefetch`.
    """
    require_capability(_semantic, 90, "prefetches")
    cache = const_choice(level, "level", ["L1", "L2"])
    if const_bool(tensormap, "tensormap"):
        if unwrap(mask) is not None:
            raise ArgumentError("cannot take 'mask' with 'tensormap'")
        _prefetch_descriptor(pointer, _semantic)
        return
    if not isinstance(pointer, tl.tensor) or not pointer.dtype.is_ptr():
        raise ArgumentError.expects("pointer", "a pointer or a tensor of them", pointer)
    _prefetch(pointer, f"global.{cache}", mask, _semantic)


def _prefetch_descriptor(pointer: Any, semantic: Any) -> None:
    if isinstance(pointer, tl.tensor_descriptor_base):
        build(semantic, "tlx.prefetch_descriptor", [pointer.handle])
        return
    address = storage_pointer(pointer, "pointer")
    _prefetch(tl.tensor(address, tl.pointer_type(tl.int8)), "tensormap", None, semantic)


def _prefetch(pointer: tl.tensor, kind: str, mask: Any, semantic: Any) -> None:
    # Triton wants a result of inline PTX; nothing reads it.
    asm = f"prefetch.{kind} [$1]; mov.b32 $0, 0;"
    arguments, constraints = [pointer], "=r,l"
    plain = unwrap(mask)
    if plain is not None:
        value = to_value(plain, "mask", semantic)
        if not value.dtype.is_int():
            raise DTypeError.expects("mask", "a tensor of booleans", value.dtype)
        wanted = block_shape(pointer) if is_block(pointer) else []
        found = block_shape(value) if is_block(value) else []
        if found and found != wanted:
            raise ShapeError.expects(
                "mask", f"of the shape {describe(wanted)} of 'pointer'", tuple(found)
            )
        value = semantic.cast(value, tl.int32)
        if wanted and not found:
            value = semantic.splat(value, wanted)
        asm = (
            "{ .reg .pred p; setp.ne.b32 p, $2, 0; "
            f"@p prefetch.{kind} [$1]; mov.b32 $0, 0; }}"
        )
        arguments, constraints = [pointer, value], "=r,l,r"
    result = tl.int32
    if is_block(pointer):
        result = tl.block_type(tl.int32, block_shape(pointer))
    builder = semantic.builder
    builder.create_inline_asm(
        asm,
        constraints,
        [argument.handle for argument in arguments],
        [result.to_ir(builder)],
        False,
        1,
    )
