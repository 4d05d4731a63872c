# SPDX-License-Identifier: MIT
"""The functions around the example kernels run in the simulator, without torch."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from tlx.simulator import tensor
from tlx.testing import check_kernel

_EXAMPLES = Path(__file__).parents[3] / "examples"


def load(name):
    spec = importlib.util.spec_from_file_location(f"sim_{name}", _EXAMPLES / name)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def random(*shape):
    rng = np.random.default_rng(0)
    return tensor(rng.standard_normal(shape).astype(np.float16))


@pytest.mark.parametrize("use_tma", [True, False])
@pytest.mark.parametrize("shape", [(64, 64), (200, 144)])
def test_ring_copy(shape, use_tma):
    example = load("01_ring_copy.py")
    check_kernel(
        lambda x: example.copy(x, use_tma=use_tma, programs=2),
        example.reference,
        [random(*shape)],
        seeds=[0],
    )


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("02_gemm_cp_async.py", {}),
        ("03_gemm_ws.py", {}),
        ("03_gemm_ws.py", {"persistent": True, "programs": 1}),
        ("04_gemm_pingpong.py", {"programs": 1}),
    ],
)
def test_matmul(name, options):
    example = load(name)
    check_kernel(
        lambda a, b: example.matmul(a, b, **options),
        example.reference,
        [random(160, 192), random(192, 272)],
        seeds=[0],
    )


@pytest.mark.parametrize("causal", [False, True])
def test_attention(causal):
    example = load("05_attention.py")
    check_kernel(
        lambda *qkv: example.attention(*qkv, causal=causal),
        lambda *qkv: example.reference(*qkv, causal=causal),
        [random(1, 2, 144, 64)] * 3,
        seeds=[0],
        atol=2e-3,
    )


def test_columns_that_cp_async_cannot_copy():
    with pytest.raises(ValueError, match="multiple of 16, but got 24"):
        load("01_ring_copy.py").copy(random(16, 24), use_tma=False)
