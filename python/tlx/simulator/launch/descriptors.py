# SPDX-License-Identifier: MIT
"""Tensor descriptors of NumPy arrays: what they need that arrays do not have."""

from __future__ import annotations

import contextlib
import math
import operator
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tlx.errors import ArgumentError, DTypeError, Phrase, ShapeError, TLXError
from tlx.language._core import MAX_NUMEL, near
from tlx.simulator.launch.dtypes import triton_name
from tlx.simulator.launch.tensor import SimulatedTensor, tensor

# CUDA driver API, cuTensorMapEncodeTiled: globalAddress, globalStrides, tensorRank.
ALIGNMENT = 16
MAX_RANK = 5


def base_of(array: np.ndarray[Any, Any]) -> SimulatedTensor:
    """Returns an array with the methods that Triton calls to make a descriptor.

    Raises:
        ArgumentError: A stride of the array is no multiple of its element.
        DTypeError: Kernels do not have the element type.
    """
    triton_name("base", array.dtype)
    for dim, stride in enumerate(array.strides):
        if stride % array.itemsize:
            raise ArgumentError.expects(
                f"strides[{dim}]",
                f"a multiple of the {array.itemsize} bytes of an element",
                Phrase(f"{stride} bytes"),
            )
    return tensor(array)


@contextlib.contextmanager
def prepared(descriptor: Any) -> Iterator[None]:
    """Makes a descriptor one that Triton can check, and keeps it so.

    Args:
        descriptor: A descriptor of an array.

    Raises:
        TLXError: The tensor memory accelerator cannot use it, or Triton rejects it for
            another reason.
    """
    descriptor.base = base_of(descriptor.base)
    _check(descriptor)
    # Triton asks the element type whether it is a float, and NumPy's cannot tell.
    padding, descriptor.padding = descriptor.padding, "zero"
    try:
        yield
    except (AssertionError, TypeError, ValueError) as error:
        if isinstance(error, TLXError):
            raise
        raise ArgumentError(f"Triton rejects the tensor descriptor: {error}") from None
    finally:
        descriptor.padding = padding


def _check(descriptor: Any) -> None:
    base: SimulatedTensor = descriptor.base
    rank = len(descriptor.shape)
    if not 1 <= rank <= MAX_RANK:
        raise ShapeError.expects("shape", f"of rank 1 to {MAX_RANK}", rank)
    for name in ("strides", "block_shape"):
        found = len(getattr(descriptor, name))
        if found != rank:
            raise ShapeError.expects(name, f"of rank {rank}", found)
    for dim, extent in enumerate(descriptor.shape):
        if extent < 1:
            raise ShapeError.expects(f"shape[{dim}]", "at least 1", extent)
    _check_strides(descriptor.strides, base.itemsize)
    excess = base.data_ptr() % ALIGNMENT
    if excess:
        raise ArgumentError.expects(
            "base",
            f"at an address that is a multiple of {ALIGNMENT}",
            Phrase(f"one that is {excess} bytes behind it"),
        )
    _check_block(descriptor.block_shape)
    if descriptor.padding not in ("zero", "nan"):
        raise ArgumentError.expects("padding", "'zero' or 'nan'", descriptor.padding)
    name = triton_name("base", base.dtype)
    if descriptor.padding == "nan" and not name.startswith(("fp", "bf")):
        raise DTypeError.expects("base", "made of floats with padding nan", base.dtype)
    if descriptor.round_f32_to_tf32 and name != "fp32":
        raise DTypeError.expects(
            "base", "made of fp32 if they are rounded to tf32", base.dtype
        )


def _check_strides(strides: Sequence[int], itemsize: int) -> None:
    if strides[-1] != 1:
        error = ArgumentError.expects("strides[-1]", "1", strides[-1])
        error.message += "; np.ascontiguousarray(x) has contiguous rows"
        raise error
    for dim, stride in enumerate(strides[:-1]):
        nbytes = int(stride) * itemsize
        if nbytes < 0 or nbytes % ALIGNMENT:
            raise ArgumentError.expects(
                f"strides[{dim}]",
                f"a multiple of {ALIGNMENT} bytes",
                Phrase(f"{nbytes} bytes"),
            )


def _check_block(block: Sequence[Any]) -> None:
    for dim, extent in enumerate(block):
        try:
            size = operator.index(extent)
        except TypeError:
            raise ShapeError.expects(
                f"block_shape[{dim}]", "an integer", extent
            ) from None
        if size < 1 or size & (size - 1):
            legal = f"; next are {near(size)}" if size > 0 else ""
            raise ShapeError.expects(
                f"block_shape[{dim}]", f"a power of two{legal}", size
            )
    numel = math.prod(block)
    if numel > MAX_NUMEL:
        raise ShapeError.expects(
            "block_shape", f"of at most {MAX_NUMEL} elements", numel
        )
