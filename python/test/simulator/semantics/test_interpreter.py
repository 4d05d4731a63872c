# SPDX-License-Identifier: MIT
"""Triton's interpreter as a second opinion on plain kernels."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tlx

FOLDER = Path(__file__).with_name("interpreter")
sys.path.insert(0, str(FOLDER))

import plain  # noqa: E402

# Its functions are those of NumPy on f32; all else is exact.
ULPS = {"math_functions": 4}


@pytest.fixture(scope="module")
def opinions(tmp_path_factory):
    """Results of the interpreter, by kernel."""
    path = tmp_path_factory.mktemp("opinions") / "results.npz"
    environment = {
        **os.environ,
        "TRITON_INTERPRET": "1",
        "PYTHONPATH": str(FOLDER),
    }
    subprocess.run(
        [sys.executable, str(FOLDER / "run.py"), str(path)],
        env=environment,
        check=True,
    )
    return np.load(path)


@pytest.mark.parametrize("level", ["tlxir", "ttgir", "stock_ttgir"])
@pytest.mark.parametrize("name", plain.CASES)
def test_agrees(opinions, name, level):
    kernel, _ = plain.CASES[name]
    arrays = plain.arguments(name)
    with tlx.simulate(level=level):
        kernel[(1,)](*arrays)
    ours, theirs = arrays[-1], opinions[name]
    assert np.any(theirs)
    if name in ULPS:
        np.testing.assert_array_max_ulp(ours, theirs, ULPS[name])
    else:
        np.testing.assert_array_equal(ours, theirs)
