# SPDX-License-Identifier: MIT
"""What the tests of launches share."""

from __future__ import annotations

import dataclasses
import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from tlx.simulator import execute as machine


def _load(name: str) -> Any:
    # Test files are no package, so they cannot import each other.
    path = Path(__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"launch_{name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def kernels() -> Any:
    return _load("kernels")


@dataclasses.dataclass
class Call:
    """What the machine was asked to run."""

    program: Any
    grid: tuple[int, int, int]
    params: list[Any]
    memory: Any
    options: Any

    def array(self, parameter: int) -> Any:
        """Bytes of the memory that a pointer points into, and its offset there."""
        memory, offset = self.memory.find(self.params[parameter])
        return memory, offset


@pytest.fixture
def calls(monkeypatch) -> list[Call]:
    """Replaces the machine by one that only takes notes."""
    noted: list[Call] = []

    def execute(program, grid, params, memory, options, progress=None, code=None):
        noted.append(Call(program, grid, list(params), memory, options))
        return machine.Report(program.kernel, grid, [], 3, 5)

    monkeypatch.setattr(machine, "execute", execute)
    return noted
