# SPDX-License-Identifier: MIT
"""Helpers that also work on the host, and names that are not there yet."""

import pytest
import triton
import triton.language as tl

import tlx
from tlx.errors import ArgumentError, DTypeError, TargetError, UnsupportedError


@pytest.mark.parametrize(
    ("dtype", "size"),
    [(tl.int8, 1), (tl.float8e5, 1), (tl.bfloat16, 2), (tl.float32, 4), (tl.int64, 8)],
)
def test_size_of(dtype, size):
    assert tlx.size_of(dtype) == size


@pytest.mark.parametrize("value", [tl.int1, tl.void, 16, tl.pointer_type(tl.int8)])
def test_size_of_rejects(value):
    with pytest.raises(DTypeError, match=r"'tlx\.size_of' expects 'dtype' to be a"):
        tlx.size_of(value)


def test_fp8_format_names():
    assert tlx.get_fp8_format_name(tl.float8e5) == "e5m2"
    assert tlx.get_fp8_format_name(tl.constexpr(tl.float8e4nv)) == "e4m3"
    with pytest.raises(DTypeError, match=r"to be tl\.float8e5 or tl\.float8e4nv, but"):
        tlx.get_fp8_format_name(tl.float16)


@pytest.mark.parametrize(
    ("arch", "number"),
    [("sm_90a", 90), ("sm90", 90), ("100", 100), (90, 90), ("sm_100f", 100)],
)
def test_architecture_names(arch, number):
    assert tlx.cuda_parse_arch(arch) == number


def test_architecture_names_rejected():
    with pytest.raises(ArgumentError, match="but got 'gfx950'"):
        tlx.cuda_parse_arch("gfx950")
    assert tlx.is_amd_tdm_target("gfx1250")
    assert not tlx.is_amd_tdm_target("gfx950")


def test_no_driver_is_not_amd():
    assert tlx.is_hip() is False


def test_every_public_name_exists():
    assert len(set(tlx.__all__)) == len(tlx.__all__)
    for name in tlx.__all__:
        assert getattr(tlx, name) is not None


@pytest.mark.parametrize(
    ("name", "error", "text"),
    [
        (
            "cluster_barrier",
            UnsupportedError,
            "'tlx.cluster_barrier' needs thread block clusters, which this version "
            "of TLX does not have yet",
        ),
        (
            "storage_alias_spec",
            UnsupportedError,
            "'tlx.storage_alias_spec' needs storage aliases, which this version of "
            "TLX does not have yet",
        ),
        (
            "clc_producer",
            UnsupportedError,
            "'tlx.clc_producer' needs cluster launch control, which this version of "
            "TLX does not have yet",
        ),
        ("buffer_load", TargetError, "'tlx.buffer_load' needs an AMD target"),
    ],
)
def test_missing_names_say_what_they_need(name, error, text):
    with pytest.raises(error) as caught:
        getattr(tlx, name)(1, x=2)
    assert str(caught.value) == text


# A line of a kernel, the class of its error, its text on sm_90.
IN_KERNELS = [
    (
        "tlx.cluster_cta_rank()",
        UnsupportedError,
        "'tlx.cluster_cta_rank' needs thread block clusters, which this version of TLX "
        "does not have yet",
    ),
    (
        "tlx.reuse_group(1, group_type=tlx.reuse_group_type.shared)",
        UnsupportedError,
        "'tlx.reuse_group' needs storage aliases, which this version of TLX does not "
        "have yet",
    ),
    (
        "tlx.tensor_memory_layout_encoding.make_default([64, 64])",
        TargetError,
        "'tlx.tensor_memory_layout_encoding.make_default' needs sm_100 (tensor "
        "memory), "
        "but the target is sm_90",
    ),
    (
        "tlx.clc_create_context(1)",
        TargetError,
        "'tlx.clc_create_context' needs sm_100 (cluster launch control), but the "
        "target "
        "is sm_90",
    ),
]


@pytest.mark.parametrize(("line", "error", "text"), IN_KERNELS)
def test_missing_names_in_kernels(line, error, text, one_line, rejects):
    rejects(one_line(line), error, text, line)


def test_nothing_is_an_instance_of_a_missing_class():
    assert not isinstance(3, tlx.clc_response)


@pytest.mark.parametrize("name", ["local_alloc", "barrier_wait", "async_dot"])
def test_builtins_need_a_kernel(name):
    with pytest.raises(ArgumentError, match="can only be called from a @triton"):
        getattr(tlx, name)()


def test_the_interpreter_is_named(monkeypatch):
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    with pytest.raises(UnsupportedError, match="unset TRITON_INTERPRET"):
        tlx.barrier_wait()


def test_votes(tlxir):
    @triton.jit
    def kernel(x, m):
        i = tl.program_id(0)
        tl.store(x, tlx.vote_ballot_sync(0xFFFFFFFF, i > 3))
        t = tlx.vote_ballot_sync(m, tl.arange(0, 64) > i)
        tl.store(x + tl.arange(0, 64), t)

    text = tlxir(kernel, {"x": "*i32", "m": "i32"})
    assert ": i1 -> i32" in text
    assert "arith.constant -1 : i32" in text
    assert ": tensor<64xi1> -> tensor<64xi32>" in text


VOTES = [
    (
        "tlx.vote_ballot_sync(1 << 32, True)",
        ArgumentError,
        "'tlx.vote_ballot_sync' expects 'mask' to be of 1 to 32 bits, but got "
        "4294967296",
    ),
    (
        "tlx.vote_ballot_sync(1, tl.program_id(0))",
        DTypeError,
        "'tlx.vote_ballot_sync' expects 'pred' to be an int1 scalar or tensor, but got "
        "a run-time value of type int32",
    ),
]


@pytest.mark.parametrize(("line", "error", "text"), VOTES)
def test_votes_rejected(line, error, text, one_line, rejects):
    rejects(one_line(line), error, text, line)
