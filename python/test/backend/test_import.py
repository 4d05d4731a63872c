# SPDX-License-Identifier: MIT
"""What importing Triton and TLX does, in each order and with each Triton.

Each case runs in a process of its own. `installed` stands for an installation:
a package `triton` whose folder for languages has our re-export in it.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import triton

PYTHON = Path(__file__).parents[2]
ALIAS = Path("triton/language/extra/tlx/__init__.py")


@pytest.fixture(scope="module")
def installed(stock_triton, tmp_path_factory):
    """Returns a folder in which Triton's files and our re-export lie together."""
    site = tmp_path_factory.mktemp("site")
    shutil.copytree(stock_triton, site, symlinks=True, dirs_exist_ok=True)
    shutil.copytree((PYTHON / ALIAS).parent, (site / ALIAS).parent)
    (site / "tlx").symlink_to(PYTHON / "tlx")
    return site


def run(code, *path, ok=True, **variables):
    """Runs code with a module path; returns what it printed."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), **variables},
    )
    assert (done.returncode == 0) == ok, done.stderr
    return done.stdout if ok else done.stderr


IMPORTS = {
    "alias": "import triton.language.extra.tlx as tlx",
    "alias-from": "from triton.language.extra import tlx",
    "tlx": "import tlx",
    "triton-alias": "import triton\nimport triton.language.extra.tlx as tlx",
    "tlx-alias": "import tlx as first\nimport triton.language.extra.tlx as tlx\n"
    "assert first.backend is tlx.backend",
    "alias-tlx": "import triton.language.extra.tlx as first\nimport tlx\n"
    "assert first.backend is tlx.backend",
    "language-alias": "import triton.language as tl\n"
    "import triton.language.extra.tlx as tlx",
    "alias-module": "import tlx\n"
    "from triton.language.extra.tlx.warp_spec import get_bufidx_phase as ours\n"
    "assert ours is tlx.warp_spec.get_bufidx_phase",
}

CHECK = """
import sys, triton
from triton.compiler import ASTSource
from triton.backends import backends
assert backends["nvidia"].compiler.__name__ == "TLXCUDABackend"
assert ASTSource.__new__.__module__ == "tlx.backend.hook"
assert tlx.__version__ == sys.modules["tlx"].__version__
assert "torch" not in sys.modules
"""


@pytest.mark.parametrize("order", IMPORTS)
def test_installed_import(order, installed):
    run(IMPORTS[order] + CHECK, installed)


@pytest.mark.parametrize("order", ["tlx", "tlx-alias", "alias-module"])
def test_source_checkout_import(order, stock_triton):
    run(IMPORTS[order] + CHECK, stock_triton, PYTHON)


def test_names_are_the_same_objects(installed):
    run(
        "import triton.language.extra.tlx as alias, tlx\n"
        "assert alias.local_alloc is tlx.local_alloc\n"
        "assert set(tlx.__all__) <= set(dir(alias))\n"
        "assert alias.errors is tlx.errors",
        installed,
    )


def test_import_of_triton_loads_no_more_than_the_hook(installed):
    loaded = run(
        "import triton, sys\n"
        "print(*sorted(m for m in sys.modules if m.split('.')[0] == 'tlx'))",
        installed,
    ).split()
    assert "tlx.backend.hook" in loaded
    assert not [name for name in loaded if name.startswith("tlx.language")]
    assert not {"tlx._ext", "tlx.compiler", "tlx.backend.names"} & set(loaded)


def test_unknown_name_is_an_attribute_error(installed):
    error = run("import tlx; tlx.local_aloc", installed, ok=False)
    assert "'tlx' has no name 'local_aloc', did you mean 'local_alloc'?" in error
    run("import tlx; assert not hasattr(tlx, 'local_aloc')", installed)


@pytest.fixture
def other_version(installed, tmp_path):
    """Returns a function that makes an installation with another Triton."""

    def make(version):
        site = tmp_path / version
        shutil.copytree(installed, site, symlinks=True)
        package = site / "triton" / "__init__.py"
        text = package.read_text().replace(triton.__version__, version)
        package.unlink()
        package.write_text(text)
        return site

    return make


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("3.5.1", "expects 'triton' to be 3.8 or 3.9, but got 3.5.1"),
        ("3.10.0", "expects 'triton' to be 3.8 or 3.9, but got 3.10.0"),
        ("3.9.4+fb", "folder holds files of fbtriton 3.9.4+fb"),
    ],
)
def test_other_versions_are_named_at_import(version, message, other_version):
    site = other_version(version)
    assert message in run("import tlx", site, ok=False)
    # Triton itself stays usable, until a name of ours is asked for.
    run("import triton.language.extra.tlx", site)
    use = "import triton.language.extra.tlx as tlx\ntlx.local_alloc"
    assert message in run(use, site, ok=False)


def test_fbtriton_beside_triton_is_named(installed, tmp_path):
    info = tmp_path / "fbtriton-3.7.4.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: fbtriton\nVersion: 3.7.4\n")
    error = run("import tlx.backend.names", installed, tmp_path, ok=False)
    assert "VersionError: expects the stock 'triton' 3.8 or 3.9" in error
    assert "fbtriton 3.7.4" in error
