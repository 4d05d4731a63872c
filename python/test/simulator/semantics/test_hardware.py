# SPDX-License-Identifier: MIT
"""The simulator against results of an NVIDIA H200.

`hardware/h200.npz` holds what the kernels of `hardware/measured.py` stored, compiled by
Triton 3.9.0 for sm_90a with four warps. The bounds are those of
`docs/simulator-numerics.md`.
"""

import sys
from pathlib import Path

import numpy as np
import pytest

import tlx

FOLDER = Path(__file__).with_name("hardware")
sys.path.insert(0, str(FOLDER))

import measured  # noqa: E402

H200 = np.load(FOLDER / "h200.npz")


def results(name):
    """Returns the arguments, our results and those of the hardware."""
    kernel, _ = measured.CASES[name]
    arrays = measured.arguments(name)
    with tlx.simulate():
        kernel[(1,)](*arrays)
    return measured.arguments(name)[:-1], arrays[-1], H200[name]


def test_open_cases():
    _, ours, theirs = results("open_cases")
    np.testing.assert_array_equal(ours, theirs)


def test_casts():
    (x,), ours, theirs = results("special_casts")
    # The bits of a NaN are not compared.
    some = np.ones(ours.shape, np.bool_)
    some[5:, np.isnan(x)] = False
    np.testing.assert_array_equal(ours[some], theirs[some])


ULPS = {
    "exp2": 2,
    "log": 1,
    "log2": 1,
    "sqrt": 1,
    "rsqrt": 1,
    "sin": 1,
    "cos": 1,
    "div": 2,
    "div_rn": 0,
    "sqrt_rn": 0,
    "fma": 0,
    "erf": 1,
    "max": 0,
    "mul": 0,
}


@pytest.fixture(scope="module")
def functions():
    (x, _), ours, theirs = results("functions")
    rows = zip(measured.FUNCTIONS, ours, theirs, strict=True)
    return x, {name: (a, b) for name, a, b in rows}


@pytest.mark.parametrize("name", ULPS)
def test_functions(functions, name):
    ours, theirs = functions[1][name]
    if ULPS[name]:
        np.testing.assert_array_max_ulp(ours, theirs, ULPS[name])
    else:
        np.testing.assert_array_equal(ours, theirs)


def test_exponentials_lose_with_the_size_of_the_argument(functions):
    x, rows = functions
    for name in ("exp", "sigmoid"):
        ours, theirs = (a.astype(np.float64) for a in rows[name])
        some = np.isfinite(ours) & (theirs > 2.0**-120) & (theirs < 2.0**126)
        error = np.abs(ours[some] - theirs[some]) / theirs[some]
        assert some.sum() > 100
        assert (error <= (np.abs(x[some]) + 4) * 2.0**-23).all()


# Relative to the sum of abs(a * b).
PRODUCTS = {
    "product_tf32": 2.0**-22,
    "product_tf32_wgmma": 2.0**-22,
    "product_tf32x3": 2.0**-22,
    "product_f16": 2.0**-22,
    "product_f8": 2.0**-13,
    "product_f16_acc": 2.0**-10,
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products(name):
    (a, b), ours, theirs = results(name)
    size = np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64))
    rows = theirs.shape[0]
    error = np.abs(ours[:rows].astype(np.float64) - theirs) / size[:rows]
    assert error.max() <= PRODUCTS[name]
