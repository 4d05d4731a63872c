# SPDX-License-Identifier: MIT
"""Each operation that the front end can make has a meaning, or is named here."""

import re
from pathlib import Path

import pytest
import triton

import tlx.compiler.rows
from tlx import _ext
from tlx.compiler import builder
from tlx.simulator import semantics
from tlx.simulator.code.registry import EFFECTS, PURE

CONTROL = {
    "cf.br",
    "cf.cond_br",
    "scf.condition",
    "scf.for",
    "scf.if",
    "scf.while",
    "scf.yield",
    "tt.call",
    "tt.func",
    "tt.map_elementwise.return",
    "tt.reduce.return",
    "tt.return",
    "tt.scan.return",
}
"""Structure of functions and regions; it runs, but has no entry of its own."""


def operations_of_the_builder():
    """Names of operations in the rows of the builder, by the file that has them."""
    folder = Path(tlx.compiler.rows.__file__).parent
    context = _ext.Context()
    found = {}
    for path in (*sorted(folder.glob("*.py")), Path(builder.__file__)):
        for name in re.findall(r'"([a-z]+(?:\.\w+)+)"', path.read_text()):
            if context.is_registered_op(name):
                found.setdefault(name, path.name)
    return found


def test_the_scan_finds_operations():
    found = operations_of_the_builder()
    assert len(found) > 100
    assert {"arith.addi", "tt.dot_scaled", "tt.approx_divf", "ub.poison"} <= set(found)


def test_each_operation_has_a_meaning():
    found = operations_of_the_builder()
    known = PURE.keys() | EFFECTS.keys() | CONTROL
    missing = {name: file for name, file in found.items() if name not in known}
    assert not missing, f"made by the rows in these files (Triton {triton.__version__})"


def test_exceptions_are_needed():
    assert CONTROL <= set(operations_of_the_builder())
    assert not CONTROL & (PURE.keys() | EFFECTS.keys())


@pytest.mark.parametrize("name", semantics.__all__)
def test_each_module_registers_or_helps(name):
    module = getattr(semantics, name)
    entries = [*PURE.values(), *EFFECTS.values()]
    assert any(entry.__module__ == module.__name__ for entry in entries)


def test_each_file_is_imported():
    folder = Path(semantics.__file__).parent
    registering = {
        path.stem
        for path in folder.glob("*.py")
        if re.search(r"@(pure|effect)\(|^pure\(", path.read_text(), re.MULTILINE)
    }
    assert registering <= set(semantics.__all__)
