# SPDX-License-Identifier: MIT
"""The simulator's time and memory grow with the work; limits are generous."""

import importlib.util
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import tlx
from tlx.simulator import tensor

EXAMPLES = Path(__file__).parents[2] / "examples"
CONFIG = {
    "BLOCK_M": 128,
    "BLOCK_N": 64,
    "BLOCK_K": 64,
    "GROUP_M": 2,
    "STAGES": 3,
    "CONSUMERS": 2,
    "CONSUMER_REGS": 240,
}


@pytest.fixture(scope="module")
def example():
    path = EXAMPLES / "03_gemm_ws.py"
    spec = importlib.util.spec_from_file_location("cost_gemm_ws", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def multiply(example, m, n, k, **options):
    """Runs a product; returns the report."""
    a, b = (tensor(np.ones(shape, np.float16)) for shape in ((m, k), (k, n)))
    with tlx.simulate(**options) as run:
        example.matmul(a, b, config=CONFIG)
    return run.reports[0]


def peak(example, m, n, k, **options):
    """Returns the bytes held at most during a run, and those of the tensors."""
    multiply(example, m, n, k, **options)
    tracemalloc.start()
    multiply(example, m, n, k, **options)
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return held, 2 * (m * n + m * k + k * n)


def test_steps_grow_linearly_with_the_loop(example):
    steps = [multiply(example, 128, 64, k).steps for k in (256, 512, 1024)]
    assert steps[2] - steps[1] == 2 * (steps[1] - steps[0]) > 0


def test_steps_grow_linearly_with_the_grid(example):
    sizes = ((128, 64), (256, 64), (384, 128))
    one, two, six = (multiply(example, m, n, 128).steps for m, n in sizes)
    assert (two, six) == (2 * one, 6 * one)


def test_seconds_of_a_small_product(example):
    """About 0.1 s; a hundred times that would be a fault, not a slow machine."""
    multiply(example, 256, 256, 256)
    start = time.process_time()
    report = multiply(example, 256, 256, 256)
    assert time.process_time() - start < 10
    assert report.steps < 2000


def test_time_of_a_step_does_not_grow(example):
    """Eight times the steps take eight times as long, or somewhat more."""

    def seconds(k):
        runs = []
        for _ in range(3):
            start = time.process_time()
            multiply(example, 128, 64, k)
            runs.append(time.process_time() - start)
        return min(runs)

    multiply(example, 128, 64, 512)
    assert seconds(8192) < 4 * 8 * seconds(1024) + 0.5


def test_memory_is_a_few_times_the_tensors(example):
    small, small_tensors = peak(example, 128, 64, 1024)
    large, large_tensors = peak(example, 128, 64, 16384)
    assert large - small < 7 * (large_tensors - small_tensors)


def test_ctas_that_are_over_hold_no_memory(example):
    few, few_tensors = peak(example, 256, 64, 64, resident=2)
    many, many_tensors = peak(example, 2048, 64, 64, resident=2)
    shared = 3 * (128 + 64) * 64 * 2
    assert many - few < 7 * (many_tensors - few_tensors) + 2 * shared
