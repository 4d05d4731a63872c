# SPDX-License-Identifier: MIT
"""Fixtures of the tests that exchange IR with the installed Triton."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import triton

_PARSER = Path(__file__).with_name("parse_in_wheel.py")


@pytest.fixture(scope="session")
def version() -> tuple[int, int]:
    """Return major and minor number of the installed Triton."""
    major, minor, *_ = triton.__version__.split(".")
    return int(major), int(minor)


@pytest.fixture
def parse_in_wheel(tmp_path) -> Callable[[str], str]:
    """Return a function that parses text with Triton and prints it again."""

    def parse(text: str) -> str:
        path = tmp_path / "module.mlir"
        path.write_text(text)
        result = subprocess.run(
            [sys.executable, str(_PARSER), str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode:
            raise ValueError(result.stdout + result.stderr)
        return result.stdout

    return parse
