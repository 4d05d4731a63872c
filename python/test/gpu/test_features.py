# SPDX-License-Identifier: MIT
"""Features of the language on a GPU against NumPy."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from feature_buffers import CASES as BUFFERS
from feature_cases import from_torch, to_torch
from feature_descriptors import CASES as DESCRIPTORS
from feature_threads import CASES as THREADS
from feature_warps import CASES as WARPS

CASES = {**BUFFERS, **DESCRIPTORS, **THREADS, **WARPS}


@pytest.mark.parametrize("name", CASES)
def test_feature(torch, name):
    case = CASES[name]()
    # Fresh numbers in each run find races and what earlier runs left behind.
    for seed in range(3):
        inputs = case.inputs(seed)
        results = case.launch(*(to_torch(torch, array) for array in inputs))
        if isinstance(results, tuple):
            arrays = tuple(from_torch(torch, tensor) for tensor in results)
        else:
            arrays = from_torch(torch, results)
        case.check(arrays, inputs)
