# SPDX-License-Identifier: MIT
"""The option `ctas_per_cga` of launches and configurations."""

import pickle

import numpy as np
import pytest
import triton
import triton.language as tl

import tlx
from tlx.backend import aot
from tlx.errors import ArgumentError, TLXWarning, UnsupportedError


@triton.jit
def fill(x, VALUE: tl.constexpr):
    tl.store(x + tl.arange(0, 32), VALUE)


def launch(**options):
    x = np.zeros(32, np.int32)
    with tlx.simulate():
        fill[(1,)](x, 3, **options)
    return x


def test_one_cta_per_cluster_changes_nothing():
    assert (launch(ctas_per_cga=(1, 1, 1)) == 3).all()
    assert (launch(ctas_per_cga=None) == 3).all()


def test_larger_clusters_are_rejected():
    with pytest.raises(UnsupportedError) as caught:
        launch(ctas_per_cga=(2, 1, 1))
    assert caught.value.message == (
        "expects 'ctas_per_cga' to be (1, 1, 1), but got (2, 1, 1): clusters are not "
        "supported"
    )


@pytest.mark.parametrize("shape", [2, (1, 1), (1, 1, 0), (1, 1, 1.0)])
def test_what_is_no_shape_is_rejected(shape):
    with pytest.raises(ArgumentError, match="three positive integers, but got"):
        launch(ctas_per_cga=shape)


def test_compiled_kernels_take_it_too():
    source = aot.make_source(fill, {"x": "*i32"}, {"VALUE": 3}, {}, forced=True)
    target = aot.parse_target("sm_90a")
    stages = dict(aot.run_stages(source, target, {"ctas_per_cga": (1, 1, 1)}, {}))
    assert stages["cubin"][:4] == b"\x7fELF"


def test_configurations_keep_it():
    config = triton.Config({"VALUE": 1}, num_warps=2, ctas_per_cga=[2, 1, 1])
    assert config.all_kwargs()["ctas_per_cga"] == (2, 1, 1)
    assert config.num_warps == 2
    again = pickle.loads(pickle.dumps(config))
    assert again == config
    assert hash(again) == hash(config)
    assert config != triton.Config({"VALUE": 1}, num_warps=2)
    assert "ctas_per_cga" not in triton.Config({"VALUE": 1}).all_kwargs()


def test_configurations_still_reject_other_names():
    with pytest.raises(TypeError, match="'ctas_per_cgs'"):
        triton.Config({}, ctas_per_cgs=(1, 1, 1))


def test_tuner_leaves_out_clusters():
    configs = [triton.Config({"VALUE": n}, ctas_per_cga=(n, 1, 1)) for n in (4, 2, 1)]
    kernel = triton.autotune(configs, key=[])(fill)
    x = np.zeros(32, np.int32)
    with tlx.simulate(), pytest.warns(TLXWarning, match="clusters are not supported"):
        kernel[(1,)](x)
    assert (x == 1).all()
