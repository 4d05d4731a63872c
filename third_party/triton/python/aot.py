# SPDX-License-Identifier: MIT
"""Compiles one kernel stage by stage, without a GPU and without the cache."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from tlx.backend import instrumentation, names, ptxas
from tlx.backend import options as launch_options
from tlx.backend.hook import force
from tlx.backend.isolated_stages import isolate_if_wanted
from tlx.backend.source import TLXSource
from tlx.backend.stages import guard_stock_stages
from tlx.errors import ArgumentError

_FP_FUSION_VARIABLE = "TRITON_DEFAULT_FP_FUSION"
_TARGET = re.compile(r"(?:sm_?)?(\d{2,3})[af]?")
# CUDA's compute capabilities that Triton compiles for.
_CAPABILITIES = (75, 80, 86, 87, 89, 90, 100, 103, 120, 121)


def parse_target(text: str) -> names.GPUTarget:
    """Returns the target for a name such as `sm_90a`.

    Raises:
        ArgumentError: The name is not one of a CUDA architecture that Triton knows.
    """
    match = _TARGET.fullmatch(text)
    if match is None:
        raise ArgumentError(f"expects 'target' to be like 'sm_90a', but got {text!r}")
    if int(match[1]) not in _CAPABILITIES:
        known = ", ".join(f"sm_{capability}" for capability in _CAPABILITIES)
        raise ArgumentError.expects("target", f"one of {known}", text)
    return names.GPUTarget("cuda", int(match[1]), 32)


def make_source(
    kernel: Any,
    signature: Mapping[str, Any],
    constexprs: Mapping[str | tuple[int, ...], Any] | Mapping[str, Any],
    attrs: Mapping[tuple[int, ...], Any],
    *,
    forced: bool = False,
) -> names.ASTSource:
    """Returns what Triton's compiler takes: a kernel with types and constants.

    Args:
        kernel: A `@triton.jit` function.
        signature: Type of each run-time parameter, such as `*fp16` or `i32`, or a tuple
            of types.
        constexprs: Value of each constexpr parameter; inside of tuples by place.
        attrs: Attributes of parameters by position.
        forced: Whether our compiler takes the kernel even if it uses no TLX.
    """
    kernel = force(kernel) if forced else kernel
    # Triton wants all parameters, in order.
    full = {name: signature.get(name, "constexpr") for name in kernel.arg_names}
    return names.ASTSource(kernel, full, dict(constexprs), dict(attrs))


def is_ours(source: names.ASTSource) -> bool:
    """Tells whether our compiler takes a source, and not Triton alone."""
    return isinstance(source, TLXSource)


def parse_options(
    source: names.ASTSource, target: names.GPUTarget, options: Mapping[str, Any]
) -> Any:
    """Returns the options of the compiler, as a launch would have them.

    Args:
        source: The kernel, from `make_source`.
        target: The GPU to compile for.
        options: Options of the launch, such as `num_warps`.

    Raises:
        TLXError: An option is unknown, or has a value that it cannot have.
    """
    options = dict(options)
    launch_options.check(options, takes_clusters=not is_ours(source))
    if _FP_FUSION_VARIABLE not in os.environ:
        # Triton 3.9 warns unless somebody chooses; this is the default of both.
        options.setdefault("enable_fp_fusion", True)
    options = {**instrumentation.launch_options(), **options}
    mode = options[instrumentation.OPTION]
    instrumentation.check(mode)
    instrumentation.check_without_gpu(mode)
    try:
        backend = names.make_backend(target)
        parsed = backend.parse_options({**options, **source.parse_options()})
    except (AssertionError, TypeError, ValueError) as error:
        raise ArgumentError(f"Triton rejects the options: {error}") from None
    kernel = source.fn
    launch_options.check_names(options, vars(parsed), kernel.arg_names, kernel.__name__)
    return parsed


def make_module(
    source: names.ASTSource,
    target: names.GPUTarget,
    options: Mapping[str, Any],
    metadata: dict[str, Any],
) -> tuple[Any, dict[str, Any]]:
    """Runs the front end on a source.

    Args:
        source: The kernel, from `make_source`.
        target: The GPU to compile for.
        options: Options of the launch, such as `num_warps`.
        metadata: Filled with what the launcher gets to know.

    Returns:
        The module that the first stage takes, and the stages by name.
    """
    backend = names.make_backend(target)
    parsed = parse_options(source, target, options)
    metadata.update(vars(parsed))
    stages: dict[str, Any] = {}
    backend.add_stages(stages, parsed, source.language)
    if not is_ours(source):
        guard_stock_stages(stages, parsed)
        isolate_if_wanted(stages, source.language, parsed, target)
    context = names.ir.context()
    names.ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(
        target,
        parsed,
        backend.get_codegen_implementation(parsed),
        backend.get_module_map(),
        context,
    )
    return module, stages


def run_stages(
    source: names.ASTSource,
    target: names.GPUTarget,
    options: Mapping[str, Any],
    metadata: dict[str, Any],
) -> Iterator[tuple[str, str | bytes]]:
    """Compiles a source and yields each stage as it is done.

    Args:
        source: The kernel, from `make_source`.
        target: The GPU to compile for.
        options: Options of the launch, such as `num_warps`.
        metadata: Filled with what the launcher gets to know.

    Yields:
        The name of the stage, such as "ptx", and its text or bytes. With the last one
        `metadata["usage"]` is there, what ptxas says about the kernel.
    """
    result, stages = make_module(source, target, options, metadata)
    for name, stage in stages.items():
        log = ptxas.Log()
        with ptxas.logged(log) if name == "cubin" else contextlib.nullcontext():
            result = stage(result, metadata)
        if name == "cubin":
            metadata["usage"] = ptxas.parse(log.text)
        yield name, result if isinstance(result, bytes) else str(result)
