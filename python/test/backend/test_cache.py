# SPDX-License-Identifier: MIT
"""The cache key follows whatever decides the result; the cache survives accidents."""

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
