# SPDX-License-Identifier: MIT
"""The IR in docs/architecture.md is what the compiler makes today."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import triton

_SCRIPT = Path(__file__).parents[3] / "docs/make_architecture.py"


@pytest.mark.skipif(
    not triton.__version__.startswith("3.9."), reason="the page shows Triton 3.9"
)
def test_page_is_up_to_date():
    result = subprocess.run(
        [sys.executable, _SCRIPT, "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, (
        "run docs/make_architecture.py\n" + result.stdout + result.stderr
    )
