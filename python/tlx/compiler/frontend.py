# SPDX-License-Identifier: MIT
"""From a kernel's source to a module of TLX IR."""

from __future__ import annotations

import re
from typing import Any

from tlx import _ext
from tlx.compiler.records import diagnosed
from tlx.compiler.visitor import build_module


def make_tlxir(
    src: Any,
    target: Any,
    options: Any,
    codegen_fns: dict[str, Any],
    module_map: dict[str, Any],
    context: Any = None,
) -> _ext.Module:
    """Compile a kernel to TLX IR.

    Args:
        src: kernel, signature, constants and attributes, as Triton's ASTSource.
        target: GPU that is compiled for.
        options: Triton's compile options; `num_warps`, `num_ctas`, `warp_size`,
            `maxnreg` and `arch` become attributes of the module.
        codegen_fns: functions by which the backend takes part.
        module_map: modules that the backend replaces.
        context: unused; the module gets a context of its own.

    Returns:
        The verified module.

    Raises:
        CompileError: if the module is not valid.
        TLXError: if the kernel is wrong.
    """
    with diagnosed():
        module = build_module(src, options, codegen_fns, module_map)
    module.set_attr("ttg.num-warps", int(options.num_warps))
    module.set_attr("ttg.num-ctas", int(options.num_ctas))
    module.set_attr("ttg.threads-per-warp", int(target.warp_size))
    module.set_attr("ttg.target", f"cuda:{_capability(target, options)}")
    if getattr(options, "maxnreg", None) is not None:
        module.set_attr("ttg.maxnreg", int(options.maxnreg))
    return module


def _capability(target: Any, options: Any) -> int:
    """Compute capability, e.g. 90; options win over the target."""
    arch = getattr(options, "arch", None)
    if arch is None:
        return int(target.arch)
    return int(re.sub(r"\D", "", str(arch)))
