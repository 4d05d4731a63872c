# SPDX-License-Identifier: MIT
"""The kernels of docs/language.md compile, and so does the docstring example."""

import doctest
import importlib.util
import re
from pathlib import Path

import pytest

from tlx.language import layouts

PAGE = Path(__file__).parents[3] / "docs" / "language.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
SIGNATURES = {
    "roles": ({"x": "*i32"}, {}),
    "buffers": ({"x": "*fp16"}, {}),
    "ring_copy": (
        {"desc": "tensordesc<fp16[64]>", "x": "*fp16", "n": "i32"},
        {"SLOTS": 3},
    ),
    "batches": ({"x": "*fp16", "n": "i32", "m": "i32"}, {"BATCHES": 2}),
    "ahead": ({"x": "*fp16", "y": "*fp16", "n": "i32"}, {"SLOTS": 2}),
    "product": ({"x": "*fp32"}, {}),
}


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_kernels_of_the_page(number, tmp_path, tlxir):
    path = tmp_path / "page.py"
    imports = "import tlx\nimport triton\nimport triton.language as tl\n\n\n"
    path.write_text(imports + BLOCKS[number])
    spec = importlib.util.spec_from_file_location("page", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    name = re.search(r"^def (\w+)", BLOCKS[number], re.M)[1]
    assert "tlx." in tlxir(getattr(module, name), *SIGNATURES[name])


def test_every_kernel_is_compiled():
    names = {re.search(r"^def (\w+)", block, re.M)[1] for block in BLOCKS}
    assert names == set(SIGNATURES)


def test_docstrings():
    assert doctest.testmod(layouts).failed == 0
