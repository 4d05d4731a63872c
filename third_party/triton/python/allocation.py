# SPDX-License-Identifier: MIT
"""Global memory for kernels that need some where the user has set no allocator.

A descriptor that a kernel makes lies in global memory that the host provides at the
launch, with the function that `triton.set_allocator` sets. Where none is set, Triton
has an object that only raises; its class learns to ask torch. What a user sets is
another object, so it is never replaced, in no thread.
"""

from __future__ import annotations

import contextlib
import importlib
from typing import Any

from tlx.backend import names
from tlx.errors import ResourceError


def _torch() -> Any:
    """Returns torch if it is installed and has a GPU, else None."""
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        return None
    return torch if torch.cuda.is_available() else None


def _on_stream(torch: Any, stream: int | None) -> Any:
    """Returns the context in which torch's memory belongs to a stream.

    The buffer goes back to torch as soon as the launch is on its way. Others get it
    only after the kernel has ended if torch knows where the kernel runs.
    """
    if stream is None or stream == torch.cuda.current_stream().cuda_stream:
        return contextlib.nullcontext()
    return torch.cuda.stream(torch.cuda.ExternalStream(stream))


def allocate(null: Any, size: int, alignment: int, stream: int | None) -> Any:
    """Stands in for `NullAllocator.__call__`: takes memory of the GPU from torch.

    Args:
        null: Triton's object for "no allocator".
        size: Bytes.
        alignment: What the address must be a multiple of.
        stream: Handle of the stream that the kernel is launched on.

    Returns:
        A tensor of bytes.

    Raises:
        ResourceError: There is no torch to ask.
    """
    del null
    torch = _torch()
    if torch is None:
        raise ResourceError(
            f"the kernel needs {size} bytes of global memory for tensor descriptors, "
            "and there is no torch to take them from; call triton.set_allocator(f), "
            "where f(size, alignment, stream) returns an object with data_ptr()"
        )
    with _on_stream(torch, stream):
        spare = torch.empty(size + alignment - 1, dtype=torch.int8, device="cuda")
    start = -spare.data_ptr() % alignment
    return spare[start : start + size]


def install() -> None:
    """Makes launches without an allocator ask torch. Further calls change nothing."""
    names.NullAllocator.__call__ = allocate  # type: ignore[method-assign]
