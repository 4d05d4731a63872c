# SPDX-License-Identifier: MIT
"""The README's kernel and command work as printed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[3]


def block(language: str) -> str:
    """Return the README's only block of `language`."""
    text = (_ROOT / "README.md").read_text()
    (found,) = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    return found


def test_kernel_compiles_with_the_printed_command(tmp_path: Path):
    (tmp_path / "double.py").write_text(block("python"))
    command = re.sub("^python", sys.executable, block("sh"))
    subprocess.run(
        ["bash", "-ec", command],
        cwd=tmp_path,
        env={"PYTHONPATH": str(_ROOT / "python")},
        check=True,
    )
    ptx = (tmp_path / "stages/double.ptx").read_text()
    # 64 x 64 fp16: the bytes that the producer announces for each tile.
    assert re.search(r"mbarrier\.arrive\.expect_tx\S* \S+ \[\S+\], 8192;", ptx)
    assert "cp.async.bulk.tensor.2d" in ptx
    assert "mbarrier.try_wait.parity" in ptx
    # Four warps of the kernel, and four of the group that holds the producer.
    assert ".reqntid 256" in ptx
