# SPDX-License-Identifier: MIT
"""`tt.dot`."""

from __future__ import annotations

from tlx.simulator.code.registry import Meaning, pure
from tlx.simulator.ir.program import Op
from tlx.simulator.semantics.matmul import Precision, multiply


@pure("tt.dot", together=True)
def _dot(op: Op) -> Meaning:
    """`maxNumImpreciseAcc` permits a less precise sum, and has no effect."""
    precision = op.attrs.get("inputPrecision", Precision.IEEE)
    dtype = op.result_types[0].dtype  # type: ignore[union-attr]
    return lambda a, b, c: multiply(a, b, c, dtype, precision)
