# SPDX-License-Identifier: MIT
"""TTGIR text goes through the wheel's passes and stages, without a GPU."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import tlx
from tlx.backend import names, stock_passes, wheel
from tlx.backend.capture import Captured
from tlx.errors import CompileError, InternalError, TargetError

IR = Path(__file__).parent / "ir"
SAMPLES = {"hopper_ws_gemm": 90, "blackwell_gemm": 100}


def lower(ttgir, capability):
    """Runs the stages behind TTGIR; returns PTX, cubin and metadata."""
    backend = names.make_backend(names.GPUTarget("cuda", capability, 32))
    options = backend.parse_options({"num_warps": 4})
    stages = {}
    backend.add_stages(stages, options, "tlx")
    metadata = {}
    llir = stages["llir"](ttgir, metadata)
    ptx = stages["ptx"](llir, metadata)
    return ptx, stages["cubin"](ptx, metadata), metadata


@pytest.fixture
def reproducers(tmp_path, monkeypatch):
    monkeypatch.setenv("TLX_REPRODUCER_DIR", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name", SAMPLES)
def test_ttgir_becomes_cubin(name, reproducers):
    capability = SAMPLES[name]
    module = wheel.lower_ttgir((IR / f"{name}.ttgir").read_text(), capability)
    # One entry for each of the three descriptors of the kernel.
    assert len(module.get_tensordesc_metadata()) == 3
    ptx, cubin, metadata = lower(module, capability)
    assert f".target sm_{capability}a" in ptx
    assert ("wgmma.mma_async" if capability == 90 else "tcgen05.mma") in ptx
    assert cubin.startswith(b"\x7fELF")
    assert metadata["shared"] > 0
    assert list(reproducers.iterdir()) == []


def test_num_warps_counts_all_tasks():
    module = wheel.lower_ttgir((IR / "hopper_ws_gemm.ttgir").read_text(), 90)
    _, _, metadata = lower(module, 90)
    # 4 of the kernel and 1 of the task, padded to whole warpgroups.
    assert metadata["num_warps"] == 8


def test_maxnreg_reaches_ptx():
    text = (IR / "blackwell_gemm.ttgir").read_text()
    ptx, _, _ = lower(wheel.lower_ttgir(text, 100, maxnreg=96), 100)
    assert ".maxnreg 96" in ptx


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("ttng.init_barrier", "ttng.init_barier", "unregistered operation"),
        ("pendings = 0 : i32", "pendings = : i32", "expected attribute value"),
    ],
    ids=["unknown-op", "syntax"],
)
def test_bad_text_is_one_short_error(old, new, message, reproducers, capfd):
    text = (IR / "blackwell_gemm.ttgir").read_text()
    assert old in text
    bad = text.replace(old, new)
    with pytest.raises(InternalError, match=message) as caught:
        wheel.lower_ttgir(bad, 100)
    (file,) = reproducers.iterdir()
    assert file.read_text() == bad
    assert caught.value.reproducer == str(file)
    assert len(str(caught.value)) < 700
    assert capfd.readouterr().err == ""


ABORT = """
import sys
from tlx.backend import wheel

MEMDESC = (
    "!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, "
    "transposed = false, elementBitWidth = 16}>, #ttg.shared_memory, mutable>"
)
# The parser asserts that the tensors of this operation have a layout.
wheel.lower_ttgir(f'''module attributes {{"ttg.num-warps" = 4 : i32}} {{
  tt.func public @aborts(%c: tensor<64x64xf32>, %a: {MEMDESC}) {{
    %d = ttng.warp_group_dot %a, %a, %c {{inputPrecision = 0 : i32}} :
        {MEMDESC} * {MEMDESC} -> tensor<64x64xf32>
    tt.return
  }}
}}''', 90)
"""


def test_abort_of_the_process_names_the_reproducer(reproducers):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ABORT],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(tlx.__file__).parents[1])},
    )
    assert done.returncode == -signal.SIGABRT
    (file,) = reproducers.iterdir()
    assert "Assertion" in done.stderr
    assert f"reproducer written to {file}" in done.stderr
    assert len(done.stderr.splitlines()) == 3
    assert "ttng.warp_group_dot" in file.read_text()


def test_error_at_a_line_of_the_kernel_is_the_user_s(reproducers, tmp_path):
    kernel = tmp_path / "kernel.py"
    kernel.write_text("first\n  tlx.async_load(x, y)\n")
    text = (IR / "blackwell_gemm.ttgir").read_text()
    # The wheel's verifier rejects a barrier that counts no arrivals.
    broken = re.sub(
        r'("ttng.init_barrier"\(%bar\).*)', rf'\1 loc("{kernel}":2:3)', text, count=1
    ).replace("count = 1 : i32", "count = 0 : i32")
    with pytest.raises(CompileError, match="count must be greater") as caught:
        wheel.lower_ttgir(broken, 100)
    error = caught.value
    assert (error.file, error.line, error.column) == (str(kernel), 2, 3)
    assert "    tlx.async_load(x, y)\n    ^" in str(error)
    assert f"reproducer written to {error.reproducer}" in str(error)


@pytest.mark.parametrize(
    ("line", "file", "message"),
    [
        ('loc("a.py":4:9): error: too big', "a.py", "too big"),
        ('loc("x"("a.py":4:9)): error: too big', "a.py", "too big"),
        ('loc(callsite("a.py":4:9 at "b.py":1:1)): error: no', "a.py", "no"),
        ("/tmp/k.ttgir:4:9: error: expected ','", "/tmp/k.ttgir", "expected ','"),
        ("error: nowhere", None, "nowhere"),
    ],
)
def test_first_error_of_captured_text(line, file, message):
    captured = Captured()
    captured.text = f"warning: something\n{line}\nerror: another\n"
    diagnostic = captured.first_error()
    assert diagnostic.message == message
    place = diagnostic.location
    assert (place and (place.file, place.line, place.column)) == (file and (file, 4, 9))


def test_every_pass_of_the_list_exists():
    for capability in (90, 100):
        for entry in stock_passes.select(
            names.TRITON_VERSION, capability, explicit=False
        ):
            assert callable(wheel._function(entry.name)), entry.name


def test_list_has_no_pass_that_is_excluded():
    selected = stock_passes.select(names.TRITON_VERSION, 100, explicit=False)
    assert not {entry.name for entry in selected} & stock_passes.EXCLUDED.keys()


def test_explicit_kernels_are_not_pipelined():
    selected = {entry.name for entry in stock_passes.select((3, 9), 100)}
    assert not selected & stock_passes.IMPLICIT_ONLY.keys()


def test_implicit_kernels_are_pipelined():
    passes = {
        entry.name: entry.args
        for entry in stock_passes.select((3, 9), 90, num_stages=5, explicit=False)
    }
    assert passes["ttgpuir.add_pipeline"] == (5, False)
    assert "ttgpuir.add_hoist_tmem_alloc" not in passes
    assert passes["nvidia.ttnvgpuir.add_fence_insertion"] == (90,)


def test_capability_of_an_unknown_architecture():
    class Options:
        arch = "gfx942"

    with pytest.raises(TargetError, match="expects the architecture to be like 'sm90'"):
        wheel.capability_of(Options)
