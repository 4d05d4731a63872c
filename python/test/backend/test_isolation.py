# SPDX-License-Identifier: MIT
"""A crash inside of the wheel's compiler ends a process of its own, not the user's."""

import concurrent.futures
import multiprocessing
import os
import signal
import threading

import numpy as np
import pytest
import triton
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

import tlx
from tlx import __main__ as command
from tlx import errors
from tlx.backend import aot, child, isolation, lowering, names, transport
from tlx.backend.failures import as_config_failure
from tlx.errors import ArgumentError, CompileError, InternalError, TLXWarning

POINTER = triton.MockTensor(tl.float32)
TARGET = names.GPUTarget("cuda", 90, 32)
MEMDESC = (
    "!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, "
    "transposed = false, elementBitWidth = 16}>, #ttg.shared_memory, mutable>"
)
# The wheel's parser asserts that the tensors of this operation have a layout.
CRASHES = f"""module attributes {{"ttg.num-warps" = 4 : i32}} {{
  tt.func public @fill(%c: tensor<64x64xf32>, %a: {MEMDESC}) {{
    %d = ttng.warp_group_dot %a, %a, %c {{inputPrecision = 0 : i32}} :
        {MEMDESC} * {MEMDESC} -> tensor<64x64xf32>
    tt.return
  }}
}}"""
FAILS = '"builtin.module"() ({ %0 = "nowhere.op"() : () -> i32 }) : () -> ()'


@triton.jit
def fill(x, SIZE: tl.constexpr):
    buffer = tlx.local_alloc((SIZE,), tl.float32, 1)
    tlx.local_store(buffer[0], tl.full((SIZE,), 3.0, tl.float32))
    tl.store(x + tl.arange(0, SIZE), tlx.local_load(buffer[0]))


@triton.jit
def plain(x, SIZE: tl.constexpr):
    tl.store(x + tl.arange(0, SIZE), 3.0)


@pytest.fixture(autouse=True)
def reproducers(tmp_path, monkeypatch):
    folder = tmp_path / "reproducers"
    monkeypatch.setenv("TLX_REPRODUCER_DIR", str(folder))
    monkeypatch.setenv("TRITON_DEFAULT_FP_FUSION", "1")
    yield folder
    child._end_all()


def lower_to(text, monkeypatch, size=None):
    """Makes our passes give `text`, for all kernels or those with a SIZE."""
    original = lowering.to_ttgir

    def to_ttgir(module, kernel):
        if size is None or f"tensor<{size}xf32>" in str(module):
            return text
        return original(module, kernel)

    monkeypatch.setattr(lowering, "to_ttgir", to_ttgir)


def compile_stages(kernel=fill):
    source = aot.make_source(kernel, {"x": "*fp32"}, {"SIZE": 128}, {})
    metadata = {}
    return dict(aot.run_stages(source, TARGET, {"num_warps": 2}, metadata)), metadata


@pytest.mark.parametrize("kernel", [fill, plain])
def test_nothing_differs_from_this_process(kernel, reproducers, monkeypatch):
    here, metadata_here = compile_stages(kernel)
    with isolation.wanted():
        elsewhere, metadata_elsewhere = compile_stages(kernel)
    assert elsewhere == here
    assert isinstance(elsewhere["cubin"], bytes)
    assert metadata_elsewhere == metadata_here
    assert list(reproducers.iterdir()) == []
    # And that it was another process: here, its stages are gone.
    for name in ("make_llir", "make_ptx", "make_cubin"):
        monkeypatch.setattr(names.CUDABackend, name, None)
    with isolation.wanted():
        assert compile_stages(kernel)[0] == here


def test_process_is_kept(monkeypatch):
    started = []
    start = child.subprocess.Popen

    def popen(*args, **keywords):
        started.append(args)
        return start(*args, **keywords)

    monkeypatch.setattr(child.subprocess, "Popen", popen)
    with isolation.wanted():
        compile_stages()
        compile_stages(plain)
        assert len(started) == 1
        monkeypatch.setenv("MLIR_ENABLE_TIMING", "0")
        compile_stages()
    assert len(started) == 2


def check_crash(error, reproducers, what="SIGABRT"):
    assert isinstance(error, InternalError)
    prefix = "kernel 'fill': Triton's compiler failed in stage 'ttgir': it ended with "
    assert error.message.startswith(prefix + what)
    assert "Assertion" in error.message
    assert len(error.message) < 500
    (file,) = reproducers.iterdir()
    assert error.reproducer == str(file)
    assert f"note: reproducer written to {file}" in str(error)
    assert file.read_text() == CRASHES


def test_crash_is_an_error(reproducers, monkeypatch, capfd):
    lower_to(CRASHES, monkeypatch)
    with isolation.wanted(), pytest.raises(InternalError) as caught:
        compile_stages()
    check_crash(caught.value, reproducers)
    assert capfd.readouterr() == ("", "")
    monkeypatch.undo()
    with isolation.wanted():
        assert "cubin" in compile_stages()[0]


def test_process_that_died_before(monkeypatch):
    process = child.Child()
    # It has a group of its own, which is ended with it.
    assert os.getpgid(process._process.pid) == process._process.pid
    os.kill(process._process.pid, signal.SIGSEGV)
    process._process.wait()
    with pytest.raises(child.Crash, match=r"^it ended with SIGSEGV$"):
        process.ask({})


def test_time_limit(reproducers, monkeypatch):
    monkeypatch.setenv("TLX_COMPILE_TIMEOUT", "0.001")
    with isolation.wanted(), pytest.raises(InternalError) as caught:
        compile_stages()
    assert caught.value.message == (
        "kernel 'fill': Triton's compiler failed in stage 'ttgir': it had no result "
        "after 0.001 s"
    )
    assert child._idle == []
    (file,) = reproducers.iterdir()
    assert "tt.func" in file.read_text()


@pytest.mark.parametrize(
    ("variable", "text", "call", "rule"),
    [
        ("TLX_COMPILE_TIMEOUT", "soon", isolation.time_limit, "seconds, or 0 for no"),
        ("TLX_COMPILE_TIMEOUT", "-1", isolation.time_limit, "seconds, or 0 for no"),
        ("TLX_COMPILE_TIMEOUT", "nan", isolation.time_limit, "seconds, or 0 for no"),
        ("TLX_ISOLATE", "yes", isolation.is_on, "0 or 1, but got 'yes'"),
    ],
)
def test_wrong_variables(variable, text, call, rule, monkeypatch):
    monkeypatch.setenv(variable, text)
    with pytest.raises(ArgumentError) as caught:
        call()
    assert caught.value.message.startswith(f"expects '{variable}' to be {rule}")


def test_variables(monkeypatch):
    assert isolation.time_limit() == 600
    monkeypatch.setenv("TLX_COMPILE_TIMEOUT", "0")
    assert isolation.time_limit() is None
    monkeypatch.setenv("TLX_ISOLATE", "0")
    with isolation.wanted():
        assert not isolation.is_on()
    monkeypatch.setenv("TLX_ISOLATE", "1")
    assert isolation.is_on()


def test_errors_arrive_as_they_are(reproducers, monkeypatch):
    lower_to(FAILS, monkeypatch)
    found = []
    for where in ("0", "1"):
        monkeypatch.setenv("TLX_ISOLATE", where)
        with pytest.raises(InternalError, match="unregistered dialect") as caught:
            compile_stages()
        assert isinstance(caught.value, names.CompileTimeAssertionFailure)
        error = caught.value
        found.append(str(error).replace(error.reproducer, "FILE"))
        os.unlink(error.reproducer)
    # The messages name the file, which has another name each time.
    assert found[0].split("ttgir:")[1:] == found[1].split("ttgir:")[1:]
    assert list(reproducers.iterdir()) == []


def test_file_goes_if_the_error_does_not_need_it(reproducers, monkeypatch):
    error = transport.error_to_json(errors.ResourceError("expects less"))
    answer = {"error": error, "printed": ""}
    monkeypatch.setattr(child.Child, "ask", lambda self, request: answer)
    with (
        isolation.wanted(),
        pytest.raises(errors.ResourceError, match=r"^expects less$"),
    ):
        compile_stages()
    assert list(reproducers.iterdir()) == []


def test_each_part_of_an_error_travels():
    place = errors.SourceLocation("k.py", 3, 4, "    x = y", 4)
    error = CompileError(
        "expects less", subject="tlx.f", location=place, reproducer="r"
    )
    error.add_note("here", place)
    error.add_note("anyway")
    copy = transport.error_from_json(transport.error_to_json(as_config_failure(error)))
    assert type(copy) is CompileError
    assert str(copy) == str(error)
    assert (copy.reproducer, copy.location) == ("r", place)
    unknown = {**transport.error_to_json(error), "kind": "SystemExit"}
    assert type(transport.error_from_json(unknown)) is InternalError


def test_options_travel():
    backend = names.make_backend(TARGET)
    options = backend.parse_options({"num_warps": 8, "maxnreg": 64})
    copy = transport.options_from_json(transport.options_to_json(options))
    assert copy == options
    assert hash(copy) == hash(options)


def compile_in_copy(results):
    found = list(child._idle)
    with isolation.wanted():
        results.put((len(found), len(compile_stages()[0])))


def test_copies_of_this_process_have_their_own(reproducers):
    with isolation.wanted():
        compile_stages()
        context = multiprocessing.get_context("fork")
        results = context.Queue()
        copy = context.Process(target=compile_in_copy, args=(results,))
        copy.start()
        assert len(child._idle) == 1
        assert results.get(timeout=60) == (0, len(compile_stages()[0]))
        copy.join()


KERNELS = """
import triton
import triton.language as tl
import tlx

TLX_SIGNATURES = {"fill": {"signature": "x=*fp32"}}

@triton.jit
def fill(x):
    tl.store(x, tlx.thread_id(0))
"""


def test_command_line(reproducers, monkeypatch, tmp_path, capfd):
    file = tmp_path / "kernels.py"
    file.write_text(KERNELS)
    lower_to(CRASHES, monkeypatch)
    assert command.main(["compile", str(file), "-o", str(tmp_path)]) == 1
    output = capfd.readouterr()
    assert "failed in stage 'ttgir': it ended with SIGABRT" in output.err
    assert f"note: reproducer written to {reproducers}" in output.err
    monkeypatch.setenv("TLX_COMPILE_TIMEOUT", "soon")
    assert command.main(["compile", str(file), "-o", str(tmp_path)]) == 2


class Compiled(triton.runtime.JITFunction):
    """A kernel whose launches only compile, as there is no GPU."""

    def run(self, *args, **keywords):
        """Stands in for a launch."""
        return super().run(*args, **{**keywords, "warmup": True})


class Driver:
    """Stands in for the driver of a GPU, as far as compiling needs one."""

    get_current_target = staticmethod(lambda: TARGET)
    get_current_device = staticmethod(lambda: 0)
    get_current_stream = staticmethod(lambda device: 0)


@pytest.fixture
def gpu(monkeypatch, tmp_path):
    """Triton sees a GPU, and an empty cache."""
    monkeypatch.setattr(triton.runtime.driver, "_active", Driver())
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))


def tune(kernel, *sizes):
    """Returns an autotuner that takes the first configuration that works."""
    times = iter([1.0, 2.0, 3.0])

    def do_bench(call, quantiles):
        call()
        return [next(times)]

    configs = [triton.Config({"SIZE": size}) for size in sizes]
    tuner = triton.autotune(configs, key=[], do_bench=do_bench)
    return tuner(Compiled(kernel.fn))


def test_autotuner_goes_on_after_a_crash(gpu, reproducers, monkeypatch):
    lower_to(CRASHES, monkeypatch, size=128)
    tuner = tune(fill, 128, 256, 512)
    with pytest.warns(TLXWarning) as warned:
        tuner[(1,)](POINTER)
    assert tuner.best_config.kwargs == {"SIZE": 256}
    (warning,) = warned
    assert warning.filename == __file__
    text = str(warning.message)
    assert text.startswith("configuration 'SIZE: 128, num_warps: 4, ")
    assert "is left out: kernel 'fill': Triton's compiler failed in stage" in text
    (file,) = reproducers.iterdir()
    assert file.read_text() == CRASHES


def test_autotuner_says_why_a_configuration_is_left_out(gpu):
    tuner = tune(fill, 1 << 17, 256)
    with pytest.warns(TLXWarning, match="is left out: .*shared memory"):
        tuner[(1,)](POINTER)
    assert tuner.best_config.kwargs == {"SIZE": 256}
    assert not isolation.is_on()


def test_autotuner_raises_if_no_configuration_is_left(gpu, reproducers, monkeypatch):
    lower_to(FAILS, monkeypatch)
    tuner = tune(fill, 128, 256)
    with pytest.warns(TLXWarning), pytest.raises(InternalError, match="unregistered"):
        tuner[(1,)](POINTER)


def test_autotuned_kernels_of_plain_triton_stay_here(gpu, monkeypatch):
    def start(self):
        raise AssertionError("it must not be started")

    monkeypatch.setattr(child.Child, "__init__", start)
    tuner = tune(plain, 128, 256)
    tuner[(1,)](POINTER)
    assert tuner.best_config.kwargs == {"SIZE": 128}
    with pytest.raises(AssertionError, match="must not be started"):
        tune(fill, 128, 256)[(1,)](POINTER)


def test_warm_up_of_the_autotuner(gpu, reproducers, monkeypatch):
    lower_to(CRASHES, monkeypatch)
    with pytest.raises(InternalError) as caught:
        tune(fill, 128, 256).warmup(POINTER, grid=(1,))
    check_crash(caught.value, reproducers)


def test_warm_up_in_other_threads(gpu, monkeypatch):
    threads = []
    ask = child.Child.ask

    def note(self, request):
        threads.append(threading.current_thread())
        return ask(self, request)

    monkeypatch.setattr(child.Child, "ask", note)
    with (
        concurrent.futures.ThreadPoolExecutor(2) as pool,
        triton.AsyncCompileMode(pool),
    ):
        first, second = tune(fill, 128, 256).warmup(POINTER, grid=(1,))
        assert ".reqntid 128" in first.result().asm["ptx"]
        assert ".reqntid 128" in second.result().asm["ptx"]
    assert len(threads) == 8
    assert threading.main_thread() not in threads


def test_autotuner_in_the_simulator(reproducers, monkeypatch):
    lower_to(CRASHES, monkeypatch, size=128)
    configs = [triton.Config({"SIZE": size}) for size in (128, 256)]
    tuner = triton.autotune(configs, key=[])(fill)
    x = np.zeros(256, np.float32)
    with (
        tlx.simulate(level="stock_ttgir"),
        pytest.warns(TLXWarning, match="is left out: kernel 'fill': .*SIGABRT"),
    ):
        tuner[(1,)](x)
    assert (x == 3).all()
    assert tuner.best_config.kwargs == {"SIZE": 256}


@gluon.jit
def of_gluon(x, SIZE: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    gl.store(x + gl.arange(0, SIZE, layout), gl.full([SIZE], 3.0, gl.float32, layout))


@pytest.mark.parametrize("kernel", [fill, plain, of_gluon])
def test_each_kind_of_kernel_in_the_simulator(kernel, monkeypatch):
    stages = []
    ask = child.Child.ask

    def note(self, request):
        stages.append(request["stage"])
        return ask(self, request)

    monkeypatch.setattr(child.Child, "ask", note)
    x = np.zeros(128, np.float32)
    with tlx.simulate(level="stock_ttgir"), isolation.wanted():
        kernel[(1,)](x, SIZE=128)
    assert (x == 3).all()
    assert stages == (["ttir", "ttgir"] if kernel is plain else ["ttgir"])


def test_hooks_of_triton_s_pipeline_are_called_here(monkeypatch):
    def hook(*arguments):
        return None if arguments else ("key", "hash")

    monkeypatch.setattr(names.knobs.runtime, "add_stages_inspection_hook", hook)
    monkeypatch.setattr(child.Child, "__init__", lambda self: pytest.fail("started"))
    with isolation.wanted():
        assert "cubin" in compile_stages()[0]
