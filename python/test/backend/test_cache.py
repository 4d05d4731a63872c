# SPDX-License-Identifier: MIT
"""The cache key follows whatever decides the result; the cache survives accidents."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import triton
import triton.language as tl
from triton.compiler import ASTSource

import tlx
from tlx.backend import digest, force, names, source, stock_passes

PACKAGE = Path(tlx.__file__).parent


@triton.jit
def plain(x, N: tl.constexpr):
    tl.store(x + tl.arange(0, N), 1.0)


SIGNATURE = ({"x": "*fp32", "N": "constexpr"}, {"N": 128})


@pytest.fixture
def copy(tmp_path):
    """Returns a small package folder: some sources, a link, an extension."""
    package = tmp_path / "tlx"
    (package / "language").mkdir(parents=True)
    (package / "__init__.py").write_text("x = 1")
    (package / "language" / "core.py").write_text("y = 1")
    (package / "_ext.cpython-311.so").write_bytes(b"\x7fELF")
    adapter = tmp_path / "adapter"
    adapter.mkdir()
    (adapter / "hook.py").write_text("z = 1")
    (package / "backend").symlink_to(adapter)
    return package


@pytest.mark.parametrize(
    "file",
    ["__init__.py", "language/core.py", "backend/hook.py", "_ext.cpython-311.so"],
)
def test_key_follows_each_file(file, copy):
    before = digest.compute(copy, "0.1")
    path = copy / file
    path.write_bytes(path.read_bytes() + b" ")
    assert digest.compute(copy, "0.1") != before


def test_key_follows_new_files_and_names(copy):
    before = digest.compute(copy, "0.1")
    (copy / "language" / "core.py").rename(copy / "core.py")
    renamed = digest.compute(copy, "0.1")
    (copy / "language" / "more.py").write_text("")
    assert len({before, renamed, digest.compute(copy, "0.1")}) == 3


def test_key_follows_versions_and_pass_list(copy, monkeypatch):
    keys = {digest.compute(copy, "0.1"), digest.compute(copy, "0.2")}
    monkeypatch.setattr(names, "TRITON_VERSION", (3, 99))
    keys.add(digest.compute(copy, "0.1"))
    monkeypatch.setattr(stock_passes, "PASSES", stock_passes.PASSES[:-1])
    keys.add(digest.compute(copy, "0.1"))
    assert len(keys) == 4


def test_key_ignores_what_does_not_matter(copy):
    before = digest.compute(copy, "0.1")
    (copy / "__pycache__").mkdir()
    (copy / "__pycache__" / "core.cpython-311.pyc").write_bytes(b"")
    (copy / "py.typed").write_text("")
    assert digest.compute(copy, "0.1") == before


def test_digest_covers_the_package_in_use():
    files = {name for name, _ in digest._files(PACKAGE)}
    assert {"errors.py", "backend/digest.py", "backend/stock_passes.py"} <= files


def test_source_hash_contains_the_digest(monkeypatch):
    kernel = force(plain)
    before = ASTSource(kernel, *SIGNATURE).hash()
    assert before == ASTSource(kernel, *SIGNATURE).hash()
    assert before != ASTSource(plain, *SIGNATURE).hash()
    monkeypatch.setattr(source, "package_digest", lambda: "another")
    assert ASTSource(kernel, *SIGNATURE).hash() != before


# Compiles `plain` through our stages into the cache that the environment names.
# With an argument the process stops while it puts that stage into the cache.
COMPILE = """
import importlib.util, os, sys, time
import tlx
spec = importlib.util.spec_from_file_location("kernels", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
import triton
from triton.compiler import ASTSource
from tlx.backend import force, names

if len(sys.argv) > 2:
    replace = os.replace

    def stop(source, target):
        if target.endswith(sys.argv[2]):
            print("stopped", flush=True)
            time.sleep(600)
        replace(source, target)

    os.replace = stop
source = ASTSource(force(module.plain), {"x": "*fp32", "N": "constexpr"}, {"N": 128})
kernel = triton.compile(source, target=names.GPUTarget("cuda", 90, 32))
print(kernel.hash)
"""

KERNEL = """
import triton
import triton.language as tl

@triton.jit
def plain(x, N: tl.constexpr):
    tl.store(x + tl.arange(0, N), 1.0)
"""


@pytest.fixture
def start(tmp_path):
    """Returns a function that starts a process which compiles into a cache."""
    file = tmp_path / "kernels.py"
    file.write_text(KERNEL)

    def run(cache, *arguments):
        return subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", COMPILE, str(file), *arguments],
            stdout=subprocess.PIPE,
            text=True,
            env={
                **os.environ,
                "PYTHONPATH": str(PACKAGE.parent),
                "TRITON_CACHE_DIR": str(cache),
            },
        )

    return run


def content(cache):
    """Returns the finished files of a cache, without those of metadata."""
    return {
        path.name: path.read_bytes()
        for path in cache.glob("*/*")
        if path.is_file() and path.suffix != ".json"
    }


@pytest.mark.parametrize("stage", ["tlx_ttgir", "cubin", "json"])
def test_killed_compile_leaves_no_half_file(stage, start, tmp_path):
    good, cache = tmp_path / "good", tmp_path / "cache"
    assert start(good).wait() == 0
    killed = start(cache, f".{stage}")
    assert killed.stdout.readline() == "stopped\n"
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    left = content(cache)
    assert "plain.tlxir" in left
    assert f"plain.{stage}" not in left
    assert left.items() <= content(good).items()
    assert start(cache).wait() == 0
    assert content(cache) == content(good)


def test_processes_that_compile_at_once_agree(start, tmp_path):
    cache = tmp_path / "cache"
    processes = [start(cache) for _ in range(3)]
    hashes = {process.communicate()[0] for process in processes}
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert len(hashes) == 1
    assert start(tmp_path / "good").wait() == 0
    assert content(cache) == content(tmp_path / "good")
