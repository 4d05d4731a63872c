# SPDX-License-Identifier: MIT
"""Which kernels go our way is known without running them."""

import types

import pytest
import triton
import triton.language as tl
from triton.language.extra import tlx as alias

import tlx
from tlx.backend import force, uses_tlx

barrier_wait = type("barrier_wait", (), {"__module__": "tlx.language.barriers"})
BUFFER_KIND = tl.constexpr(barrier_wait)


@triton.jit
def plain(x):
    tl.store(x, tl.max(tl.load(x + tl.arange(0, 16)), 0))


@triton.jit
def direct(x):
    tlx.barrier_arrive(x)


@triton.jit
def by_alias(x):
    alias.barrier_arrive(x)


@triton.jit
def by_imported_name(x):
    barrier_wait(x)


@triton.jit
def by_constant(x):
    tl.store(x, BUFFER_KIND)


@triton.jit
def through_helper(x):
    direct(x)


@triton.jit
def through_two_helpers(x):
    through_helper(x)


helpers = types.ModuleType("helpers")
helpers.direct = direct
helpers.plain = plain


@triton.jit
def through_module(x):
    helpers.direct(x)


@triton.jit
def plain_of_module(x):
    helpers.plain(x)


@triton.jit
def calls_itself(x):
    calls_itself(x)


@triton.jit
def takes_helper(x, helper: tl.constexpr):
    helper(x)


def closure_over(value):
    @triton.jit
    def kernel(x):
        value(x)

    return kernel


@pytest.mark.parametrize(
    "kernel",
    [
        direct,
        by_alias,
        by_imported_name,
        by_constant,
        through_helper,
        through_two_helpers,
        through_module,
        closure_over(barrier_wait),
        closure_over(direct),
        triton.autotune([triton.Config({})], key=[])(through_helper),
    ],
    ids=lambda k: getattr(k, "__name__", "autotuned"),
)
def test_uses_tlx(kernel):
    assert uses_tlx(kernel)


@pytest.mark.parametrize(
    "kernel",
    [
        plain,
        plain_of_module,
        calls_itself,
        takes_helper,
        closure_over(plain),
    ],
    ids=lambda k: k.__name__,
)
def test_does_not_use_tlx(kernel):
    assert not uses_tlx(kernel)


def test_helper_given_as_constant():
    assert uses_tlx(takes_helper, [direct])
    assert uses_tlx(takes_helper, [tl.constexpr(direct)])
    assert uses_tlx(takes_helper, [(plain, direct)])
    assert not uses_tlx(takes_helper, [plain, 3, tl.float16])


def test_forced_kernel_is_a_copy():
    forced = force(plain)
    assert uses_tlx(forced)
    assert not uses_tlx(plain)
    assert forced.device_caches is not plain.device_caches
    assert forced.cache_key == plain.cache_key
