# SPDX-License-Identifier: MIT
"""`tt.dot_scaled`: products of operands with one scale for a group of elements.

Source of the formats: OCP Microscaling Formats (MX) specification 1.0.
"""

from __future__ import annotations

import enum
from collections.abc import Callable

import ml_dtypes
import numpy as np

from tlx.errors import UnsupportedError
from tlx.simulator.code.registry import Meaning, pure
from tlx.simulator.ir.program import Op
from tlx.simulator.semantics.rounding import to_nearest_even
from tlx.simulator.semantics.values import Array


class Format(enum.IntEnum):
    """Numbers of tt.ScaleDotElemType."""

    E4M3 = 0
    E5M2 = 1
    E2M3 = 2
    E3M2 = 3
    E2M1 = 4
    BF16 = 5
    FP16 = 6


_DTYPES = {
    Format.E4M3: ml_dtypes.float8_e4m3fn,
    Format.E5M2: ml_dtypes.float8_e5m2,
    Format.BF16: ml_dtypes.bfloat16,
    Format.FP16: np.float16,
}

_E2M1 = np.arange(16, dtype=np.uint8).view(ml_dtypes.float4_e2m1fn).astype(np.float64)


def unpack_e2m1(x: Array, axis: int) -> Array:
    """Returns the numbers of four bits, two in a byte along `axis`, low half first."""
    numbers = np.moveaxis(x.view(np.uint8), axis, -1)
    halves = np.stack((numbers & 15, numbers >> 4), axis=-1)
    flat = halves.reshape(*numbers.shape[:-1], -1)
    return np.moveaxis(_E2M1[flat], -1, axis)


def _decoder(op: Op, format: Format, axis: int) -> Callable[[Array], Array]:
    """Returns the function from an operand to its elements in f64."""
    if format == Format.E2M1:
        return lambda x: unpack_e2m1(x, axis)
    if format not in _DTYPES:
        raise UnsupportedError(
            f"the simulator cannot run 'tt.dot_scaled' with {format.name.lower()}",
            location=op.loc,
        )
    dtype = _DTYPES[format]
    return lambda x: x.view(dtype).astype(np.float64)


def decode_scale(scale: Array) -> Array:
    """Returns scales in f64: bytes are exponents (e8m0, 255 is NaN), or e4m3."""
    if scale.dtype.kind == "i":
        scale = scale.view(ml_dtypes.float8_e8m0fnu)
    return scale.astype(np.float64)


def _scaled(x: Array, scale: Array | None, axis: int) -> Array:
    """Multiplies groups of elements along `axis`, which is last in the scales."""
    if scale is None:
        return x
    factors = decode_scale(scale)
    group = x.shape[axis] // factors.shape[-1]
    wide = np.repeat(factors, group, axis=-1)
    return x * (wide if axis == -1 else np.swapaxes(wide, -1, -2))


@pure("tt.dot_scaled", together=True)
def _dot_scaled(op: Op) -> Meaning:
    """Computes (a * a_scale) @ (b * b_scale) + c.

    Scales are [M, K / group] and [N, K / group]; the group follows from the shapes.
    `fastMath` gives up the NaN of a scale, which is kept here.
    """
    left = Format(op.attrs["a_elem_type"])
    right = Format(op.attrs["b_elem_type"])
    a_of = _decoder(op, left, -1 if op.attrs["lhs_k_pack"] else -2)
    b_of = _decoder(op, right, -2 if op.attrs["rhs_k_pack"] else -1)
    *_, a_scales, b_scales = op.segments()
    out = op.result_types[0].dtype  # type: ignore[union-attr]

    def dot(*args: Array) -> Array:
        a, b, c = args[:3]
        a_scale = args[a_scales[0]] if a_scales else None
        b_scale = args[b_scales[0]] if b_scales else None
        lhs = _scaled(a_of(a), a_scale, -1)
        rhs = _scaled(b_of(b), b_scale, -2)
        total = np.matmul(lhs, rhs) + c.astype(np.float64)
        return to_nearest_even(total, np.dtype(out))

    return dot
