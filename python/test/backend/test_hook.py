# SPDX-License-Identifier: MIT
"""Triton hands us TLX kernels and only those, and stays what it was for others."""

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import triton
import triton.language as tl
from triton.compiler import ASTSource

import tlx
from tlx.backend import force, hook, names
from tlx.backend.cuda import TLXCUDABackend
from tlx.backend.source import TLXSource

# What a launch gets for a pointer, without a tensor library.
POINTER = triton.MockTensor(tl.float32)
TARGET = names.GPUTarget("cuda", 90, 32)


@triton.jit
def plain(x, N: tl.constexpr):
    tl.store(x + tl.arange(0, N), 1.0)


@triton.jit
def with_tlx(x):
    tlx.barrier_arrive(x)


def test_source_class_follows_the_kernel():
    assert type(ASTSource(plain, {"x": "*fp32", "N": "constexpr"})) is ASTSource
    source = ASTSource(fn=with_tlx, signature={"x": "*fp32"})
    assert type(source) is TLXSource
    assert (source.language, source.ext) == ("tlx", "tlxir")
    assert type(ASTSource(force(plain), {"x": "*fp32"}, {"N": 8})) is TLXSource


def test_helper_among_the_constants_counts():
    assert type(ASTSource(plain, {"x": "*fp32"}, {"N": with_tlx})) is TLXSource


def test_subclasses_of_others_are_left_alone():
    class Other(ASTSource):
        pass

    assert type(Other(with_tlx, {"x": "*fp32"})) is Other


def test_install_is_idempotent():
    before = (ASTSource.__new__, names.backends["nvidia"])
    hook.install()
    assert (ASTSource.__new__, names.backends["nvidia"]) == before
    assert names.backends["nvidia"].compiler is TLXCUDABackend


def test_install_does_not_replace_a_choice_of_somebody_else(monkeypatch):
    monkeypatch.setattr(ASTSource, "__new__", staticmethod(lambda cls, *args: None))
    with pytest.raises(tlx.errors.VersionError, match="to be undefined"):
        hook.install()


class Driver:
    """Stands in for the driver of a GPU, as far as compiling needs one."""

    get_current_target = staticmethod(lambda: TARGET)
    get_current_device = staticmethod(lambda: 0)
    get_current_stream = staticmethod(lambda device: 0)


class ReachedFrontEnd(Exception):
    """Our front end got the kernel."""


@pytest.fixture
def front_end(monkeypatch, tmp_path):
    """Makes our front end report that it was reached; Triton sees a GPU."""

    def make_ir(self, *arguments):
        raise ReachedFrontEnd

    monkeypatch.setattr(TLXSource, "make_ir", make_ir)
    monkeypatch.setattr(triton.runtime.driver, "_active", Driver())
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))


def test_launch_reaches_our_front_end(front_end):
    with pytest.raises(ReachedFrontEnd):
        with_tlx.warmup(POINTER, grid=(1,))
    with pytest.raises(ReachedFrontEnd):
        force(plain).warmup(POINTER, N=64, grid=(1,), num_warps=2)


def test_launch_of_a_plain_kernel_does_not(front_end):
    kernel = plain.warmup(POINTER, N=64, grid=(1,), num_warps=2)
    assert ".reqntid 64" in kernel.asm["ptx"]


def test_upstream_still_has_what_the_hook_relies_on():
    parameters = list(inspect.signature(ASTSource.__init__).parameters)
    assert parameters == ["self", "fn", "signature", "constexprs", "attrs"]
    for name in ("make_ir", "hash", "parse_options"):
        assert callable(getattr(ASTSource, name))
    base = names.CUDABackend
    assert list(inspect.signature(base.add_stages).parameters) == [
        "self",
        "stages",
        "options",
        "language",
    ]
    stages = {}
    options = base(TARGET).parse_options({})
    base(TARGET).add_stages(stages, options, "a language it does not know")
    assert list(stages) == ["llir", "ptx", "cubin"]


def test_upstream_still_has_the_methods_that_are_wrapped():
    def parameters(method):
        assert method.__module__.startswith("tlx.")
        return list(inspect.signature(inspect.unwrap(method)).parameters)

    pack = parameters(names.JITFunction._pack_args)
    assert pack[:4] == ["self", "backend", "kwargs", "bound_args"]
    assert parameters(names.Autotuner._bench) == ["self", "args", "config", "meta"]
    assert parameters(names.Autotuner.warmup) == ["self", "args", "kwargs"]
    bench = inspect.getsource(inspect.unwrap(names.Autotuner._bench))
    assert "self.post_hook(full_nargs, exception=e)" in bench


def test_stages_of_a_tlx_kernel():
    backend = names.make_backend(TARGET)
    stages = {}
    backend.add_stages(stages, backend.parse_options({}), "tlx")
    assert list(stages) == ["tlxir", "tlx_ttgir", "ttgir", "llir", "ptx", "cubin"]


COMPILE = """
import json, os, sys, tempfile
os.environ["TRITON_CACHE_DIR"] = tempfile.mkdtemp()
if sys.argv[2] == "with":
    import tlx
import importlib.util
spec = importlib.util.spec_from_file_location("kernels", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
import triton
from triton.compiler import ASTSource
from triton.backends.compiler import GPUTarget
assert ("tlx" in sys.modules) == (sys.argv[2] == "with")
source = ASTSource(module.plain, {"x": "*fp32", "N": "constexpr"}, {"N": 128})
kernel = triton.compile(source, target=GPUTarget("cuda", 90, 32))
print(json.dumps([kernel.hash, kernel.asm["ptx"], sorted(kernel.asm)]))
"""

KERNEL = """
import triton
import triton.language as tl

@triton.jit
def plain(x, N: tl.constexpr):
    tl.store(x + tl.arange(0, N), 1.0)
"""


def test_plain_kernel_is_compiled_as_if_we_were_not_there(stock_triton, tmp_path):
    file = tmp_path / "kernels.py"
    file.write_text(KERNEL)
    path = os.pathsep.join([str(stock_triton), str(Path(tlx.__file__).parents[1])])
    outputs = [
        subprocess.run(
            [sys.executable, "-c", COMPILE, str(file), mode],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        ).stdout
        for mode in ("with", "without")
    ]
    assert json.loads(outputs[0]) == json.loads(outputs[1])
    assert "ttir" in json.loads(outputs[0])[2]


def test_other_targets_are_an_error():
    source = ASTSource(with_tlx, {"x": "*fp32"})
    with pytest.raises(tlx.errors.TargetError, match="to be a CUDA GPU, but got 'hip'"):
        source.make_ir(names.GPUTarget("hip", "gfx942", 64), None, {}, {}, None)
