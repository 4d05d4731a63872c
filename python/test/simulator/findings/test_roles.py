# SPDX-License-Identifier: MIT
"""What operations do for a barrier is known for each that takes one."""

import re
from pathlib import Path

import pytest

import tlx.simulator.semantics  # noqa: F401  (registers the roles)
from tlx.simulator.code.registry import EFFECTS, ROLES, Role, role_of
from tlx.simulator.ir.program import Op
from tlx.simulator.semantics.llvm import PTX

ROOT = Path(__file__).parents[4]
WAITS = {"tlx.barrier_wait"}
OPERAND = re.compile(r"(TLX_Barrier|TTG_MemDescType):\$barrier\b")


def asm(text):
    attrs = {"asm_string": text}
    return Op("llvm.inline_asm", (), (), (), (), attrs, (), (), None)


def takes_barrier():
    """Yields the operations whose definitions have an operand `barrier`."""
    folders = {
        "tlx": ROOT / "include/tlx/Dialect/TLX/IR",
        "ttng": ROOT / "third_party/triton/include/triton_interop/TTNG",
    }
    for dialect, folder in folders.items():
        for file in folder.glob("*.td"):
            for part in re.split(r"\n(?=def |class )", file.read_text()):
                name = re.match(r'def \w+\s*:\s*\w+<\s*"(\w+)"', part)
                if name and OPERAND.search(part):
                    yield f"{dialect}.{name[1]}"


def test_operations_that_take_a_barrier():
    names = set(takes_barrier())
    assert names >= {"tlx.barrier_arrive", "ttng.async_copy_mbarrier_arrive"}
    assert {n for n in names if n in EFFECTS} - WAITS <= set(ROLES)
    assert WAITS <= names - set(ROLES)


@pytest.mark.parametrize("part", PTX)
def test_ptx(part):
    expected = {
        "mbarrier.arrive.shared::cta.b64": Role.ARRIVES,
        "cp.async.bulk.shared::cluster.global": Role.SENDS,
    }
    assert role_of(asm(f"@$1 {part} [$0];")) is expected.get(part)


def test_operations_without_a_role():
    assert role_of(Op("tlx.fence", (), (), (), (), {}, (), (), None)) is None
    other = {"intrin": "llvm.nvvm.vote.ballot.sync"}
    call = Op("llvm.call_intrinsic", (), (), (), (), other, (), (), None)
    assert role_of(call) is None
    call.attrs = {"intrin": "llvm.nvvm.barrier.cta.arrive.aligned.count"}
    assert role_of(call) is Role.MEETS
