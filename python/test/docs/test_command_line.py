# SPDX-License-Identifier: MIT
"""The commands in docs/command-line.md work and say what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tlx.tools.types import SCALARS

_ROOT = Path(__file__).parents[3]
_PAGE = (_ROOT / "docs/command-line.md").read_text()
_OUTPUTS = re.findall(r"```text\n(.*?)```", _PAGE, re.DOTALL)


def block(language: str) -> str:
    """Return the page's only block of `language`."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", _PAGE, re.DOTALL)
    return found


def run(command: str, folder: Path) -> str:
    """Run a command of the page; return what it prints."""
    return subprocess.run(
        ["bash", "-ec", re.sub("^python", sys.executable, command)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(_ROOT / "python")},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "scale.py").write_text(block("python"))
    return tmp_path


def test_commands_print_what_the_page_says(folder: Path):
    declared, launched, spelled = re.split(r"(?<!\\)\n", block("sh").strip())
    usage, launch = _OUTPUTS
    numbers = re.compile(r"\d+ per thread")
    assert numbers.sub("", run(declared, folder)).endswith(numbers.sub("", usage))
    ptx = folder / "stages/scale.ptx"
    assert ".reqntid 64" in ptx.read_text()
    assert run(launched, folder).startswith(launch)
    assert ".reqntid 128" in ptx.read_text()
    run(spelled, folder)
    assert "tensor<128xf16>" in (folder / "stages/scale.tlxir").read_text()


def test_script_of_the_page_runs(folder: Path):
    run("python -m tlx sim scale.py", folder)


def test_types_of_the_page_exist():
    (paragraph,) = re.findall(r"\*\*Types\*\*.*?;", _PAGE, re.DOTALL)
    assert set(re.findall(r"`(\w+)`", paragraph)) <= set(SCALARS)
