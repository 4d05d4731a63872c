# SPDX-License-Identifier: MIT
"""`tlx.simulate()`: launches inside run in the simulator, all else is as before."""

import pickle
import threading
import warnings

import numpy as np
import pytest
import triton
import triton.language.extra.tlx as extra_tlx

import tlx
from tlx.backend import interception, names
from tlx.errors import ArgumentError, TLXError, TLXWarning, UnsupportedError
from tlx.simulator.findings.base import SimulationError
from tlx.simulator.findings.memory import RaceError

RUN = names.JITFunction.run
TUNE = names.Autotuner.run


def vectors(n=100):
    a = np.arange(n, dtype=np.float32)
    return a, 2 * a, np.zeros(n, np.float32)


def test_kernel_without_tlx(kernels):
    a, b, c = vectors()
    with tlx.simulate() as run:
        kernel = kernels.add[(2,)](a, b, c, 100, BLOCK=64, num_warps=4)
    np.testing.assert_array_equal(c, 3 * a)
    assert "tt.func public @add" in kernel.asm["tlxir"]
    assert run.reports == [kernel.report]
    assert (run.launches, run.ctas, run.findings) == (1, 2, [])


@pytest.mark.parametrize("level", ["tlxir", "ttgir"])
def test_kernel_with_tasks(kernels, level):
    x, y = np.arange(128, dtype=np.float32), np.zeros(128, np.float32)
    with tlx.simulate(level=level) as run:
        kernels.hand_over[(1,)](x, y, BLOCK=128, WAIT=True)
    np.testing.assert_array_equal(y, x + 1)
    assert run.reports[0].steps > 0


def test_finding_is_raised_and_kept(kernels):
    y = np.zeros(1, np.int32)
    with tlx.simulate() as run, pytest.raises(SimulationError) as caught:
        kernels.wait_forever[(1,)](y)
    assert run.findings == [caught.value]
    assert run.reports == [caught.value.report]
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.report is None


def test_writes_of_the_same_value_are_a_warning(kernels):
    x, y = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    with tlx.simulate() as run, warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("default")
        for _ in range(2):
            kernels.double[(3,)](x, y, BLOCK=32)
    np.testing.assert_array_equal(y, 2 * x)
    assert run.findings == []
    assert [len(report.warnings) for report in run.reports] == [1, 1]
    assert run.warnings == [w for report in run.reports for w in report.warnings]
    (warning,) = [w for w in shown if w.category is TLXWarning]
    line = run.warnings[0].line
    assert (warning.filename, warning.lineno) == (kernels.__file__, line)
    assert str(warning.message) == (
        "the default task of CTA (1, 0, 0) writes to 'y' what the default task of CTA "
        "(0, 0, 0) writes, and nothing orders the two; the write by the default task "
        f"of CTA (0, 0, 0): line {line}"
    )


def test_writes_of_the_same_value_may_be_races(kernels, recwarn):
    x, y = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    with tlx.simulate(same_value_writes="ignore") as run:
        kernels.double[(3,)](x, y, BLOCK=32)
    assert run.warnings == []
    with tlx.simulate(same_value_writes="error"), pytest.raises(RaceError):
        kernels.double[(3,)](x, y, BLOCK=32)
    assert not [w for w in recwarn if w.category is TLXWarning]


def test_findings_are_collected(kernels):
    x, y = np.zeros(128, np.float32), np.zeros(128, np.float32)
    with tlx.simulate(on_finding="collect") as run:
        kernels.hand_over[(1,)](x, y, BLOCK=128, WAIT=False)
        kernels.hand_over[(1,)](x, y, BLOCK=128, WAIT=True)
    assert len(run.reports) == 2
    assert run.findings == run.reports[0].findings
    assert len(run.findings) >= 1


def test_positional_keyword_and_default_arguments(kernels, calls):
    a, b, c = vectors(16)
    with tlx.simulate():
        kernels.add[(1,)](a, n=16, c=c, b=b, BLOCK=16)
        kernels.add[1, 2, 3](a, b, c, 16, 16)
    assert calls[0].params == calls[1].params
    assert [call.grid for call in calls] == [(1, 1, 1), (1, 2, 3)]


def test_grid_is_a_function_of_all_arguments(kernels, calls):
    a, b, c = vectors()
    with tlx.simulate():
        kernels.add[lambda meta: (triton.cdiv(meta["a"].size, meta["BLOCK"]),)](
            a, b, c, 100, BLOCK=32
        )
    assert calls[0].grid == (4, 1, 1)


@pytest.mark.parametrize("grid", [4, (), (1, 1, 1, 1), (1.5,), ("x",)])
def test_wrong_grid(kernels, calls, grid):
    a, b, c = vectors()
    with (
        tlx.simulate(),
        pytest.raises(ArgumentError, match="'grid' to be a tuple of one to three int"),
    ):
        kernels.add[grid](a, b, c, 100, BLOCK=32)


@pytest.mark.parametrize("grid", [(-1,), (1, 65536), (2**31,)])
def test_grid_out_of_range(kernels, calls, grid):
    a, b, c = vectors()
    with tlx.simulate(), pytest.raises(ArgumentError, match=r"of the grid to be in 0"):
        kernels.add[grid](a, b, c, 100, BLOCK=32)


TAKES = "(it takes a, b, c, n, BLOCK)"


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (
            (100,),
            {"num_warp": 4},
            "kernel 'add' has no parameter and Triton no option 'num_warp', did you "
            f"mean 'num_warps'? {TAKES}",
        ),
        ((), {}, f"kernel 'add': missing a required argument: 'n' {TAKES}"),
        ((1, 2, 3), {}, f"kernel 'add': multiple values for argument 'BLOCK' {TAKES}"),
        (
            (100,),
            {"num_warps": 3},
            "expects 'num_warps' to be a power of two from 1 to 32, but got 3",
        ),
    ],
)
def test_wrong_arguments(kernels, calls, arguments, options, message):
    with tlx.simulate(), pytest.raises(ArgumentError) as caught:
        kernels.add[(1,)](*vectors(), *arguments, BLOCK=32, **options)
    assert str(caught.value) == message


def test_clusters_are_not_there_yet(kernels, calls):
    a, b, c = vectors()
    with tlx.simulate(), pytest.raises(UnsupportedError, match="'num_ctas' to be 1"):
        kernels.add[(1,)](a, b, c, 100, BLOCK=32, num_ctas=2)


def test_launches_share_what_was_compiled(kernels, calls):
    a, b, c = vectors()
    with tlx.simulate():
        for n in (100, 50, 96):
            kernels.add[(1,)](a, b, c, n, BLOCK=128)
        kernels.add[(1,)](a, b, c, 1, BLOCK=128)
    with tlx.simulate(seed=3):
        kernels.add[(1,)](a, b, c, 100, BLOCK=128)
    programs = [call.program for call in calls]
    assert programs[0] is programs[1] is programs[4]
    # 96 is a multiple of 16; 1 becomes a constant and is no parameter.
    assert len({id(program) for program in programs}) == 3
    assert [len(call.params) for call in calls] == [4, 4, 4, 3, 4]


def test_a_warm_up_compiles_only(kernels, calls):
    a, b, c = vectors()
    with tlx.simulate() as run:
        kernel = kernels.add.warmup(a, b, c, 100, BLOCK=64, grid=(1,))
    assert "tt.func" in kernel.asm["tlxir"]
    assert kernel.report is None
    assert calls == []
    assert run.launches == 0


def test_innermost_simulation_counts(kernels, calls):
    a, b, c = vectors()
    with tlx.simulate(seed=1) as outer:
        with tlx.simulate(seed=2) as inner:
            kernels.add[(1,)](a, b, c, 100, BLOCK=64)
        kernels.add[(1,)](a, b, c, 100, BLOCK=64)
    assert [call.options.seed for call in calls] == [2, 1]
    assert len(outer.reports) == len(inner.reports) == 1


def test_triton_is_itself_again(kernels):
    def fail():
        with tlx.simulate(), tlx.simulate():
            assert names.JITFunction.run is not RUN
            assert names.Autotuner.run is not TUNE
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert names.JITFunction.run is RUN
    assert names.Autotuner.run is TUNE
    assert interception.current() is None


def test_wrapper_of_somebody_else_stays(kernels, monkeypatch):
    monkeypatch.setattr(names.JITFunction, "run", RUN)
    with tlx.simulate():
        ours = names.JITFunction.run

        def wrapper(*args, **keywords):
            return ours(*args, **keywords)

        names.JITFunction.run = wrapper
    assert names.JITFunction.run is wrapper


def test_other_threads_are_not_simulated(kernels):
    seen = []
    with tlx.simulate() as run:
        thread = threading.Thread(target=lambda: seen.append(interception.current()))
        thread.start()
        thread.join()
        assert interception.current() is run
    assert seen == [None]


def test_pre_run_hooks_run(kernels, calls):
    a, b, c = vectors()
    seen = []
    kernels.add.add_pre_run_hook(lambda *args, **keywords: seen.append(keywords))
    try:
        with tlx.simulate():
            kernels.add[(1,)](a, b, c, n=100, BLOCK=64)
    finally:
        kernels.add.pre_run_hooks.clear()
    assert [hook["n"] for hook in seen] == [100]


def test_names(kernels):
    assert tlx.simulate is extra_tlx.simulate
    assert "simulate" in dir(tlx)
    with pytest.raises(TLXError, match="did you mean 'simulate'"):
        tlx.simulat  # noqa: B018


def test_kernel_too_big_for_a_gpu(kernels, calls):
    with tlx.simulate(), pytest.raises(TLXError, match="shared memory"):
        kernels.hand_over[(1,)](
            np.zeros(65536, np.float64),
            np.zeros(65536, np.float64),
            BLOCK=65536,
            WAIT=True,
        )
