# SPDX-License-Identifier: MIT
"""Small helpers: threads, clocks, element types, targets."""

from __future__ import annotations

import re
from typing import Any

from triton.language import core as tl

from ..errors import ArgumentError, DTypeError
from ._core import (
    WARP_SIZE,
    block_shape,
    build,
    builtin,
    const_dtype,
    dtype_bytes,
    host_builtin,
    is_block,
    is_scalar,
    to_i32,
    unwrap,
)
from .types import buffered_tensor, tensor_text

__all__ = [
    "clock64",
    "cuda_parse_arch",
    "dtype_of",
    "get_fp8_format_name",
    "is_amd_tdm_target",
    "is_hip",
    "size_of",
    "thread_id",
    "vote_ballot_sync",
]

AXES = 3
_FP8_FORMATS = {"fp8e5": "e5m2", "fp8e4nv": "e4m3"}


@builtin
def thread_id(axis: Any, _semantic: Any = None) -> tl.tensor:
    """Return the index of the thread in the CTA, also inside a task.

    Args:
        axis: 0, 1 or 2.

    Returns:
        An int32 scalar.

    Raises:
        ArgumentError: `axis` is not 0, 1 or 2.

    Source: PTX ISA, special registers, `%tid`.
    """
    number = unwrap(axis)
    if type(number) is not int or number not in range(AXES):
        raise ArgumentError.expects("axis", "0, 1 or 2", number)
    (handle,) = build(
        _semantic, "tlx.thread_id", [], ["i32"], {"axis": f"{number} : i32"}
    )
    return tl.tensor(handle, tl.int32)


@builtin
def clock64(_semantic: Any = None) -> tl.tensor:
    """Read the cycle counter of the multiprocessor.

    Returns:
        An int64 scalar.

    Source: PTX ISA, special registers, `%clock64`.
    """
    (handle,) = build(_semantic, "tlx.clock64", [], ["i64"])
    return tl.tensor(handle, tl.int64)


@builtin
def vote_ballot_sync(mask: Any, pred: Any, _semantic: Any = None) -> tl.tensor:
    """Tell which threads of the warp have a true predicate.

    All threads in `mask` have to call it together. Of a tensor, a thread's
    predicate is true if any of the elements that the thread holds is.

    Args:
        mask: threads of the warp that take part, a bit for each; 0xffffffff for
            all.
        pred: an int1 scalar or tensor.

    Returns:
        An int32, of which bit `i` belongs to thread `i` of the warp. For a tensor
        one of the shape of `pred`, whose elements are the ballots of the warps
        that hold them.

    Raises:
        DTypeError: `pred` is no int1 scalar or tensor.

    Source: PTX ISA, `vote.sync`.
    """
    bits = unwrap(mask)
    if isinstance(bits, int) and not isinstance(bits, bool):
        if not 0 < bits < 1 << WARP_SIZE:
            raise ArgumentError.expects("mask", f"of 1 to {WARP_SIZE} bits", bits)
        # The register is signless.
        bits -= (bits >> (WARP_SIZE - 1)) << WARP_SIZE
    members = to_i32(bits, "mask", _semantic)
    value = unwrap(pred)
    if isinstance(value, bool):
        value = _semantic.to_tensor(value)
    if not (is_scalar(value) or is_block(value)) or not value.dtype.is_int1():
        raise DTypeError.expects("pred", "an int1 scalar or tensor", value)
    type_: tl.dtype = tl.int32
    text = "i32"
    if is_block(value):
        type_ = tl.block_type(tl.int32, block_shape(value))
        text = tensor_text(block_shape(value), tl.int32)
    (handle,) = build(
        _semantic, "tlx.vote_ballot_sync", [members, value.handle], [text]
    )
    return tl.tensor(handle, type_)


@host_builtin
def dtype_of(v: Any) -> tl.dtype:
    """Return the element dtype of a tensor, pointer, descriptor or buffer.

    Args:
        v: the value; of a pointer the dtype it points to.

    Raises:
        ArgumentError: `v` has no element dtype.
    """
    if isinstance(v, (tl.tensor, tl.tensor_descriptor_base, buffered_tensor)):
        dtype = v.dtype
        return dtype.element_ty if isinstance(dtype, tl.pointer_type) else dtype
    raise ArgumentError.expects("v", "a tensor, pointer, descriptor or buffer", v)


@host_builtin
def size_of(dtype: Any) -> int:
    """Return the size of an element in bytes.

    Args:
        dtype: an element type of at least 8 bits.

    Raises:
        DTypeError: `dtype` is no such type.
    """
    return dtype_bytes(const_dtype(dtype, "dtype"))


@host_builtin
def get_fp8_format_name(dtype: Any) -> str:
    """Return the name that block-scaled products use for an fp8 dtype.

    Args:
        dtype: `tl.float8e5` or `tl.float8e4nv`.

    Returns:
        "e5m2" or "e4m3".

    Raises:
        DTypeError: another dtype.
    """
    name = getattr(dtype, "name", None)
    if name not in _FP8_FORMATS:
        raise DTypeError.expects("dtype", "tl.float8e5 or tl.float8e4nv", dtype)
    return _FP8_FORMATS[name]


@host_builtin
def is_hip() -> bool:
    """Whether the active driver is AMD's; false without a driver."""
    from triton.runtime.driver import driver

    try:
        target: Any = driver.active.get_current_target()
        return bool(target.backend == "hip")
    except RuntimeError:
        # No driver: kernels are being compiled for a machine elsewhere.
        return False


@host_builtin
def cuda_parse_arch(arch: Any) -> int:
    """Return the compute capability of an architecture name.

    Args:
        arch: for example "sm_90a", "sm90" or 90.

    Returns:
        For example 90.

    Raises:
        ArgumentError: not the name of an NVIDIA architecture.
    """
    match = re.fullmatch(r"(?:sm_?)?(\d{2,3})[af]?", str(arch))
    if match is None:
        raise ArgumentError.expects("arch", "a name such as 'sm_90a'", arch)
    return int(match.group(1))


@host_builtin
def is_amd_tdm_target(arch: Any) -> bool:
    """Whether an architecture name is an AMD one with a tensor data mover."""
    return str(arch).startswith("gfx125")
