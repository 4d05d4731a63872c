# SPDX-License-Identifier: MIT
"""Operations that make tensors or move their elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from tlx.simulator.code.registry import Meaning, pure
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Tensor
from tlx.simulator.semantics.values import Array, to_scalar


def _result(op: Op) -> tuple[tuple[int, ...], np.dtype[Any]]:
    type = op.result_types[0]
    assert isinstance(type, Tensor)
    return type.shape or (), type.dtype


@pure("tt.splat")
def _splat(op: Op) -> Meaning:
    shape, dtype = _result(op)
    return lambda x: np.full(shape, x, dtype=dtype)


@pure("tt.unsplat")
def _unsplat(op: Op) -> Meaning:
    type = op.result_types[0]
    return lambda x: to_scalar(x.item() if x.dtype.kind in "ib" else x.flat[0], type)


@pure("tt.make_range")
def _make_range(op: Op) -> Meaning:
    value = np.arange(op.attrs["start"], op.attrs["end"], dtype=np.int32)
    value = value.astype(_result(op)[1])
    value.flags.writeable = False
    return lambda: value


@pure("tt.broadcast")
def _broadcast(op: Op) -> Meaning:
    shape, _ = _result(op)
    return lambda x: np.broadcast_to(x, shape)


@pure("tt.expand_dims")
def _expand_dims(op: Op) -> Meaning:
    shape, _ = _result(op)
    return lambda x: x.reshape(shape)


@pure("tt.reshape")
def _reshape(op: Op) -> Meaning:
    """Keeps row-major order, which `allow_reorder` permits as well."""
    shape, _ = _result(op)
    return lambda x: x.reshape(shape)


@pure("tt.trans")
def _trans(op: Op) -> Meaning:
    order = tuple(op.attrs["order"])
    return lambda x: x.transpose(order)


@pure("tt.cat")
def _cat(op: Op) -> Meaning:
    """Puts the operands one after the other along the first dimension."""
    return lambda a, b: np.concatenate((a, b))


@pure("tt.join")
def _join(op: Op) -> Meaning:
    return lambda a, b: np.stack((a, b), axis=-1)


@pure("tt.split")
def _split(op: Op) -> Meaning:
    return lambda x: (x[..., 0], x[..., 1])


@pure("tt.gather", together=True)
def _gather(op: Op) -> Meaning:
    """An index beyond the axis, which Triton leaves open, wraps around."""
    axis = op.attrs["axis"]

    def gather(source: Array, indices: Array) -> Array:
        places = np.remainder(indices, source.shape[axis]).astype(np.int64)
        if source.ndim == 1:
            return source[places]
        grid = list(np.indices(indices.shape, sparse=True))
        grid[axis] = places
        return source[tuple(grid)]

    return gather


@pure("tt.histogram", together=True)
def _histogram(op: Op) -> Meaning:
    """Counts numbers from 0 up to the bins. Others, left open, are not counted."""
    (bins,), dtype = _result(op)

    def histogram(x: Array, mask: Array | None = None) -> Array:
        counted = (x >= 0) & (x < bins)
        if mask is not None:
            counted &= mask
        return np.bincount(x[counted], minlength=bins).astype(dtype)

    return histogram


@pure("ttg.convert_layout", together=True)
def _convert_layout(op: Op) -> Meaning:
    """Moves elements between threads; the tensor stays the same."""
    return lambda x: x
