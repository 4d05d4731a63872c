# SPDX-License-Identifier: MIT
"""The examples' results on a GPU against fp32 references."""

import pytest

from examples import load_example

# M, N, K: one tile, many tiles, K not a multiple of the tile, all sides ragged, a K
# shorter than the ring of stages.
GEMM_SHAPES = [
    (128, 256, 64),
    (512, 1024, 768),
    (1024, 512, 1000),
    (1000, 1032, 520),
    (4096, 4096, 72),
    (640, 768, 8),
]
# Rows are multiples of 16 elements, so that Triton knows them to be aligned.
CP_ASYNC_SHAPES = [
    (128, 256, 64),
    (512, 1024, 768),
    (1000, 1040, 528),
    (4096, 4096, 80),
    (640, 768, 16),
]


def relative_error(got, want):
    """Norm of the difference over the norm of `want`; NaN if any value is NaN."""
    return ((got.float() - want).norm() / want.norm()).item()


def check_matmul(torch, multiply, shape, dtype, runs=3):
    """Compare multiply(a, b) with fp32; several runs with fresh data find races."""
    m, n, k = shape
    limit = {torch.float16: 1e-3, torch.bfloat16: 8e-3}[dtype]
    for _ in range(runs):
        a = torch.randn(m, k, device="cuda").to(dtype)
        b = torch.randn(k, n, device="cuda").to(dtype)
        error = relative_error(multiply(a, b), a.float() @ b.float())
        assert error < limit


@pytest.mark.parametrize("shape", [(64, 64), (1000, 1040), (4096, 512), (1, 16)])
@pytest.mark.parametrize("use_tma", [True, False])
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_ring_copy(torch, shape, use_tma, dtype):
    example = load_example("01_ring_copy")
    tile = (64, 64) if dtype == "float16" else (64, 32)
    src = torch.randn(shape, device="cuda").to(getattr(torch, dtype))
    assert torch.equal(example.copy(src, use_tma=use_tma, tile=tile), src)


@pytest.mark.parametrize("shape", CP_ASYNC_SHAPES)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_gemm_cp_async(torch, shape, dtype):
    example = load_example("02_gemm_cp_async")
    check_matmul(torch, example.matmul, shape, getattr(torch, dtype))


@pytest.mark.parametrize("shape", GEMM_SHAPES)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("persistent", [False, True])
def test_gemm_ws(torch, shape, dtype, persistent):
    example = load_example("03_gemm_ws")
    check_matmul(
        torch,
        lambda a, b: example.matmul(a, b, persistent=persistent),
        shape,
        getattr(torch, dtype),
    )


@pytest.mark.parametrize("consumers", [1, 2, 3])
def test_gemm_ws_consumers(torch, consumers):
    example = load_example("03_gemm_ws")
    config = {
        **example.CONFIGS["gemm_ws"],
        "BLOCK_M": 64 * consumers,
        "BLOCK_N": 128,
        "CONSUMERS": consumers,
        "CONSUMER_REGS": {1: 240, 2: 240, 3: 160}[consumers],
    }
    check_matmul(
        torch,
        lambda a, b: example.matmul(a, b, config=config),
        (1000, 1032, 520),
        torch.float16,
    )


@pytest.mark.parametrize("shape", GEMM_SHAPES)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_gemm_pingpong(torch, shape, dtype):
    example = load_example("04_gemm_pingpong")
    check_matmul(torch, example.matmul, shape, getattr(torch, dtype))


@pytest.mark.parametrize("sequence", [128, 256, 1000, 2048])
@pytest.mark.parametrize("head_dim", [64, 128])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_attention(torch, sequence, head_dim, causal, dtype):
    example = load_example("05_attention")
    dtype = getattr(torch, dtype)
    shape = (2, 4, sequence, head_dim)
    for _ in range(3):
        q, k, v = (torch.randn(shape, device="cuda").to(dtype) for _ in range(3))
        scores = q.float() @ k.float().transpose(-1, -2) * head_dim**-0.5
        if causal:
            mask = torch.ones(sequence, sequence, device="cuda", dtype=torch.bool)
            scores = scores.masked_fill(~mask.tril(), float("-inf"))
        want = scores.softmax(-1) @ v.float()
        o, lse = example.attention(q, k, v, causal=causal)
        assert relative_error(o, want) < (1e-3 if dtype == torch.float16 else 8e-3)
        torch.testing.assert_close(lse, scores.logsumexp(-1), atol=1e-3, rtol=1e-4)
