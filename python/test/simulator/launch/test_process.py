# SPDX-License-Identifier: MIT
"""Scripts that run in the simulator: `python -m tlx sim` and TLX_SIMULATE."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys
import threading
import numpy as np
import triton
import triton.language as tl
import tlx

@triton.jit
def double(x, y, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    buffer = tlx.local_alloc((BLOCK,), tl.float32, 1)
    tlx.local_store(buffer[0], tl.load(x + i) * 2)
    tl.store(y + i, tlx.local_load(buffer[0]))

@triton.jit
def wait_forever(y):
    bar = tlx.alloc_barriers(1)
    tlx.barrier_wait(bar[0], 0)
    tl.store(y, 1)

x, y = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)

def launch():
    double[(1,)](x, y, BLOCK=32)

if "twice" in sys.argv:
    double[(2,)](x, y, BLOCK=32)
if "hang" in sys.argv:
    wait_forever[(2,)](y)
thread = threading.Thread(target=launch)
thread.start()
thread.join()
assert (y == 2 * x).all(), y
print("right", sys.argv[1:], __name__)
if "exit" in sys.argv:
    sys.exit(3)
"""
PYTHON_PATH = Path(__file__).parents[3]


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def run(*command, **variables):
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("TLX_SIMULATE", "TRITON_INTERPRET"))
    }
    path = os.pathsep.join([str(PYTHON_PATH), environment.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, *map(str, command)],
        env={**environment, "PYTHONPATH": path, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def test_command(script):
    result = run("-m", "tlx", "sim", "--seed", "3", script, "--flag", "argument")
    assert result.returncode == 0, result.stderr
    assert result.stdout == "right ['--flag', 'argument'] __main__\n"
    (summary,) = result.stderr.splitlines()
    assert summary.startswith("simulated: 1 launch, 1 CTA, ")
    assert summary.endswith(" steps, 0 findings")


def test_command_with_a_warning(script):
    result = run("-m", "tlx", "sim", script, "twice")
    assert result.returncode == 0
    assert (
        "TLXWarning: the default task of CTA (1, 0, 0) writes to 'y'" in result.stderr
    )
    assert result.stderr.splitlines()[-1].endswith(", 0 findings, 1 warning")
    option = ("--same-value-writes", "error")
    assert run("-m", "tlx", "sim", *option, script, "twice").returncode == 1


def test_command_with_a_finding(script):
    result = run("-m", "tlx", "sim", script, "hang")
    assert result.returncode == 1
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert "script.py:19" in result.stderr
    summary = result.stderr.splitlines()[-1]
    assert summary.startswith("simulated: 1 launch, 2 CTAs")
    assert summary.endswith(", 1 finding")


def test_command_goes_on_after_a_finding(script):
    result = run("-m", "tlx", "sim", "--on-finding", "collect", script, "hang")
    assert result.returncode == 1
    assert result.stdout.startswith("right")
    assert result.stderr.splitlines()[-1].startswith("simulated: 2 launches, 3 CTAs")


def test_command_returns_the_status_of_the_script(script):
    assert run("-m", "tlx", "sim", script, "exit").returncode == 3


def test_command_with_wrong_option(script):
    result = run("-m", "tlx", "sim", "--level", "ptx", script)
    assert result.returncode == 2
    assert result.stderr == (
        "python -m tlx sim: error: expects '--level' to be one of tlxir, ttgir, "
        "stock_ttgir, but got 'ptx'\n"
    )


def test_command_without_the_file(tmp_path):
    result = run("-m", "tlx", "sim", tmp_path / "none.py")
    assert result.returncode == 2
    assert "expects a Python file, but got" in result.stderr


def test_command_shows_only_the_script_s_part_of_a_traceback(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("def f():\n    raise OSError('gone')\nf()\n")
    result = run("-m", "tlx", "sim", script)
    assert result.returncode == 1
    first, *lines, last, summary = result.stderr.splitlines()
    assert first == "Traceback (most recent call last):"
    assert [line for line in lines if line.startswith("  File")] == [
        f'  File "{script}", line 3, in <module>',
        f'  File "{script}", line 2, in f',
    ]
    assert last == "OSError: gone"
    assert summary == "simulated: 0 launches, 0 CTAs, 0 steps, 0 findings"


def test_timeline_that_cannot_be_written(script, tmp_path):
    result = run("-m", "tlx", "sim", "--trace", "/proc/nope/x.html", script)
    assert result.returncode == 2
    assert result.stderr == (
        "python -m tlx sim: error: expects '--trace' to be in a folder that can be "
        "written, but got '/proc/nope': No such file or directory\n"
    )
    script.write_text(SCRIPT.replace("thread = ", "launch()\nthread = "))
    (tmp_path / "x.html").mkdir()
    result = run("-m", "tlx", "sim", "--trace", tmp_path / "x.html", script)
    assert result.returncode == 1
    assert (
        f"expects 'trace' to be a file that can be written, but got "
        f"'{tmp_path / 'x.html'}': Is a directory\n"
    ) in result.stderr
    assert "Traceback" not in result.stderr


def test_environment(script):
    result = run(script, TLX_SIMULATE="1", TLX_SIMULATE_SEED="5")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("right")


INTERPRETED = """
import numpy as np
import triton
import triton.language as tl
import tlx

@triton.jit
def half(x):
    return tl.cdiv(x, 2)

@triton.autotune([triton.Config({"BLOCK": 16}), triton.Config({"BLOCK": 32})], key=[])
@triton.jit
def with_tlx(x, y, n, HELPER: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    buffer = tlx.local_alloc((BLOCK,), tl.float32, 1)
    tlx.local_store(buffer[0], tl.load(x + i))
    v = tlx.local_load(buffer[0])
    zero = tl.zeros((BLOCK,), tl.float32)
    tl.store(y + i, v + v.sum() + half(n) + HELPER(n) + zero)

@triton.jit
def plain(y):
    tl.store(y, 7)

x, y = np.arange(16, dtype=np.float32), np.zeros(16, np.float32)
with_tlx[(1,)](x, y, 7, half)
assert (y == x + x.sum() + 8).all(), y
with tlx.simulate() as run:
    plain[(1,)](y)
assert y[0] == 7 and run.launches == 1
assert triton.knobs.runtime.interpret
try:
    plain[(1,)](y)
except triton.runtime.errors.InterpreterError:
    print("Triton's interpreter wants torch")
"""


def test_interpreter_leaves_kernels_of_tlx_to_the_simulator(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(INTERPRETED)
    result = run(script, TRITON_INTERPRET="1")
    assert result.returncode == 0, result.stderr
    # A kernel without TLX is Triton's again: it takes no NumPy arrays.
    assert result.stdout == "Triton's interpreter wants torch\n"


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        (
            {"TLX_SIMULATE": "1", "TLX_SIMULATE_LEVEL": "ptx"},
            "ArgumentError: expects 'TLX_SIMULATE_LEVEL' to be one of tlxir, ttgir",
        ),
        (
            {"TRITON_INTERPRET": "1", "TLX_SIMULATE_SEED": "x"},
            "ArgumentError: expects 'TLX_SIMULATE_SEED' to be an integer",
        ),
        ({"TLX_SIMULATE": "maybe"}, "ArgumentError: expects 'TLX_SIMULATE' to be 0 or"),
    ],
)
def test_environment_with_wrong_values(script, variables, message):
    result = run(script, **variables)
    assert result.returncode == 1
    assert message in result.stderr
