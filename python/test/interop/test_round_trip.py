# SPDX-License-Identifier: MIT
"""What we print, Triton reads the same, and the other way round."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tlx import _ext

_ROOT = Path(__file__).parents[3]
_CORPUS = _ROOT / "test" / "Interop"
_INCLUDE = _ROOT / "third_party" / "triton" / "include" / "triton_interop"

# Each is a single module; `since-3.9` holds what 3.8 does not have.
_FILES = sorted([*_CORPUS.glob("*-ops.mlir"), _CORPUS / "since-3.9.mlir"])
_SAMPLES = sorted((_CORPUS / "Inputs").glob("*/*.mlir"))
_TYPES = (_CORPUS / "types.mlir").read_text().split("// -----")

_DEFINITION = re.compile(r'^def (?:TT|TTG|TTNG)_\w+Op : (\w+)_Op<"([\w.]+)"', re.M)


def _lines(text: str) -> list[str]:
    """Return what counts in printed IR: no comments and no blank lines."""
    return [line for line in text.splitlines() if line and not line.startswith("//")]


def _skip_if_too_new(path: Path, version: tuple[int, int]) -> None:
    """Skip a file of a later Triton than the installed one."""
    since = re.search(r"(\d+)\.(\d+)", path.name)
    if since and (int(since[1]), int(since[2])) > version:
        pytest.skip(f"needs Triton {since[0]}")


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
def test_triton_reads_ops_as_written(path, version, parse_in_wheel):
    _skip_if_too_new(path, version)
    module = _ext.parse(path.read_text(), _ext.Context(), path.name)
    release = ".".join(map(str, version))
    pipeline = f"builtin.module(triton-legalize-version{{version={release}}})"
    _ext.run_pipeline(module, pipeline)
    printed = parse_in_wheel(_ext.print_for_triton(module, version))
    assert _lines(printed) == _lines(module.str())


def test_triton_reads_types_as_written(version, parse_in_wheel):
    # Only the spelling of the installed release can come back.
    other = ", 3>" if version >= (3, 9) else '"constant"'
    text = "".join(chunk for chunk in _TYPES if other not in chunk)
    module = _ext.parse(text, _ext.Context(), "types.mlir")
    printed = parse_in_wheel(_ext.print_for_triton(module, version))
    again = _ext.parse(printed, _ext.Context(), "printed.mlir")
    assert again.str() == module.str()


@pytest.mark.parametrize(
    "path", _SAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_what_triton_printed_survives(path, version, parse_in_wheel):
    module = _ext.parse(path.read_text(), _ext.Context(), path.name)
    text = _ext.print_for_triton(module, version)
    again = _ext.parse(parse_in_wheel(text), _ext.Context(), "printed.mlir")
    assert again.str() == module.str()


def test_every_op_is_covered():
    defined = {
        f"{dialect.lower()}.{name}"
        for path in _INCLUDE.glob("*/*Ops.td")
        for dialect, name in _DEFINITION.findall(path.read_text())
    }
    used = {
        op.name
        for path in _FILES
        for op in _ext.parse(path.read_text(), _ext.Context(), path.name).walk()
    }
    assert defined
    assert defined - used == set()


def test_bad_text_is_noticed(parse_in_wheel):
    with pytest.raises(ValueError, match="no_such_op"):
        parse_in_wheel('"tt.no_such_op"() : () -> ()')
