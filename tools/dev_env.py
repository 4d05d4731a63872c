# SPDX-License-Identifier: MIT
"""Prepare a virtual environment for working on the source tree.

Usage: dev_env.py VENV

Installs what pyproject.toml names (build, run, test and lint requirements) and
makes `import tlx` and `import triton.language.extra.tlx` find the source tree.
Runs with any supported Python and needs nothing but its standard library.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]


def requirements() -> list[str]:
    """List every requirement of pyproject.toml except the project itself."""
    import tomllib  # absent before 3.11, which main() must be able to say

    config = tomllib.loads((_ROOT / "pyproject.toml").read_text())
    project = config["project"]
    extras = project["optional-dependencies"]
    groups = ["dev", "lint", "test"]
    if shutil.which("nvidia-smi"):
        groups.append("gpu")
    lists = [config["build-system"]["requires"], project["dependencies"]]
    lists += [extras[group] for group in groups]
    every = [name for names in lists for name in names]
    return [name for name in every if not name.startswith(project["name"])]


def link_tree(site: Path) -> None:
    """Make the interpreter of `site` import TLX from the source tree."""
    (site / "triton_tlx_tree.pth").write_text(f"{_ROOT / 'python'}\n")
    link = site / "triton/language/extra/tlx"
    link.unlink(missing_ok=True)
    link.symlink_to(_ROOT / "python/triton/language/extra/tlx")


def main(folder: str) -> int:
    """Create or update the environment in `folder`."""
    if not (3, 11) <= sys.version_info[:2] <= (3, 13):
        found = ".".join(map(str, sys.version_info[:2]))
        print(f"dev_env: expects Python 3.11 to 3.13, but got {found}; set PYTHON=")
        return 1
    compiler = os.environ.get("CXX", "g++")
    if shutil.which(compiler) is None:
        print(f"dev_env: expects a C++ compiler '{compiler}', but found none")
        return 1
    path = Path(folder)
    if not (path / "bin/python").exists():
        venv.create(path, with_pip=True)
    python = str(path / "bin/python")
    subprocess.check_call([python, "-m", "pip", "install", "-q", *requirements()])
    site = subprocess.check_output(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        text=True,
    )
    link_tree(Path(site.strip()))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
