# SPDX-License-Identifier: MIT
"""`python -m tlx compile --launch`: a script's launch says what is compiled."""

import numpy as np
import pytest
import triton
import triton.language as tl

import tlx
from tlx import __main__ as command

SCRIPT = """
import sys
import threading

import numpy as np
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

import tlx


@triton.jit
def size(x, n):
    tl.store(x, n + tlx.thread_id(0))


@triton.jit
def fill(x, n, pair, one, SIZE: tl.constexpr):
    i = tl.arange(0, SIZE)
    tl.store(x + i, tlx.thread_id(0) + n + pair[0] + pair[1] + one, mask=i < n)


@triton.autotune([triton.Config({"SIZE": 64}, num_warps=2)], key=[])
@triton.heuristics({"TWICE": lambda arguments: 2 * arguments["SIZE"]})
@triton.jit
def tuned(desc, SIZE: tl.constexpr, TWICE: tl.constexpr):
    buffer = tlx.local_alloc((SIZE, SIZE), tl.float16, 1)
    tlx.local_store(buffer[0], tl.full((SIZE, SIZE), TWICE, tl.float16))
    tlx.fence("async_shared")
    tlx.async_descriptor_store(desc, buffer[0], [0, 0])
    tlx.async_descriptor_store_wait(0)


@triton.jit
def races(x):
    buffer = tlx.local_alloc((32,), tl.float32, 1)
    tl.store(x + tl.arange(0, 32), tlx.local_load(buffer[0]))


x = np.zeros(256, np.int32)


def launch_fill():
    size[(1,)](x, 128)
    fill[(1,)](x, 33, (3, 1), 1, SIZE=int(x[0]), num_warps=2)


case = sys.argv[1]
if case == "fill":
    launch_fill()
    raise OSError("not reached")
if case == "thread":
    thread = threading.Thread(target=launch_fill)
    thread.start()
    thread.join()
    assert x[1] == 38, "what the launch would have stored"
if case == "tuned":
    array = tlx.simulator.tensor(np.zeros((64, 64), np.float16))
    tuned[(1,)](TensorDescriptor.from_tensor(array, [64, 64]))
if case == "after":
    races[(1,)](x.view(np.float32))
    launch_fill()
if case == "option":
    fill[(1,)](x, 33, (3, 1), 1, SIZE=64, num_warps=3)
if case == "exit":
    size[(1,)](x, 1)
    sys.exit(0)
if case == "fail":
    raise OSError("gone")
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


@pytest.fixture
def run(capsys, tmp_path):
    """Runs the command; returns its status and what it printed."""

    def compile_launch(kernel, case, *options):
        status = command.main(
            ["compile", str(kernel), "-o", str(tmp_path), *options, "--launch", case]
        )
        output = capsys.readouterr()
        return status, output.out, output.err

    return compile_launch


@pytest.mark.parametrize("case", ["fill", "thread"])
def test_kernel_is_compiled_as_it_was_launched(case, script, run, tmp_path):
    status, out, err = run(f"{script}:fill", case)
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == (
        "launch     x=*i32:16, n=i32, pair=(i32, constexpr), one=1, SIZE=128, "
        "num_warps=2"
    )
    text = (tmp_path / "fill.tlxir").read_text()
    assert '"ttg.num-warps" = 2' in text
    assert "tensor<128xi32>" in text
    # The tuple's second entry and `one` are constants, and no parameters.
    assert (
        "@fill(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: i32, " in text
    )
    assert "%arg3" not in text
    assert ".reqntid 64" in (tmp_path / "fill.ptx").read_text()


def test_first_kernel_unless_one_is_named(script, run, tmp_path):
    status, out, _ = run(script, "fill", "--emit", "tlxir")
    assert status == 0
    assert out.startswith("launch     x=*i32:16, n=i32:16\n")
    assert (tmp_path / "size.tlxir").exists()


def test_command_line_wins_over_the_launch(script, run, tmp_path):
    status, out, _ = run(
        *(f"{script}:fill", "fill", "--emit", "tlxir", "--num-warps", "4"),
        *("--constexpr", "SIZE=64,pair=(7,8)", "--signature", "x=*i64,one=i32"),
    )
    assert status == 0
    assert out.startswith(
        "launch     x=*i64, n=i32, pair=(7, 8), one=i32, SIZE=64, num_warps=4\n"
    )
    text = (tmp_path / "fill.tlxir").read_text()
    assert "@fill(%arg0: !tt.ptr<i64>, %arg1: i32, %arg2: i32)" in text
    assert "tensor<64xi32>" in text


def test_tuned_kernel_with_heuristics_and_descriptors(script, run, tmp_path):
    status, out, err = run(f"{script}:tuned", "tuned")
    assert (status, err) == (0, "")
    assert out.startswith(
        "launch     desc=tensordesc<fp16[64, 64]>, SIZE=64, TWICE=128, "
    )
    assert "num_warps=2" in out
    assert "cp.async.bulk.tensor.2d" in (tmp_path / "tuned.ptx").read_text()


def test_target(script, run, tmp_path):
    run(f"{script}:fill", "fill", "--target", "sm_100a", "--emit", "ptx")
    assert ".target sm_100a" in (tmp_path / "fill.ptx").read_text()


@pytest.mark.parametrize(
    ("kernel", "case", "status", "message"),
    [
        (
            "sizes",
            "exit",
            2,
            "launch 'sizes', but it did not, only size, did you mean",
        ),
        ("", "nothing", 2, "to launch a kernel, but it did not\n"),
        ("fill", "after", 1, "'buffer[0]' from byte 0 on, which nobody has written"),
        (
            "fill",
            "option",
            1,
            "'num_warps' to be a power of two from 1 to 32, but got 3",
        ),
        ("fill", "fail", 1, "file to launch 'fill', but it raised OSError: gone"),
    ],
)
def test_faults(kernel, case, status, message, script, run):
    found, _, err = run(f"{script}:{kernel}" if kernel else script, case)
    assert found == status
    assert message in err
    assert "Traceback" not in err


def test_no_such_script(run, tmp_path):
    status, _, err = run(tmp_path / "none.py", "fill")
    assert status == 2
    assert "expects a Python file, but got" in err


def test_launches_are_triton_s_again(script, run):
    run(f"{script}:fill", "fill")

    @triton.jit
    def kernel(x):
        tl.store(x, 1)

    with pytest.raises(RuntimeError, match="driver"):
        kernel[(1,)](np.zeros(1, np.int32))
    with tlx.simulate():
        kernel[(1,)](np.zeros(1, np.int32))
