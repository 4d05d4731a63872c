# SPDX-License-Identifier: MIT
"""The autotuner on a GPU: bad configurations cost themselves only."""

import pytest
import triton
import triton.language as tl

import tlx
from tlx.errors import TLXWarning


@triton.jit
def scale(x, y, n, SIZE: tl.constexpr, SLOTS: tl.constexpr):
    ring = tlx.local_alloc((SIZE,), tl.float32, SLOTS)
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tlx.local_store(ring[0], tl.load(x + i, mask=i < n, other=0.0))
    tl.store(y + i, tlx.local_load(ring[0]) * 3, mask=i < n)


def config(size, slots=1, **options):
    return triton.Config({"SIZE": size, "SLOTS": slots}, **options)


def test_bad_configurations_are_left_out(torch):
    bad = [config(256, num_warps=3), config(256, num_warps=64), config(4096, 64)]
    good = [config(256), config(1024, num_warps=8)]
    kernel = triton.autotune([*bad, *good], key=["n"])(scale)
    x = torch.randn(10_000, device="cuda")
    y = torch.zeros_like(x)
    with pytest.warns(TLXWarning, match="is left out") as warned:
        kernel[lambda meta: (triton.cdiv(x.numel(), meta["SIZE"]),)](x, y, x.numel())
    messages = [str(warning.message) for warning in warned]
    assert len(messages) == len(bad)
    assert "to be a power of two from 1 to 32, but got 3" in messages[0]
    assert "to be at most 32" in messages[1]
    assert "shared memory" in messages[2]
    assert kernel.best_config in good
    assert torch.equal(y, x * 3)
