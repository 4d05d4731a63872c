# SPDX-License-Identifier: MIT
"""Options of a launch are checked by one rule, whoever compiles the kernel."""

import numpy as np
import pytest
import triton
import triton.language as tl
from triton.compiler import ASTSource

import tlx
from tlx.backend import aot, launches, names
from tlx.backend import options as launch_options
from tlx.errors import ArgumentError, ResourceError, TLXWarning, UnsupportedError

POINTER = triton.MockTensor(tl.int32)
TARGET = names.GPUTarget("cuda", 90, 32)


@triton.jit
def thread(x):
    tl.store(x, tlx.thread_id(0))


@triton.jit
def plain(x):
    tl.store(x + tl.arange(0, 32), 1)


GOOD = [
    ("num_warps", (1, 2, 32, None)),
    ("num_ctas", (1, None)),
    ("num_stages", (0, 1, 2**31 - 1, None)),
    ("maxnreg", (24, 25, 255, None)),
    (
        "instrumentation_mode",
        ("", "fpsan", "consan, iisan", "default:optimizations=x,y"),
    ),
]
WARPS = "a power of two from 1 to 32"
STAGES = "an integer from 0 to 2147483647"
REGISTERS = "an integer from 24 to 255"
BAD = [
    ("num_warps", 3, ArgumentError, f"'num_warps' to be {WARPS}, but got 3"),
    ("num_warps", 0, ArgumentError, f"'num_warps' to be {WARPS}, but got 0"),
    ("num_warps", -4, ArgumentError, f"'num_warps' to be {WARPS}, but got -4"),
    ("num_warps", "4", ArgumentError, f"'num_warps' to be {WARPS}, but got '4'"),
    ("num_warps", True, ArgumentError, f"'num_warps' to be {WARPS}, but got True"),
    (
        *("num_warps", 64, ResourceError),
        "'num_warps' to be at most 32, as a CTA has at most 1024 threads, but got 64",
    ),
    (
        *("num_ctas", 2, UnsupportedError),
        "'num_ctas' to be 1, but got 2: clusters are not supported",
    ),
    ("num_ctas", 1.0, ArgumentError, "'num_ctas' to be 1, but got 1.0"),
    ("num_stages", -1, ArgumentError, f"'num_stages' to be {STAGES}, but got -1"),
    (
        "num_stages",
        2**31,
        ArgumentError,
        f"'num_stages' to be {STAGES}, but got {2**31}",
    ),
    ("num_stages", 2.5, ArgumentError, f"'num_stages' to be {STAGES}, but got 2.5"),
    ("maxnreg", 23, ArgumentError, f"'maxnreg' to be {REGISTERS}, but got 23"),
    ("maxnreg", 256, ArgumentError, f"'maxnreg' to be {REGISTERS}, but got 256"),
    (
        *("instrumentation_mode", "fpsam", ArgumentError),
        "'TRITON_INSTRUMENTATION_MODE' to name some of consan, fpsan, gsan, iisan, but "
        "got 'fpsam', did you mean 'fpsan'?",
    ),
]
OF_LAUNCHES = [case for case in BAD if case[0] != "instrumentation_mode"]


@pytest.mark.parametrize(("name", "values"), GOOD)
def test_good_values(name, values):
    for value in values:
        launch_options.check({name: value})


def check_error(caught, message):
    assert caught.value.message == f"expects {message}"
    # So that it costs the autotuner one configuration.
    assert isinstance(caught.value, names.CompileTimeAssertionFailure)


@pytest.mark.parametrize(("name", "value", "kind", "message"), BAD)
def test_bad_values(name, value, kind, message):
    with pytest.raises(kind) as caught:
        launch_options.check({name: value})
    check_error(caught, message)


class Driver:
    """Stands in for the driver of a GPU, as far as compiling needs one."""

    get_current_target = staticmethod(lambda: TARGET)
    get_current_device = staticmethod(lambda: 0)
    get_current_stream = staticmethod(lambda device: 0)


@pytest.fixture
def gpu(monkeypatch, tmp_path):
    """Triton sees a GPU, and an empty cache."""
    monkeypatch.setattr(triton.runtime.driver, "_active", Driver())
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TRITON_DEFAULT_FP_FUSION", "1")


def by_launch(options):
    thread.warmup(POINTER, grid=(1,), **options)


def by_triton_compile(options):
    triton.compile(ASTSource(thread, {"x": "*i32"}), target=TARGET, options=options)


def by_command_line(options):
    source = aot.make_source(thread, {"x": "*i32"}, {}, {})
    aot.parse_options(source, TARGET, options)


def by_simulator(options):
    with tlx.simulate():
        thread[(1,)](np.zeros(32, np.int32), **options)


@pytest.mark.parametrize(
    "way", [by_launch, by_triton_compile, by_command_line, by_simulator]
)
def test_each_way_to_compile_checks(way, gpu):
    for name, value, kind, message in OF_LAUNCHES:
        with pytest.raises(kind) as caught:
            way({name: value})
        check_error(caught, message)
    way({"num_warps": 2, "num_ctas": 1, "num_stages": 0, "maxnreg": 64})


@pytest.mark.parametrize("level", ["tlxir", "ttgir", "stock_ttgir"])
def test_every_level_of_the_simulator_knows_the_limit_of_threads(level):
    x = np.zeros(32, np.int32)
    for kernel in (thread, plain):
        with (
            tlx.simulate(level=level),
            pytest.raises(ResourceError, match="but got 64"),
        ):
            kernel[(1,)](x, num_warps=64)


def test_unknown_option_of_a_launch(gpu):
    with pytest.raises(ArgumentError) as caught:
        by_launch({"num_warp": 4})
    assert caught.value.message == (
        "kernel 'thread' has no parameter and Triton no option 'num_warp', did you "
        "mean 'num_warps'? (it takes x)"
    )


def test_plain_kernels_are_triton_s(gpu):
    with pytest.raises(AssertionError, match="num_warps must be a power of 2"):
        plain.warmup(POINTER, grid=(1,), num_warps=3)
    kernel = plain.warmup(POINTER, grid=(1,), num_warps=64, num_stages=-1)
    assert ".reqntid 2048" in kernel.asm["ptx"]


def test_plain_kernels_may_have_clusters_on_the_command_line():
    source = aot.make_source(plain, {"x": "*i32"}, {}, {})
    assert aot.parse_options(source, TARGET, {"num_ctas": 2}).num_ctas == 2
    with pytest.raises(
        ArgumentError, match=r"'num_ctas' to be 1, 2, 4 or 8, but got 3$"
    ):
        aot.parse_options(source, TARGET, {"num_ctas": 3})
    old = names.GPUTarget("cuda", 80, 32)
    with pytest.raises(
        ArgumentError, match=r"^Triton rejects the options: num_ctas > 1"
    ):
        aot.parse_options(source, old, {"num_ctas": 2})


def test_tuner_leaves_out_a_bad_option():
    configs = [triton.Config({}, num_warps=n) for n in (3, 64, 2)]
    kernel = triton.autotune(configs, key=[])(thread)
    with tlx.simulate(), pytest.warns(TLXWarning) as warned:
        kernel[(1,)](np.zeros(32, np.int32))
    assert kernel.best_config.num_warps == 2
    messages = [str(w.message).split(" is left out: ")[1] for w in warned]
    assert messages == [f"expects {BAD[0][3]}", f"expects {BAD[5][3]}"]


def test_install_is_idempotent():
    before = names.JITFunction._pack_args
    launches.install()
    assert names.JITFunction._pack_args is before
