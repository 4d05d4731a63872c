# SPDX-License-Identifier: MIT
"""Constants and values that were never defined."""

import numpy as np
import pytest
from evaluation import evaluate


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-5 : i32", -5),
        ("true", 1),
        ("7 : index", 7),
        ("1.5 : f16", 1.5),
        ("0xFF800000 : f32", -np.inf),
        ("dense<3> : tensor<2xi32>", [3, 3]),
        ("dense<[1.0, -2.5]> : tensor<2xbf16>", [1.0, -2.5]),
        ("dense<[true, false]> : tensor<2xi1>", [True, False]),
        ("dense<0.5> : tensor<1x2xf8E4M3FN>", [[0.5, 0.5]]),
    ],
)
def test_constant(text, expected):
    result = evaluate("", f"arith.constant {text}")
    assert np.asarray(result).tolist() == expected


def test_poison_shows():
    for name in ("ub.poison", "llvm.mlir.undef", "llvm.mlir.poison"):
        assert np.isnan(evaluate("", f"{name} : f32"))
    assert evaluate("", "ub.poison : i32") == -0x5A5A5A5B
    assert evaluate("", "ub.poison : i8") == -0x5B
    assert evaluate("", "ub.poison : i1") == 1
    assert np.isnan(evaluate("", "ub.poison : tensor<2xf16>")).all()
    assert evaluate("", "ub.poison : tensor<2xi1>").all()
    assert evaluate("", "ub.poison : !tt.ptr<f32>") < 0
