# SPDX-License-Identifier: MIT
"""Triton's sanitizers are built into kernels of TLX, or refused; never left out."""

import numpy as np
import pytest
import triton
import triton.language as tl

import tlx
from tlx.backend import aot, instrumentation, names
from tlx.errors import ArgumentError, UnsupportedError

TARGET = names.GPUTarget("cuda", 90, 32)
IS_NEW = names.TRITON_VERSION >= (3, 9)


@triton.jit
def scale(x, stride):
    there = tl.make_tensor_descriptor(x, [32, 32], [stride, 1], [32, 32])
    buffer = tlx.local_alloc((32, 32), tl.float32, 1)
    tlx.local_store(buffer[0], there.load([0, 0]))
    there.store([0, 0], tlx.local_load(buffer[0]) * 3.0)


@pytest.fixture
def mode(monkeypatch):
    """Sets what `TRITON_INSTRUMENTATION_MODE` says when Triton is imported."""

    def choose(text):
        monkeypatch.setattr(names.knobs.compilation, "instrumentation_mode", text)

    return choose


def compile_stages():
    source = aot.make_source(scale, {"x": "*fp32", "stride": "i64"}, {}, {})
    return dict(aot.run_stages(source, TARGET, {}, {}))


def test_nothing_is_there_unasked(mode):
    mode("")
    stages = compile_stages()
    assert "arith.mulf" in stages["ttgir"]
    assert "__assertfail" not in stages["ptx"]


def test_floating_point_sanitizer(mode):
    mode("fpsan")
    stages = compile_stages()
    # It computes with integers in place of floats.
    assert "arith.mulf" in stages["tlx_ttgir"]
    assert "arith.mulf" not in stages["ttgir"]
    assert "arith.muli" in stages["ttgir"]


def test_concurrency_sanitizer(mode):
    mode("consan")
    ptx = compile_stages()["ptx"]
    assert "__assertfail" in ptx
    mode("")
    assert len(ptx) > 2 * len(compile_stages()["ptx"])


@pytest.mark.skipif(not IS_NEW, reason="Triton 3.8 does not check descriptors")
def test_illegal_instruction_sanitizer(mode):
    mode("iisan")
    stages = compile_stages()
    for stage in ("tlxir", "ttgir"):
        assert "must be 16-byte aligned" in stages[stage]
    assert "__assertfail" in stages["ptx"]


def test_several_at_once(mode):
    mode("fpsan, consan")
    stages = compile_stages()
    assert "arith.mulf" not in stages["ttgir"]
    assert "__assertfail" in stages["ptx"]


def test_what_needs_a_gpu_is_refused_without(mode):
    mode("consan,gsan")
    with pytest.raises(UnsupportedError) as caught:
        compile_stages()
    assert caught.value.message == (
        "expects 'TRITON_INSTRUMENTATION_MODE' to be without gsan where no kernel is "
        "launched, but got 'consan,gsan': it needs a GPU"
    )


def test_unknown_mode(mode):
    mode("tsan")
    with pytest.raises(ArgumentError, match="to name some of consan, fpsan"):
        compile_stages()


@pytest.mark.parametrize("level", ["tlxir", "ttgir", "stock_ttgir"])
def test_simulator_refuses(mode, level):
    mode("fpsan")
    with tlx.simulate(level=level), pytest.raises(UnsupportedError) as caught:
        scale[(1,)](np.zeros((32, 32), np.float32), 32)
    assert caught.value.message == (
        "expects 'TRITON_INSTRUMENTATION_MODE' to be unset in the simulator, but got "
        "'fpsan'"
    )


def test_mode_of_the_profiler_passes_through():
    instrumentation.check(
        "default:metric_type=cycle:optimizations=sched_stores,clock32"
    )
    options = names.CUDAOptions(instrumentation_mode="mma:optimizations=fpsan")
    assert instrumentation.passes(options, names.TRITON_VERSION) == ()
