# SPDX-License-Identifier: MIT
"""Compile the examples for sm_90a, without a GPU."""

import functools
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python" / "examples"))


@functools.cache
def compile_example(example: str, kernel: str, changes: tuple = ()):
    """Compile a kernel as its example declares, with some constexprs changed."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    import tlx  # noqa: F401
    from examples import load_example

    module = load_example(example)
    function = getattr(module, kernel)
    spec = module.TLX_SIGNATURES[kernel]
    types = {**spec["signature"], **{k: v for k, v in changes if k.endswith("desc")}}
    constexprs = {
        **spec["constexprs"],
        **{k: v for k, v in changes if k in spec["constexprs"]},
    }
    signature, attributes = {}, {}
    for index, name in enumerate(function.arg_names):
        text = types.get(name, "constexpr")
        if text.endswith(":16"):
            attributes[(index,)] = [["tt.divisibility", 16]]
        signature[name] = text.removesuffix(":16")
    source = ASTSource(function, signature, constexprs, attributes)
    target = GPUTarget("cuda", 90, 32)
    return triton.compile(source, target=target, options=spec["options"])


@functools.cache
def assemble(ptx: str, folder: pathlib.Path) -> str:
    """What ptxas reports about a kernel."""
    from triton.backends.nvidia.compiler import get_ptxas

    (folder / "kernel.ptx").write_text(ptx)
    command = [
        get_ptxas(90).path,
        "-v",
        "-arch=sm_90a",
        "kernel.ptx",
        "-o",
        "kernel.cubin",
    ]
    result = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=True
    )
    return result.stderr


@pytest.fixture(scope="session")
def compiled():
    """`compiled(example, kernel, changes)` gives the compiled kernel; cached."""
    return compile_example


@pytest.fixture
def ptxas_report(tmp_path):
    """`ptxas_report(ptx)` gives the messages of `ptxas -v`."""
    return lambda ptx: assemble(ptx, tmp_path)
