# SPDX-License-Identifier: MIT
"""The programs in docs/simulator-use.md run, and print what the page says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[3]
_PAGE = (_ROOT / "docs/simulator-use.md").read_text()
_PROGRAMS = re.findall(r"```python\n(.*?)```", _PAGE, re.DOTALL)
_OUTPUTS = re.findall(r"```text\n(.*?)```", _PAGE, re.DOTALL)


def run(folder: Path, program: str) -> subprocess.CompletedProcess[str]:
    (folder / "double.py").write_text(program)
    return subprocess.run(
        [sys.executable, "double.py"],
        cwd=folder,
        env={"PYTHONPATH": str(_ROOT / "python")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_programs_print_what_the_page_says(tmp_path: Path):
    result = run(tmp_path, "\n".join(_PROGRAMS))
    assert result.returncode == 0, result.stderr
    assert result.stdout == _OUTPUTS[0]


def test_finding_reads_as_on_the_page(tmp_path: Path):
    (line,) = re.findall(r"<!-- without: (.*) -->", _PAGE)
    assert _PROGRAMS[0].count(line) == 1
    # The line stays, so that the numbers of the others do.
    result = run(tmp_path, _PROGRAMS[0].replace(line, "pass"))
    assert result.returncode == 1
    error = result.stderr[result.stderr.index("tlx.simulator.findings") :]
    text = error.split(": ", 1)[1].replace(f"{tmp_path}/", "")
    head, source, caret, *_ = text.split("\n")
    place, message = head.split(": error: ")
    expected = _OUTPUTS[1].split("\n")
    assert expected[0] == f"{place}: error: {message}", f"the page should say\n{head}"
    assert expected[1:3] == [source, caret]
