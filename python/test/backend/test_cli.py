# SPDX-License-Identifier: MIT
"""`python -m tlx`."""

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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{}:scal"], "has no kernel 'scal', did you mean 'scale'?"),
        (["{}.txt"], "expects a Python file, but got"),
        (["{}", "--emit", "px"], "but got 'px', did you mean 'ptx'?"),
        (["{}", "--target", "gfx942"], "to be like 'sm_90a', but got 'gfx942'"),
        (["{}", "--signature", "y=*fp32"], "kernel 'scale' has no parameter 'y'"),
        (["{}", "--signature", "x"], "expects items like NAME=VALUE, but got 'x'"),
        (["{}", "--signature", "x=*fp32:8"], "type of 'x' to be 16, but got 8"),
        (["{}", "--constexpr", "SIZE=os"], "expects a Python literal or a type"),
        (["{}:undefined"], "kernel 'undefined' needs 'x' in --signature"),
        (["{}", "--emit", "tlxir"], "there is no stage 'tlxir', only ttir, ttgir"),
        (["{}:undefined", "--signature", "x=*fp32"], "nowhere is not defined"),
    ],
)
def test_faults_are_one_message(arguments, message, file, capsys, tmp_path):
    arguments = [argument.format(file) for argument in arguments]
    status, _, err = run(capsys, "compile", *arguments, "-o", tmp_path)
    assert status == 1
    assert message in err
    assert "Traceback" not in err


def test_faults_of_the_command_line_have_their_own_status(capsys):
    for arguments in ([], ["compile"], ["no-such-command"]):
        with pytest.raises(SystemExit) as caught:
            command.main(arguments)
        assert caught.value.code == 2


def test_kernel_has_to_be_named_if_there_are_more(file, capsys):
    file.write_text(KERNELS.replace("TLX_SIGNATURES", "OTHER"))
    _, _, err = run(capsys, "compile", file)
    assert "expects FILE:KERNEL with one of scale, undefined" in err


def test_declaration_with_unknown_key(file, capsys):
    file.write_text(KERNELS.replace('"constexprs"', '"constexpr"'))
    _, _, err = run(capsys, "compile", file)
    assert "but got 'constexpr', did you mean 'constexprs'?" in err


def test_split_respects_brackets():
    text = "a=tensordesc<fp16[64, 32]>, b=(1, 2),c = *fp16:16"
    assert list(signatures.split(text)) == [
        ("a", "tensordesc<fp16[64, 32]>"),
        ("b", "(1, 2)"),
        ("c", "*fp16:16"),
    ]


def test_values():
    values = signatures.parse_values(["A=3,B=-1.5", "C=True,D=tl.float16,E='x'"])
    assert values == {"A": 3, "B": -1.5, "C": True, "D": tl.float16, "E": "x"}
