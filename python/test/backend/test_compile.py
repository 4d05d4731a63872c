# SPDX-License-Identifier: MIT
"""Kernels go the whole way: stages, metadata, options, dumps, errors."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import triton
import triton.language as tl
from triton.compiler import ASTSource

import tlx
from tlx import errors
from tlx.backend import force, lowering, names
from tlx.backend.inventory import Inventory

STAGES = {"source", "tlxir", "tlx_ttgir", "ttgir", "llir", "ptx", "cubin"}


@triton.jit
def add(x, y, out, n, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    mask = at < n
    total = tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask)
    tl.store(out + at, total, mask=mask)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TLX_REPRODUCER_DIR", str(tmp_path / "reproducers"))
    return tmp_path / "cache"


SIGNATURE = {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32"}


def compile_add(capability=90, size=256, *, kernel=None, **options):
    attrs = {(i,): [["tt.divisibility", 16]] for i in range(4)}
    signature = {**SIGNATURE, "SIZE": "constexpr"}
    source = ASTSource(kernel or force(add), signature, {"SIZE": size}, attrs)
    target = names.GPUTarget("cuda", capability, 32)
    return triton.compile(source, target=target, options=options)


@pytest.mark.parametrize("capability", [90, 100])
def test_all_stages_are_kept(capability):
    kernel = compile_add(capability)
    assert kernel.asm.keys() == STAGES
    assert "tt.load" in kernel.asm["tlxir"]
    assert "#ttg" not in kernel.asm["tlxir"]
    assert "#ttg.blocked" in kernel.asm["tlx_ttgir"]
    assert f'"cuda:{capability}"' in kernel.asm["ttgir"]
    assert f".target sm_{capability}a" in kernel.asm["ptx"]
    assert kernel.asm["cubin"].startswith(b"\x7fELF")


def test_metadata_is_what_the_launcher_needs():
    stock = compile_add(kernel=add).metadata._asdict()
    ours = compile_add().metadata._asdict()
    assert ours.keys() == stock.keys()
    different = {key for key in ours if ours[key] != stock[key]}
    assert different <= {"hash"}


def test_options_reach_the_kernel():
    kernel = compile_add(num_warps=8, maxnreg=64)
    assert kernel.metadata.num_warps == 8
    assert ".reqntid 256" in kernel.asm["ptx"]
    assert ".maxnreg 64" in kernel.asm["ptx"]


def test_kernel_of_the_cache_is_the_same(cache):
    first, again = compile_add(), compile_add()
    assert first.hash == again.hash
    assert first.asm == again.asm
    assert compile_add(num_warps=8).hash != first.hash


def test_lines_of_the_user_reach_ptx():
    ptx = compile_add().asm["ptx"]
    line = Path(__file__).read_text().split("\n").index("    mask = at < n") + 1
    assert Path(__file__).name in ptx
    lines = {int(match) for match in re.findall(r"\.loc\s+1 (\d+)", ptx)}
    assert line in lines or line + 1 in lines


def test_kernel_dump(monkeypatch, tmp_path):
    monkeypatch.setenv("TRITON_KERNEL_DUMP", "1")
    monkeypatch.setenv("TRITON_DUMP_DIR", str(tmp_path / "dump"))
    compile_add()
    dumped = {path.suffix[1:] for path in (tmp_path / "dump").glob("*/add.*")}
    assert dumped >= STAGES - {"source"}


def test_override_of_ttgir(monkeypatch, tmp_path):
    kernel = compile_add()
    monkeypatch.setenv("TRITON_KERNEL_OVERRIDE", "1")
    monkeypatch.setenv("TRITON_OVERRIDE_DIR", str(tmp_path / "override"))
    monkeypatch.setenv("TRITON_ALWAYS_COMPILE", "1")
    folder = next((tmp_path / "cache").glob("*/add.ttgir")).parent
    hash_of_source = kernel.src.hash()
    from triton.runtime.cache import get_override_manager

    target = Path(get_override_manager(hash_of_source).cache_dir)
    target.mkdir(parents=True)
    text = (folder / "add.ttgir").read_text()
    (target / "add.ttgir").write_text(text.replace("arith.addf", "arith.mulf"))
    assert "mul.f32" in compile_add().asm["ptx"]


def test_passes_are_dumped_on_request(monkeypatch, tmp_path):
    file = tmp_path / "kernels.py"
    file.write_text(
        "import triton\nimport triton.language as tl\n@triton.jit\n"
        "def store(x):\n    tl.store(x + tl.arange(0, 64), 1.0)\n"
    )
    command = [sys.executable, "-W", "ignore", "-m", "tlx", "compile", str(file)]
    command += ["--force", "--signature", "x=*fp32", "-o", str(tmp_path)]
    monkeypatch.setenv("PYTHONPATH", str(Path(tlx.__file__).parents[1]))

    def dump(value):
        monkeypatch.setenv("MLIR_ENABLE_DUMP", value)
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return done.stderr

    text = dump("store")
    assert "IR Dump After" in text
    assert "tritongpu-coalesce" in text
    assert dump("another") == ""


def test_dump_variable():
    assert not lowering.is_dump_enabled("add")


def test_tasks_of_a_compiled_kernel():
    kernel = compile_add()
    before = Inventory.of(kernel.asm["ttgir"])
    assert before.warps_text() == "4"
    assert not before.is_explicit


@triton.jit
def too_much(x):
    tiles = tlx.local_alloc((128, 128), tl.float32, 3)
    more = tlx.local_alloc((128, 128), tl.float32, 3)
    tlx.local_store(tiles[0], tlx.local_load(more[1]))


@triton.jit
def misspelt(x):
    tlx.local_aloc((64, 64), tl.float16, 2)


def compile_one(kernel):
    source = ASTSource(kernel, {"x": "*fp32"})
    return triton.compile(source, target=names.GPUTarget("cuda", 90, 32))


def test_error_of_a_pass_is_short_and_at_the_line(tmp_path):
    with pytest.raises(errors.ResourceError) as caught:
        compile_one(too_much)
    error = caught.value
    assert isinstance(error, names.CompileTimeAssertionFailure)
    assert error.file == __file__
    assert "tlx.local_alloc((128, 128), tl.float32, 3)" in str(error)
    assert "393216" in str(error)
    assert "builtin.module" not in str(error)
    # The fault is the user's: there is nothing to reproduce.
    assert not list((tmp_path / "reproducers").iterdir())


@triton.jit
def exchanges(x, y):
    """A transposed tensor goes through shared memory beside the user's buffers."""
    tiles = tlx.local_alloc((128, 128), tl.float32, 3)
    tlx.local_store(tiles[0], tl.zeros((128, 128), tl.float32))
    offs = tl.arange(0, 128)[:, None] * 128 + tl.arange(0, 128)[None, :]
    tl.store(y + offs, tl.trans(tl.load(x + offs)) + tlx.local_load(tiles[1]))


def test_shared_memory_that_triton_adds():
    source = ASTSource(exchanges, {"x": "*fp32", "y": "*fp32"}, {})
    with pytest.raises(errors.ResourceError) as caught:
        triton.compile(source, target=names.GPUTarget("cuda", 90, 32))
    assert caught.value.message.startswith(
        "expects at most 232448 bytes of shared memory on sm_90, but the kernel takes "
    )
    assert caught.value.message.endswith(
        " with what Triton adds for exchanges between threads"
    )


def test_error_of_the_front_end_is_at_the_line():
    with pytest.raises(
        errors.UnknownNameError, match="did you mean 'local_alloc'"
    ) as e:
        compile_one(misspelt)
    assert isinstance(e.value, names.CompileTimeAssertionFailure)
    assert "    tlx.local_aloc((64, 64), tl.float16, 2)\n    ^" in str(e.value)


def test_slip_of_a_pass_leaves_a_reproducer(monkeypatch, tmp_path):
    monkeypatch.setattr(lowering, "passes", lambda version: "no-such-pass")
    with pytest.raises(errors.InternalError, match="TLX's passes failed") as caught:
        compile_add(size=128)
    (file,) = (tmp_path / "reproducers").iterdir()
    assert caught.value.reproducer == str(file)
    assert "tt.func public @add" in file.read_text()
