# SPDX-License-Identifier: MIT
"""Plain `tl` kernels that are forced through our lowering and stage list."""

import re

import pytest
from kernels import CASES
from wheel import Compilation, mnemonics

# What says what a kernel does. Left out is what only computes addresses or moves
# registers, and how wide an access is: the layouts of the two ways may differ.
_CLASSES = (
    r"(ld|st|atom|red)\.global",
    r"(ld|st|atom)\.shared",
    r"(mma|wgmma)\.\w+",
    r"cp\.async(\.bulk)?",
    r"(ex2|lg2|sin|cos|sqrt|rsqrt|tanh|rcp)\b",
    r"(add|sub|mul|div|fma|min|max|abs|neg)(\.rn)?\.f(16|32|64)",
    r"(div|rem)\.[su]\d+",
    r"griddepcontrol\.\w+",
    r"(trap|call)",
)


def classes(ptx):
    """Kinds of instructions in PTX text, as a set."""
    found = (re.match(p, name) for name in mnemonics(ptx) for p in _CLASSES)
    return {match[0] for match in found if match}


def test_classes_tell_kinds_of_instructions_apart():
    ptx = "  ld.global.b32 %r1;\n  @%p1 mma.sync.aligned.m16 {};\n  mov.u32 %r2;\n"
    assert classes(ptx) == {"ld.global", "mma.sync"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_same_kinds_of_instructions(case):
    ours, stock = Compilation(case), Compilation(case)
    expected = classes(stock.ptx(stock.stock()))
    assert expected
    assert classes(ours.forced_ptx()) == expected
