# SPDX-License-Identifier: MIT
"""Conversion of floats to a narrower type, with each rounding that Triton has.

NumPy and ml_dtypes round to nearest even. Two things are added here: truncation, and
one rounding where ml_dtypes makes two (from 64 bits through f32).
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from tlx.simulator.semantics.values import UNSIGNED

_SIGN_LAST = {np.dtype(np.float64): np.int64, np.dtype(np.float32): np.int32}

FP8 = frozenset(
    np.dtype(t)
    for t in (
        ml_dtypes.float8_e4m3fn,
        ml_dtypes.float8_e5m2,
        ml_dtypes.float8_e4m3fnuz,
        ml_dtypes.float8_e5m2fnuz,
        ml_dtypes.float8_e4m3b11fnuz,
    )
)


def to_odd(rounded: Any, error: Any) -> Any:
    """Returns `rounded + error`, rounded to odd.

    A value rounded to odd rounds to the same narrower value as the exact one.

    Args:
        rounded: f64 or f32, a sum or conversion rounded to nearest.
        error: What was lost, exactly; only its sign counts.
    """
    rounded = np.asarray(rounded)
    bits = rounded.view(_SIGN_LAST[rounded.dtype])
    even = (bits & 1) == 0
    away = (np.sign(error) * np.where(np.signbit(rounded), -1, 1)).astype(bits.dtype)
    change = even & (error != 0) & np.isfinite(rounded)
    return np.where(change, bits + away, bits).view(rounded.dtype)


def _through_f32(x: Any) -> Any:
    """Narrows f64 to f32 such that a further rounding stays right."""
    near = np.asarray(x).astype(np.float32)
    return to_odd(near, x - near.astype(np.float64))


def to_nearest_even(x: Any, dtype: np.dtype[Any]) -> Any:
    """Rounds floats once, to nearest even; beyond the largest number to infinity."""
    if x.dtype == np.float64 and dtype not in (np.float32, np.float16, np.float64):
        x = _through_f32(x)
    return np.asarray(x).astype(dtype)


def toward_zero(x: Any, dtype: np.dtype[Any]) -> Any:
    """Rounds floats toward zero; a finite number stays finite."""
    near = to_nearest_even(x, dtype)
    wide = np.asarray(x).astype(np.float64)
    back = near.astype(np.float64)
    beyond = (np.abs(back) > np.abs(wide)) | (np.isnan(back) & np.isfinite(wide))
    bits = near.view(UNSIGNED[np.dtype(f"i{dtype.itemsize}")])
    return np.where(beyond, bits - 1, bits).astype(bits.dtype).view(dtype)


def saturate(x: Any, dtype: np.dtype[Any]) -> Any:
    """Limits floats to the finite numbers of a type; keeps NaN.

    PTX `cvt.satfinite`, which Triton uses for fp8 on Hopper.
    """
    most = x.dtype.type(ml_dtypes.finfo(dtype).max)
    return np.clip(x, -most, most)
