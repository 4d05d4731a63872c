# SPDX-License-Identifier: MIT
"""Faults made mechanically are found; good kernels raise no alarm.

This is a sample; `make mutants` runs all.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from cases import cases
from mutants import OPERATORS, apply, mutants, sites
from suite import examine, judge

CASES = cases()
EVERY = {
    "ring_copy": 3,
    "handover": 1,
    "relay": 1,
    "attention": 59,
    "attention_causal": 83,
}


@pytest.mark.parametrize("name", CASES)
def test_sample(name):
    result = examine(CASES[name], EVERY.get(name, 23), seeds=2)
    assert not result.missed
    assert not result.alarms
    assert result.found + len(result.equivalent) == len(result.verdicts)
    assert result.found > 0


def test_each_operator_applies_somewhere():
    used = {m[2] for case in CASES.values() for m in mutants(case.program())}
    assert used == set(range(len(OPERATORS)))


def test_a_mutant_differs_from_its_kernel():
    case = CASES["handover"]
    program = case.program()
    names = [site.op.name for site in sites(program)]
    apply(program, next(m for m in mutants(program) if m[0].startswith("drop")))
    changed = [site.op.name for site in sites(program)]
    assert [n for n, c in zip(names, changed, strict=True) if n != c] == [
        "tlx.named_barrier_wait"
    ]


def test_the_good_kernel_is_no_mutant():
    case = CASES["ring_copy"]
    assert judge(case, case.program(), "none").finding == ""
