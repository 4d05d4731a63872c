# SPDX-License-Identifier: MIT
"""Autotuned kernels, and kernels with heuristics, in the simulator."""

import numpy as np
import pytest
import triton
import triton.language as tl

import tlx
from tlx.errors import ArgumentError, TLXError, TLXWarning


@triton.jit
def fill(x, n, BLOCK: tl.constexpr):
    tl.static_assert(BLOCK >= 64, "too small")
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + i, BLOCK, mask=i < n)


@triton.jit
def allocate(x, SLOTS: tl.constexpr):
    ring = tlx.local_alloc((64, 64), tl.float32, SLOTS)
    tlx.local_store(ring[0], tl.full((64, 64), SLOTS, tl.float32))
    i = tl.arange(0, 64)
    tl.store(x + i[:, None] * 64 + i, tlx.local_load(ring[0]))


def configs(name, *values, **options):
    return [triton.Config({name: value}, **options) for value in values]


def test_first_configuration_that_compiles_runs():
    kernel = triton.autotune(configs("BLOCK", 16, 32, 64, 128), key=["n"])(fill)
    x = np.zeros(100, np.int32)
    with tlx.simulate() as run, pytest.warns(TLXWarning) as warned:
        kernel[lambda meta: (triton.cdiv(100, meta["BLOCK"]),)](x, 100)
    assert (x == 64).all()
    assert kernel.best_config.kwargs == {"BLOCK": 64}
    assert (run.launches, run.ctas) == (1, 2)
    messages = [str(w.message) for w in warned if w.category is TLXWarning]
    assert len(messages) == 2
    assert messages[0].startswith("configuration 'BLOCK: 16, ")
    assert " is left out: " in messages[0]
    assert messages[0].endswith(": the static assertion fails: too small")
    assert warned[0].filename == __file__


def test_nothing_is_left_behind_in_the_tuner():
    kernel = triton.autotune(configs("BLOCK", 64, 128), key=["n"])(fill)
    with tlx.simulate():
        kernel[(1,)](np.zeros(64, np.int32), 64)
    assert kernel.cache == {}
    assert kernel.nargs is None


def test_a_configuration_too_big_for_a_gpu_is_left_out():
    kernel = triton.autotune(configs("SLOTS", 64, 2), key=[])(allocate)
    x = np.zeros((64, 64), np.float32)
    with tlx.simulate(), pytest.warns(TLXWarning, match="shared memory"):
        kernel[(1,)](x)
    assert (x == 2).all()


def test_pruned_configurations_do_not_run():
    def prune(all_configs, named, **keywords):
        return [c for c in all_configs if c.kwargs["BLOCK"] > named["n"]]

    kernel = triton.autotune(
        configs("BLOCK", 64, 128), ["n"], prune_configs_by={"early_config_prune": prune}
    )(fill)
    with tlx.simulate():
        kernel[(1,)](np.zeros(100, np.int32), 100)
    assert kernel.best_config.kwargs == {"BLOCK": 128}


def test_hook_of_the_configuration_runs_before_it(calls):
    seen = []
    options = configs("BLOCK", 64, num_warps=8, pre_hook=seen.append)
    kernel = triton.autotune(options, key=["n"])(fill)
    with tlx.simulate():
        kernel[(1,)](np.zeros(64, np.int32), n=64)
    assert [(s["n"], s["BLOCK"], s["num_warps"]) for s in seen] == [(64, 64, 8)]
    assert calls[0].program.num_warps == 8


def test_no_configuration_compiles():
    kernel = triton.autotune(configs("SLOTS", 64, 128), key=[])(allocate)
    with (
        tlx.simulate(),
        pytest.warns(TLXWarning),
        pytest.raises(TLXError, match="shared memory"),
    ):
        kernel[(1,)](np.zeros((64, 64), np.float32))
    assert kernel.nargs is None


def test_launch_sets_what_the_configuration_sets(calls):
    kernel = triton.autotune(configs("BLOCK", 64, 128), key=["n"])(fill)
    with tlx.simulate(), pytest.raises(ArgumentError, match="from the configuration"):
        kernel[(1,)](np.zeros(64, np.int32), 64, BLOCK=64)


def test_heuristics(calls):
    @triton.autotune([triton.Config({})], key=["n"])
    @triton.heuristics({"BLOCK": lambda args: 64 * args["n"]})
    @triton.jit
    def kernel(x, n, BLOCK: tl.constexpr):
        tl.store(x + tl.arange(0, BLOCK), n)

    with tlx.simulate():
        result = kernel[(1,)](np.zeros(256, np.int32), 2)
    assert "end = 128" in result.asm["tlxir"]
