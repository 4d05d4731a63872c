# SPDX-License-Identifier: MIT
"""`python -m tlx`."""

import re

import pytest
import triton
import triton.language as tl

import tlx
from tlx import __main__ as command
from tlx.tools import signatures

KERNELS = """
import triton
import triton.language as tl

TLX_SIGNATURES = {
    "scale": {
        "signature": {"x": "*fp32:16", "n": "i32"},
        "constexprs": {"SIZE": 128},
        "options": {"num_warps": 2},
    },
}


@triton.jit
def scale(x, n, SIZE: tl.constexpr, TYPE: tl.constexpr = tl.float32):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(x + at, (tl.load(x + at, mask=at < n) * 2).to(TYPE), mask=at < n)


@triton.jit
def undefined(x):
    tl.store(x, nowhere)


@triton.jit
def many(a, b, C: tl.constexpr):
    pass
"""

# More values are alive than 32 registers hold.
SPILLS = """
import triton
import triton.language as tl
import tlx

TLX_SIGNATURES = {
    "spill": {
        "signature": "x=*fp32:16, y=*fp32:16",
        "options": {"num_warps": 1, "maxnreg": 32, "ptx_options": "--warn-on-spills"},
    }
}


@triton.jit
def spill(x, y):
    buffer = tlx.local_alloc((32, 64), tl.float32, 1)[0]
    at = tl.arange(0, 32)[:, None] * 64 + tl.arange(0, 64)[None, :]
    value = tl.load(x + at)
    tlx.local_store(buffer, value)
    for i in range(64):
        value = value * value + i
    tl.store(y + at, tl.cumsum(value, 1) + tlx.local_load(buffer))
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "kernels.py"
    path.write_text(KERNELS)
    return path


def run(capsys, *arguments):
    """Runs a command; returns its status and what it printed."""
    status = command.main([str(argument) for argument in arguments])
    output = capsys.readouterr()
    return status, output.out, output.err


def test_version(capsys):
    status, out, _ = run(capsys, "--version")
    assert (status, out) == (
        0,
        f"tlx {tlx.__version__} (triton {triton.__version__})\n",
    )


def test_compile_as_declared(file, capsys, tmp_path):
    out_dir = tmp_path / "out"
    status, out, _ = run(capsys, "compile", file, "--emit", "ptx,cubin", "-o", out_dir)
    assert status == 0
    assert sorted(p.name for p in out_dir.iterdir()) == ["scale.cubin", "scale.ptx"]
    assert str(out_dir / "scale.ptx") in out
    ptx = (out_dir / "scale.ptx").read_text()
    assert ".target sm_90a" in ptx
    assert ".reqntid 64" in ptx
    assert (out_dir / "scale.cubin").read_bytes().startswith(b"\x7fELF")


def test_command_line_wins_over_declaration(file, capsys, tmp_path):
    arguments = ["--signature", "x=*fp16:16", "--constexpr", "TYPE=tl.float16,SIZE=64"]
    status, _, _ = run(
        capsys,
        *("compile", f"{file}:scale", *arguments, "--num-warps", 1),
        *("--target", "sm_100a", "--emit", "ttir,ptx", "-o", tmp_path),
    )
    assert status == 0
    ttir = (tmp_path / "scale.ttir").read_text()
    assert "!tt.ptr<f16> {tt.divisibility = 16 : i32}" in ttir
    assert "tensor<64xi32>" in ttir
    ptx = (tmp_path / "scale.ptx").read_text()
    assert ".target sm_100a" in ptx
    assert ".reqntid 32" in ptx


def test_report_of_the_machine_code(file, capsys, tmp_path):
    status, out, err = run(capsys, "compile", file, "-o", tmp_path)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert re.fullmatch(r"registers  [1-9]\d* per thread", lines[-3])
    assert lines[-2] == "spills     0 bytes per thread (0 stored, 0 loaded)"
    assert lines[-1] == "shared     0 bytes per CTA"
    _, out, _ = run(capsys, "compile", file, "-o", tmp_path, "--emit", "ptx")
    assert "registers" not in out


def test_spills_shared_memory_and_warnings_of_ptxas(capsys, tmp_path):
    file = tmp_path / "spill.py"
    file.write_text(SPILLS)
    status, out, err = run(capsys, "compile", file, "-o", tmp_path)
    assert status == 0
    assert "registers  32 per thread" in out
    stored, loaded = re.search(r"\((\d+) stored, (\d+) loaded\)", out).groups()
    assert f"spills     {int(stored) + int(loaded)} bytes per thread" in out
    assert int(stored) > 0
    shared = int(re.search(r"shared     (\d+) bytes per CTA", out)[1])
    assert shared >= 32 * 64 * 4
    assert "warning: ptxas: Registers are spilled to local memory in function" in err


def test_more_registers_than_a_cta_has(capsys, tmp_path):
    file = tmp_path / "spill.py"
    # A row for each thread, of which all values are alive.
    many = SPILLS.replace("arange(0, 32)", "arange(0, 1024)")
    file.write_text(
        many.replace("tl.float32, 1)[0]", "tl.float16, 1)[0]")
        .replace("(32, 64)", "(1024, 64)")
        .replace("buffer, value", "buffer, value.to(tl.float16)")
    )
    arguments = ["--num-warps", "32", "--maxnreg", "128", "--emit", "cubin"]
    status, out, err = run(capsys, "compile", file, "-o", tmp_path, *arguments)
    assert (tmp_path / "spill.cubin").exists()
    registers = int(re.search(r"registers  (\d+) per thread", out)[1])
    assert (status, registers > 64) == (1, True)
    assert err == (
        "expects the registers of a CTA to be at most 65536, but got "
        f"{registers} for each of 1024 threads: it cannot be launched\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{}:scal"], "has no kernel 'scal', did you mean 'scale'?"),
        (["{}.txt"], "expects a Python file, but got"),
        (["{}", "--emit", "px"], "but got 'px', did you mean 'ptx'?"),
        (["{}", "--target", "gfx942"], "to be like 'sm_90a', but got 'gfx942'"),
        (["{}", "--target", "sm_91"], "sm_120, sm_121, but got 'sm_91'"),
        (["{}", "--signature", "y=*fp32"], "kernel 'scale' has no parameter 'y'"),
        (["{}", "--signature", "x"], "expects items like NAME=VALUE, but got 'x'"),
        (["{}", "--signature", "x=*fp32:8"], "type of 'x' to be 16, but got 8"),
        (["{}", "--constexpr", "SIZE=os"], "expects a Python literal or a type"),
        (["{}", "--signature", "x=*f32"], "but got '*f32', did you mean 'fp32'?"),
        (
            ["{}", "--signature", "x=**fp32"],
            "like *fp16, i32 or tensordesc<fp16[64, 64]",
        ),
        (["{}", "--signature", "x=tensordesc<fp16[0]>"], "powers of two, but got [0]"),
        (["{}", "--signature", "x=tensordesc<fp16[8,]>"], "1 to 5 powers of two, but"),
        (
            ["{}", "--signature", "x=tensordesc<fp16[1, 1, 1, 1, 1, 1]>"],
            "'x' to be 1 to 5 powers of two, but got [1, 1, 1, 1, 1, 1]",
        ),
        (
            ["{}", "--signature", "x=tensordesc<fp16[2048, 1024]>"],
            "'x' to have at most 1048576 elements, but got 2097152",
        ),
        (["{}", "--signature", "TYPE=i32"], "needs 'TYPE' in --constexpr: it is"),
        (["{}:undefined"], "kernel 'undefined' needs 'x' in --signature"),
        (["{}", "--emit", "tlxir"], "there is no stage 'tlxir', only ttir, ttgir"),
        (
            ["{}", "--emit", "ttir", "--force"],
            "kernel 'scale' uses TLX: there is no stage 'ttir', only tlxir, tlx_ttgir",
        ),
        (["{}:many"], "needs 'a', 'b' in --signature and 'C' in --constexpr"),
        (["{}", "--num-warps", "3"], "'num_warps' to be a power of two from 1 to 32"),
        (["{}", "--num-stages", "-1"], "'num_stages' to be an integer from 0 to"),
        (["{}", "--maxnreg", "7"], "'maxnreg' to be an integer from 24 to 255"),
        (["{}", "-o", "/proc/nope"], "'--output' to be a folder that can be written"),
        (["{}", "-o", "{}"], "'--output' to be a folder that can be written"),
    ],
)
def test_faults_of_the_command_line(arguments, message, file, capsys, tmp_path):
    arguments = [argument.format(file) for argument in arguments]
    status, _, err = run(capsys, "compile", "-o", tmp_path, *arguments)
    assert status == 2
    assert err.startswith("python -m tlx compile: error: ")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{}:undefined", "--signature", "x=*fp32"], "nowhere is not defined"),
    ],
)
def test_faults_of_the_kernel(arguments, message, file, capsys, tmp_path):
    arguments = [argument.format(file) for argument in arguments]
    status, _, err = run(capsys, "compile", *arguments, "-o", tmp_path)
    assert status == 1
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import nowhere", "it raised ModuleNotFoundError: No module named 'nowhere'"),
        ("raise SystemExit(3)", "it raised SystemExit: 3"),
        ("x = ", "invalid syntax: invalid syntax"),
    ],
)
def test_faults_of_the_file(text, message, file, capsys):
    file.write_text(f"# A comment.\n{text}\n")
    status, _, err = run(capsys, "compile", file)
    assert status == 1
    assert f"{file}:2: error: " in err
    assert message in err
    assert "Traceback" not in err


def test_file_that_appears_where_a_stage_goes(file, capsys, tmp_path):
    (tmp_path / "scale.ptx").mkdir()
    status, _, err = run(capsys, "compile", file, "-o", tmp_path, "--emit", "ptx")
    assert status == 1
    assert (
        err == f"expects to write '{tmp_path}/scale.ptx', but cannot: Is a directory\n"
    )


def test_arguments_that_cannot_be_parsed(capsys):
    for arguments in ([], ["compile"], ["no-such-command"]):
        with pytest.raises(SystemExit) as caught:
            command.main(arguments)
        assert caught.value.code == 2


def test_faults_of_the_simulator_s_command_line(capsys, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("")
    for arguments in (
        ["nowhere.py"],
        ["--seed", "x", script],
        ["--level", "y", script],
    ):
        status, _, err = run(capsys, "sim", *arguments)
        assert status == 2
        assert err.startswith("python -m tlx sim: error: expects ")


def test_kernel_has_to_be_named_if_there_are_more(file, capsys):
    file.write_text(KERNELS.replace("TLX_SIGNATURES", "OTHER"))
    _, _, err = run(capsys, "compile", file)
    assert "expects FILE:KERNEL with one of scale, undefined, many" in err


def declare(file, text):
    file.write_text(f"{KERNELS}\nTLX_SIGNATURES = {text}\n")


def test_declaration_as_on_the_command_line(file, capsys, tmp_path):
    declare(
        file, "{'scale': {'signature': 'x=*fp16:16, n=i32', 'constexprs': 'SIZE=64'}}"
    )
    status, _, err = run(capsys, "compile", file, "-o", tmp_path, "--emit", "ttir")
    assert (status, err) == (0, "")
    ttir = (tmp_path / "scale.ttir").read_text()
    assert "!tt.ptr<f16> {tt.divisibility = 16 : i32}" in ttir
    assert "tensor<64xi32>" in ttir


_SIGNATURE = "names with values, or a text as --signature takes it"


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("3", "", "expects 'it' to be a dictionary by kernel, but got 3"),
        ("'scale'", "", "expects 'it' to be a dictionary by kernel, but got 'scale'"),
        (
            *("{'scale': 'x=*fp32'}", "['scale']"),
            "expects 'it' to be a dictionary with signature, constexprs, options, but "
            "got 'x=*fp32'",
        ),
        (
            *("{'scale': {'constexpr': {}}}", "['scale']"),
            "expects the keys to be signature, constexprs, options, but got "
            "'constexpr', did you mean 'constexprs'?",
        ),
        (
            *("{'scale': {'signature': ['*fp32']}}", "['scale']"),
            f"expects 'signature' to be {_SIGNATURE}, but got ('*fp32',)",
        ),
        (
            *("{'scale': {'signature': {'x': 32}}}", "['scale']"),
            "expects the type of 'x' to be a text, but got 32",
        ),
        (
            *("{'scale': {'signature': 'x'}}", "['scale']"),
            "expects items like NAME=VALUE, but got 'x'",
        ),
        (
            *("{'scale': {'options': 'num_warps=4'}}", "['scale']"),
            "expects 'options' to be names with values, but got 'num_warps=4'",
        ),
    ],
)
def test_malformed_declaration(text, where, message, file, capsys):
    declare(file, text)
    status, _, err = run(capsys, "compile", f"{file}:scale")
    assert status == 2
    prefix = "python -m tlx compile: error: "
    assert err == f"{prefix}{file}: TLX_SIGNATURES{where}: {message}\n"


def test_declared_options_are_checked(file, capsys):
    file.write_text(KERNELS.replace('"num_warps": 2', '"num_warp": 2'))
    status, _, err = run(capsys, "compile", file)
    assert status == 2
    assert "Triton no option 'num_warp', did you mean 'num_warps'?" in err


def test_split_respects_brackets_and_quotes():
    text = "a=tensordesc<fp16[64, 32]>, b=(1, 2),c = *fp16:16, d='x,\"(', e=\"]',\""
    assert list(signatures.split(text)) == [
        ("a", "tensordesc<fp16[64, 32]>"),
        ("b", "(1, 2)"),
        ("c", "*fp16:16"),
        ("d", "'x,\"('"),
        ("e", '"]\',"'),
    ]


def test_values():
    values = signatures.parse_values(["A=3,B=-1.5", "C=True,D=tl.float16,E='x'"])
    assert values == {"A": 3, "B": -1.5, "C": True, "D": tl.float16, "E": "x"}
