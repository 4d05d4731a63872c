# SPDX-License-Identifier: MIT
"""Our front end makes of plain `tl` kernels what Triton's own makes of them."""

import pytest
from kernels import ALL, CASES
from wheel import Compilation, mnemonics

from tlx import _ext
from tlx.backend import names

# Whole kernels that between them use most kinds of instructions.
PTX = ("gemm_fp16", "softmax", "atomic_arithmetic", "for_loops", "printing")


def test_there_are_enough_kernels():
    assert len(ALL) >= 60
    assert len({case.name for case in ALL}) == len(ALL)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_same_ttir(case):
    text = _ext.print_for_triton(Compilation(case).ours(), names.TRITON_VERSION)
    compilation = Compilation(case)
    # As the wheel prints them: ops, attributes, types, locations and names.
    assert str(compilation.parse(text)) == str(compilation.stock())


@pytest.mark.parametrize("name", PTX)
def test_same_ptx_instructions(name):
    case = next(case for case in CASES if case.name == name)
    text = _ext.print_for_triton(Compilation(case).ours(), names.TRITON_VERSION)
    ours, stock = Compilation(case), Compilation(case)
    expected = mnemonics(stock.ptx(stock.stock()))
    assert sum(expected.values()) > 20
    assert mnemonics(ours.ptx(ours.parse(text))) == expected


def test_locations_are_those_of_the_source():
    case = next(case for case in CASES if case.name == "vector_add")
    module = Compilation(case).ours()
    store = next(op for op in module.walk() if op.name == "tt.store")
    with open(store.location.file, encoding="utf-8") as stream:
        line = stream.read().splitlines()[store.location.line - 1]
    assert line.lstrip().startswith("tl.store(o + i,")
    assert line[store.location.column - 1 :].startswith("tl.store(")
