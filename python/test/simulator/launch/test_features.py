# SPDX-License-Identifier: MIT
"""The kernels that test features on a GPU, in the simulator."""

import sys
from pathlib import Path

import pytest

from tlx.simulator import tensor
from tlx.testing import check_kernel

sys.path.insert(0, str(Path(__file__).parents[2] / "gpu"))

from feature_buffers import CASES as BUFFERS
from feature_descriptors import CASES as DESCRIPTORS
from feature_threads import CASES as THREADS
from feature_warps import CASES as WARPS

CASES = {**BUFFERS, **DESCRIPTORS, **THREADS, **WARPS}
SIMULATED = [name for name, make in CASES.items() if make().simulated]


@pytest.mark.parametrize("name", SIMULATED)
def test_feature(name):
    case = CASES[name]()
    check_kernel(
        case.launch,
        case.reference,
        [tensor(array) for array in case.inputs(0)],
        schedules=["random"],
        seeds=[0],
        levels=["tlxir", "ttgir", "stock_ttgir"],
        atol=case.atol,
    )
