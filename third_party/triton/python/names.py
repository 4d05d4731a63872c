# SPDX-License-Identifier: MIT
"""Every name of Triton that is not documented API, in one place.

Nothing else in this project imports from Triton's inside. Importing this module
needs a complete `triton`: it must not run while Triton itself is being imported.
"""

from __future__ import annotations

from typing import Any

import triton
from triton import knobs
from triton._C.libtriton import ir, llvm, nvidia, passes
from triton.backends import backends
from triton.backends.compiler import GPUTarget, Language
from triton.backends.nvidia.compiler import CUDABackend, CUDAOptions
from triton.compiler import code_generator
from triton.compiler.code_generator import CodeGenerator
from triton.compiler.compiler import ASTSource
from triton.compiler.compiler import make_backend as _make_backend
from triton.compiler.errors import CompilationError, CompileTimeAssertionFailure
from triton.language.semantic import TritonSemantic
from triton.runtime.errors import OutOfResources, PTXASError
from triton.runtime.jit import JITCallable, JITFunction

from tlx.backend import versions

TRITON_VERSION: versions.Version = versions.check(triton.__version__)


def make_backend(target: GPUTarget) -> Any:
    """Returns the backend for a target: ours, for CUDA, once the hook is set."""
    return _make_backend(target)


__all__ = [
    "TRITON_VERSION",
    "ASTSource",
    "CUDABackend",
    "CUDAOptions",
    "CodeGenerator",
    "CompilationError",
    "CompileTimeAssertionFailure",
    "GPUTarget",
    "JITCallable",
    "JITFunction",
    "Language",
    "OutOfResources",
    "PTXASError",
    "TritonSemantic",
    "backends",
    "code_generator",
    "ir",
    "knobs",
    "llvm",
    "make_backend",
    "nvidia",
    "passes",
]
