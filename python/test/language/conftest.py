# SPDX-License-Identifier: MIT
"""Compiles a small kernel to TLX IR, the text that the tests look at."""

from __future__ import annotations

import importlib.util
import re
from typing import Any

import pytest
import triton
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.compiler.compiler import make_backend

from tlx.backend.source import TLXSource


def compile_to_tlxir(
    kernel: Any,
    signature: dict[str, str] | None = None,
    constexprs: dict[str, Any] | None = None,
    *,
    arch: int = 90,
    **options: Any,
) -> str:
    """Return the TLX IR of a kernel, without locations."""
    signature = dict(signature or {})
    for name in constexprs or {}:
        signature[name] = "constexpr"
    source = TLXSource(kernel, signature, constexprs or {})
    target = GPUTarget("cuda", arch, 32)
    backend = make_backend(target)
    parsed = backend.parse_options({"num_warps": 4, **options})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(
        target,
        parsed,
        backend.get_codegen_implementation(parsed),
        backend.get_module_map(),
        context,
    )
    return str(module)


@pytest.fixture
def tlxir():
    return compile_to_tlxir


@pytest.fixture
def compiled(tmp_path, monkeypatch):
    """Compile a kernel for sm_90a with an empty cache."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))

    def compile_kernel(kernel, signature, constexprs=None, **options):
        signature = {**signature, **dict.fromkeys(constexprs or {}, "constexpr")}
        source = ASTSource(kernel, signature, constexprs or {})
        target = GPUTarget("cuda", 90, 32)
        return triton.compile(source, target=target, options=options)

    return compile_kernel


@pytest.fixture
def ptx(compiled):
    """Compile a kernel to PTX."""
    return lambda *args, **options: compiled(*args, **options).asm["ptx"]


@pytest.fixture
def rejects():
    """Check the error of a kernel: class, first line without the place, source."""

    def check(
        kernel: triton.JITFunction,
        error: type[Exception],
        text: str,
        line: str | None = None,
        signature: dict[str, str] | None = None,
        constexprs: dict[str, Any] | None = None,
        **options: Any,
    ) -> Exception:
        with pytest.raises(error) as caught:
            compile_to_tlxir(kernel, signature, constexprs, **options)
        lines = str(caught.value).splitlines()
        found = re.fullmatch(r"(.+):(\d+):(\d+): error: (.*)", lines[0])
        assert found, lines[0]
        assert found[4] == text
        source = open(found[1], encoding="utf-8").read().splitlines()
        text_of_line = source[int(found[2]) - 1]
        assert text_of_line.strip() == lines[1].strip()
        # Column and caret mark the same character.
        indent = len(text_of_line) - len(text_of_line.lstrip())
        assert int(found[3]) - 1 - indent == lines[2].index("^") - 4
        if line is not None:
            assert lines[1].strip() == line
        return caught.value

    return check


@pytest.fixture
def one_line(tmp_path):
    """Make a kernel of the given statements, in a file of its own."""

    def make(*statements: str, arguments: str = "") -> triton.JITFunction:
        path = tmp_path / "kernel.py"
        body = "".join(f"    {line}\n" for line in statements)
        path.write_text(
            "import tlx\nimport triton\nimport triton.language as tl\n\n\n"
            f"@triton.jit\ndef kernel({arguments}):\n{body}"
        )
        spec = importlib.util.spec_from_file_location("kernel", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.kernel

    return make
