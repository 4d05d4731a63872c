# SPDX-License-Identifier: MIT
"""`tt.fp_to_fp`: conversion between float types, as Triton does it on Hopper."""

from __future__ import annotations

from tlx.simulator.code.registry import Meaning, pure
from tlx.simulator.ir.program import Op
from tlx.simulator.semantics.casts import dtype_of, for_scalars
from tlx.simulator.semantics.rounding import FP8, saturate, to_nearest_even, toward_zero

# Numbers of tt.RoundingMode.
_TOWARD_ZERO = 0


@pure("tt.fp_to_fp")
def _fp_to_fp(op: Op) -> Meaning:
    """Narrows with the rounding mode of the operation; widening is exact.

    To fp8, rounding to nearest turns a number beyond the largest, also an infinity,
    into the largest (PTX `cvt.satfinite`); NaN stays. Toward zero there is nothing to
    limit but infinities, which stay.
    """
    source, target = dtype_of(op.operand_types[0]), dtype_of(op.result_types[0])
    if op.attrs.get("rounding") == _TOWARD_ZERO:
        return for_scalars(op, lambda x: toward_zero(x, target))
    if target in FP8 and source not in FP8:
        return for_scalars(op, lambda x: to_nearest_even(saturate(x, target), target))
    return for_scalars(op, lambda x: to_nearest_even(x, target))
