# SPDX-License-Identifier: MIT
"""What is installed is complete, and lives beside Triton without touching it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import tlx._ext

_ROOT = Path(__file__).parents[3]
_EXTENSION = tlx._ext.__file__

# Debian 12 and Ubuntu 24.04 have at least these.
_MAX_VERSIONS = {"GLIBC": (2, 36), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13)}

_BLOCK_TORCH = """
import sys

class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ImportError("torch is blocked")

sys.meta_path.insert(0, Block())
"""


def run_python(code: str, path: Path = _ROOT / "python") -> str:
    """Run `code` in a fresh interpreter that sees no GPU; return its output."""
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(path), "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def output_of(*command: str) -> str:
    return subprocess.check_output(command, text=True)


def test_extension_exports_only_its_init_function():
    symbols = output_of("nm", "-D", "--defined-only", _EXTENSION).split("\n")
    assert [line.split()[-1] for line in symbols if line] == ["PyInit__ext"]


def test_extension_links_no_llvm_library():
    libraries = output_of("ldd", _EXTENSION)
    assert "libc.so" in libraries
    assert not re.search("LLVM|MLIR|not found", libraries), libraries


def test_extension_runs_on_the_oldest_systems_named_in_the_readme():
    symbols = output_of("nm", "-D", "--undefined-only", _EXTENSION)
    found = re.findall(r"@(GLIBC|GLIBCXX|CXXABI)_([0-9.]+)", symbols)
    assert {name for name, _ in found} >= {"GLIBC", "GLIBCXX"}
    for name, text in found:
        version = tuple(int(part) for part in text.split("."))
        assert version <= _MAX_VERSIONS[name], f"needs {name}_{text}"


def test_import_needs_neither_torch_nor_gpu():
    code = f"{_BLOCK_TORCH}\nimport tlx\ntlx.local_alloc\nprint('torch' in sys.modules)"
    assert run_python(code) == "False\n"


@pytest.mark.parametrize(
    "imports",
    [
        "import tlx; tlx.local_alloc; import triton",
        "import triton; import tlx",
        "import tlx._ext; import triton._C.libtriton",
        "import triton._C.libtriton; import tlx._ext",
        "import triton.language.extra.tlx; import tlx",
    ],
)
def test_every_import_order_gives_the_same_functions(imports: str):
    code = (
        f"{imports}\nimport tlx\nimport triton.language.extra.tlx as extra\n"
        "assert extra.local_alloc is tlx.local_alloc\nprint('same')"
    )
    assert run_python(code) == "same\n"


def pack_modules(folder: Path) -> None:
    """Put what the wheel has of Python below `folder`, which is emptied first."""
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build_py", "--build-lib", folder],
        cwd=_ROOT,
        check=True,
        capture_output=True,
    )


def test_wheel_packs_every_module(tmp_path: Path):
    # setuptools leaves out, silently, a folder without __init__.py.
    pack_modules(tmp_path)
    packed = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.py")}
    tracked = output_of("git", "-C", str(_ROOT), "ls-files", "python", "third_party")
    expected = {
        re.sub("^third_party/triton/python/", "python/tlx/backend/", name)
        for name in tracked.split()
        if re.match(r"python/(tlx|triton)/|third_party/triton/python/", name)
        and name.endswith(".py")
    }
    assert packed == {name.removeprefix("python/") for name in expected}
    assert (tmp_path / "tlx/py.typed").exists()
    assets = "tlx/simulator/timeline/assets"
    tracked = {path.name for path in (_ROOT / "python" / assets).iterdir()}
    assert {path.name for path in (tmp_path / assets).iterdir()} == tracked


def test_installed_files_work_without_the_tree(tmp_path: Path):
    pack_modules(tmp_path)
    cmake = Path(sys.executable).with_name("cmake")
    install = [cmake, "--install", _ROOT / "build", "--prefix", tmp_path]
    subprocess.run(
        [*install, "--component", "tlx-python"], check=True, stdout=subprocess.DEVNULL
    )
    code = (
        "import sys, tlx, tlx._ext, tlx.tools.opt\n"
        "print(tlx.__file__, tlx._ext.__file__)\n"
        "sys.argv[1:] = ['--version']\n"
        "sys.stdout.flush()\n"
        "tlx.tools.opt.main()"
    )
    first, *rest = run_python(code, tmp_path).splitlines()
    assert first.split() == [
        str(tmp_path / "tlx/__init__.py"),
        str(tmp_path / "tlx" / Path(_EXTENSION).name),
    ]
    assert "LLVM version 22.1" in "".join(rest)
