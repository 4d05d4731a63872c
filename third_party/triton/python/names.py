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
from triton.experimental.gluon._runtime import GluonASTSource
from triton.experimental.gluon.nvidia.hopper import (
    TensorDescriptor as GluonTensorDescriptor,
)
from triton.language.core import tensor
from triton.language.semantic import TritonSemantic
from triton.runtime._allocation import NullAllocator
from triton.runtime.autotuner import Autotuner
from triton.runtime.errors import OutOfResources, PTXASError
from triton.runtime.jit import (
    JITCallable,
    JITFunction,
    TensorWrapper,
    compute_cache_key,
    create_function_from_signature,
)
from triton.tools.tensor_descriptor import TensorDescriptor

from tlx.backend import versions

# Whether `@triton.jit` makes functions for Triton's interpreter.
IS_INTERPRETING: bool = knobs.runtime.interpret

TRITON_VERSION: versions.Version = versions.check(triton.__version__)


def make_backend(target: GPUTarget) -> Any:
    """Returns the backend for a target: ours, for CUDA, once the hook is set."""
    return _make_backend(target)


__all__ = [
    "IS_INTERPRETING",
    "TRITON_VERSION",
    "ASTSource",
    "Autotuner",
    "CUDABackend",
    "CUDAOptions",
    "CodeGenerator",
    "CompilationError",
    "CompileTimeAssertionFailure",
    "GPUTarget",
    "GluonASTSource",
    "GluonTensorDescriptor",
    "JITCallable",
    "JITFunction",
    "Language",
    "NullAllocator",
    "OutOfResources",
    "PTXASError",
    "TensorDescriptor",
    "TensorWrapper",
    "TritonSemantic",
    "backends",
    "code_generator",
    "compute_cache_key",
    "create_function_from_signature",
    "ir",
    "knobs",
    "llvm",
    "make_backend",
    "nvidia",
    "passes",
    "tensor",
]
