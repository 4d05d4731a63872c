# SPDX-License-Identifier: MIT
"""Kernels of plain `tl` run in the simulator: locks, turns, queues, attention."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
import triton
import triton.language as tl

import tlx
from tlx.simulator.findings.deadlock import Deadlock
from tlx.simulator.findings.memory import OutOfRange, RaceError
from tlx.testing import check_kernel

_PATH = Path(__file__).with_name("plain_kernels.py")
_SPEC = importlib.util.spec_from_file_location("simulated_plain_kernels", _PATH)
plain = importlib.util.module_from_spec(_SPEC)
sys.modules[_SPEC.name] = plain
_SPEC.loader.exec_module(plain)

SCHEDULES = ["round_robin", "random", "reverse", "delay_cta"]
LEVELS = ["tlxir", "ttgir", "stock_ttgir"]


@pytest.fixture(params=LEVELS)
def level(request):
    return request.param


@pytest.fixture
def random():
    return np.random.default_rng(5)


def check(launch, reference, inputs, level, **options):
    options = {"schedules": SCHEDULES, **options}
    check_kernel(launch, reference, inputs, seeds=range(3), levels=[level], **options)


def halves(random, *shape):
    return random.standard_normal(shape).astype(np.float16)


def wide(*arrays):
    return [array.astype(np.float64) for array in arrays]


def normalised(x):
    centred = x - x.mean(1, keepdims=True)
    scale = 1 / np.sqrt(x.var(1, keepdims=True) + 1e-5)
    return centred * scale, scale


@pytest.mark.parametrize("size", [40, 150])
def test_layer_norm_forward(random, level, size):
    def launch(x, w, b):
        y = np.zeros_like(x)
        mean, rstd = np.zeros((2, len(x)), np.float32)
        plain.layer_norm_forward[(len(x),)](
            x, y, w, b, mean, rstd, size, 1e-5, BLOCK=64
        )
        return y, mean

    def reference(x, w, b):
        (x,) = wide(x)
        return normalised(x)[0] * w + b, x.mean(1)

    x = halves(random, 5, size)
    w, b = random.standard_normal((2, size)).astype(np.float32)
    check(launch, reference, [x, w, b], level, atol=1e-2)


def launch_backward(x, w, dy, unlock_early=False):
    rows, size = x.shape
    mean = x.astype(np.float64).mean(1).astype(np.float32)
    rstd = normalised(x.astype(np.float64))[1][:, 0].astype(np.float32)
    dx = np.zeros((rows, size), np.float32)
    dw, db = np.zeros((2, 2, size), np.float32)
    locks, used = np.zeros((2, 2), np.int32)
    plain.layer_norm_backward[(rows,)](
        *(x, w, dy, dx, dw, db, mean, rstd, locks, used, size),
        GROUPS=2,
        BLOCK=64,
        UNLOCK_EARLY=unlock_early,
    )
    return dx, dw.sum(0), db.sum(0)


def backward_inputs(random):
    w = random.standard_normal(40).astype(np.float32)
    return [halves(random, 7, 40), w, halves(random, 7, 40)]


def test_layer_norm_backward_with_locks(random, level):
    def reference(x, w, dy):
        x, w, dy = wide(x, w, dy)
        normal, scale = normalised(x)
        scaled = dy * w
        along = (normal * scaled).mean(1, keepdims=True)
        dx = (scaled - normal * along - scaled.mean(1, keepdims=True)) * scale
        return dx, (dy * normal).sum(0), dy.sum(0)

    check(launch_backward, reference, backward_inputs(random), level, atol=1e-3)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_unlocked_too_early(random, schedule):
    inputs = backward_inputs(random)
    with tlx.simulate(schedule=schedule), pytest.raises(RaceError, match="/used'"):
        launch_backward(*inputs, unlock_early=True)


def launch_split(a, b, in_turn=True, grid=None):
    (m, k), n = a.shape, b.shape[1]
    c = np.zeros((m, n), np.float32)
    turns = np.zeros(4, np.int32)
    plain.split_k[grid or (4, 3)](
        *(a, b, c, turns, m, n, k), BM=32, BN=32, BK=32, SPLIT=3, IN_TURN=in_turn
    )
    return c


def test_split_k_in_turns(random, level):
    inputs = [halves(random, 50, 100), halves(random, 100, 40)]

    def reference(a, b):
        return np.matmul(*wide(a, b))

    check(launch_split, reference, inputs, level, atol=1e-3)


def test_split_k_out_of_turn(random):
    a, b = halves(random, 50, 100), halves(random, 100, 40)
    with tlx.simulate(), pytest.raises(RaceError, match="'c'"):
        launch_split(a, b, in_turn=False)


def test_split_k_without_the_first_part(random):
    """The CTAs of a tile that should come first are not launched."""
    a, b = halves(random, 50, 100), halves(random, 100, 40)
    turns = np.ones(4, np.int32)
    c = np.zeros((50, 40), np.float32)
    with tlx.simulate(max_steps=20_000), pytest.raises(Deadlock):
        plain.split_k[(4, 1)](
            *(a, b, c, turns, 50, 40, 100), BM=32, BN=32, BK=32, SPLIT=3, IN_TURN=True
        )


@pytest.mark.parametrize("ctas", [1, 3])
def test_grouped_products_from_a_queue(random, level, ctas):
    shapes = [(40, 50, 64), (16, 16, 16), (70, 20, 40)]

    def launch(*operands):
        parts = []
        for a, b in zip(operands[::2], operands[1::2], strict=True):
            parts += [a, b, np.zeros((a.shape[0], b.shape[1]), np.float16)]
        data = np.concatenate([part.reshape(-1) for part in parts])
        starts = np.cumsum([0, *(part.size for part in parts)])
        plain.grouped_matmul[(ctas,)](
            *(data, starts[:-1], np.array(shapes, np.int32), np.zeros(1, np.int32)),
            len(shapes),
            BM=32,
            BN=32,
            BK=32,
        )
        pieces = np.split(data, starts[1:-1])
        return tuple(pieces[i].reshape(parts[i].shape) for i in (2, 5, 8))

    def reference(*operands):
        pairs = zip(operands[::2], operands[1::2], strict=True)
        return tuple(np.matmul(*wide(a, b)) for a, b in pairs)

    inputs = [halves(random, *s) for m, n, k in shapes for s in ((m, k), (k, n))]
    check(launch, reference, inputs, level)


@triton.jit
def follow(addresses, out):
    tl.store(out, tl.load(tl.load(addresses).to(tl.pointer_type(tl.int32))))


def test_addresses_in_memory_are_not_known():
    data, out = np.ones((2, 4), np.int32)
    addresses = np.array([data.ctypes.data], np.int64)
    message = r"a pointer is 0x[0-9a-f]+, where the launch has no array"
    with tlx.simulate(), pytest.raises(OutOfRange, match=message):
        follow[(1,)](addresses, out)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("length", [100, 128])
def test_attention(random, level, causal, length):
    def launch(q, k, v):
        out = np.zeros_like(q)
        plain.attention[(-(-length // 64), len(q))](
            *(q, k, v, out, 0.2, length), BM=64, BN=32, DIM=32, CAUSAL=causal
        )
        return out

    def reference(q, k, v):
        q, k, v = wide(q, k, v)
        weights = np.exp(0.2 * (q @ k.swapaxes(1, 2)))
        weights = np.tril(weights) if causal else weights
        return weights @ v / weights.sum(-1, keepdims=True)

    inputs = [halves(random, 2, length, 32) for _ in range(3)]
    check(launch, reference, inputs, level)
