# SPDX-License-Identifier: MIT
"""From the arguments of a launch to what Triton's compiler is given for them."""

from __future__ import annotations

import dataclasses
import os
import weakref
from collections.abc import Mapping
from typing import Any

from tlx import _ext
from tlx.backend import names
from tlx.backend import options as launch_options
from tlx.backend.isolated_stages import isolate_if_wanted
from tlx.backend.source import TLXSource
from tlx.backend.wheel import new_context
from tlx.errors import ArgumentError, TLXError

_FP_FUSION_VARIABLE = "TRITON_DEFAULT_FP_FUSION"


@dataclasses.dataclass(frozen=True)
class Bound:
    """A kernel with its arguments.

    Attributes:
        kernel: The `@triton.jit` function.
        target: GPU that is compiled for.
        values: Arguments by parameter, defaults filled in.
        signature: Triton's type of each parameter; `constexpr` for constants, and a
            tuple of types for a tuple.
        constexprs: Constants by path: place of the parameter, then in its tuple.
        attrs: What is known about other arguments, by path.
        options: Options of the compiler.
        key: What another launch must agree with to share the compiled kernel.
    """

    kernel: Any
    target: names.GPUTarget
    values: dict[str, Any]
    signature: dict[str, Any]
    constexprs: dict[tuple[int, ...], Any]
    attrs: dict[tuple[int, ...], Any]
    options: Any
    key: str

    def make_stages(self, last: str) -> dict[str, str]:
        """Compiles as a launch on the GPU does.

        Args:
            last: The last stage that is wanted, such as `ttgir`.

        Returns:
            The text of each stage, by name: Triton's own stages, except for kernels
            that use TLX.

        Raises:
            TLXError: The kernel uses TLX and is not valid.
        """
        source_class = (
            names.GluonASTSource if self.kernel.is_gluon() else names.ASTSource
        )
        source = source_class(self.kernel, self.signature, self.constexprs, self.attrs)
        backend = names.make_backend(self.target)
        context = new_context()
        stages: dict[str, Any] = {}
        backend.add_stages(stages, self.options, source.language)
        if not isinstance(source, TLXSource):
            isolate_if_wanted(stages, source.language, self.options, self.target)
        with names.knobs.runtime.scope():
            names.knobs.runtime.interpret = False
            result = source.make_ir(
                self.target,
                self.options,
                backend.get_codegen_implementation(self.options),
                backend.get_module_map(),
                context,
            )
        metadata = dict(vars(self.options))
        texts: dict[str, str] = {}
        for name, stage in stages.items():
            result = stage(result, metadata)
            texts[name] = str(result)
            if name == last:
                break
        return texts

    def make_tlxir(self) -> _ext.Module:
        """Runs our front end, also for kernels that use no name of TLX.

        Raises:
            TLXError: The kernel is not valid.
        """
        source = TLXSource(self.kernel, self.signature, self.constexprs, self.attrs)
        backend = names.make_backend(self.target)
        with names.knobs.runtime.scope():
            # With it, functions of constants return no constants.
            names.knobs.runtime.interpret = False
            return source.make_ir(
                self.target,
                self.options,
                backend.get_codegen_implementation(self.options),
                backend.get_module_map(),
                None,
            )


class _Binder:
    """What is made once for a kernel and a target."""

    def __init__(self, kernel: Any, target: names.GPUTarget) -> None:
        self.backend = names.make_backend(target)
        self.bind = names.create_function_from_signature(
            kernel.signature, kernel.params, self.backend
        )
        self.keys: dict[Any, str] = {}


_binders: weakref.WeakKeyDictionary[Any, dict[Any, _Binder]] = (
    weakref.WeakKeyDictionary()
)


def _binder(kernel: Any, target: names.GPUTarget) -> _Binder:
    binders = _binders.setdefault(kernel, {})
    key = (target.backend, target.arch)
    if key not in binders:
        binders[key] = _Binder(kernel, target)
    return binders[key]


def named_arguments(
    kernel: Any, args: tuple[Any, ...], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Returns the arguments of a launch by parameter, without defaults.

    Args:
        kernel: The `@triton.jit` function.
        args: Arguments of the launch.
        keywords: Keyword arguments of the launch; options are left out.

    Raises:
        ArgumentError: One is missing, or there is one too many.
    """
    own = {k: v for k, v in keywords.items() if k in kernel.signature.parameters}
    try:
        return dict(kernel.signature.bind(*args, **own).arguments)
    except TypeError as error:
        raise ArgumentError(
            f"kernel '{kernel.__name__}': {error} (it takes "
            f"{', '.join(kernel.arg_names) or 'none'})"
        ) from None


def bind(
    kernel: Any,
    arguments: Mapping[str, Any],
    keywords: Mapping[str, Any],
    target: names.GPUTarget,
) -> Bound:
    """Specialises a kernel for arguments as a launch on the GPU does.

    Args:
        kernel: The `@triton.jit` function.
        arguments: Arguments by parameter. Pointers have `dtype`, the name of Triton's
            type, and `data_ptr()`.
        keywords: Keyword arguments of the launch; what names no parameter is an
            option.
        target: GPU to compile for.

    Raises:
        ArgumentError: An option is unknown or has a wrong value, or Triton rejects an
            argument.
        ResourceError: A CTA has not as many threads.
        UnsupportedError: The launch asks for clusters.
    """
    binder = _binder(kernel, target)
    options = {k: v for k, v in keywords.items() if k not in kernel.arg_names}
    options["debug"] = bool(
        options.get("debug", kernel.debug) or names.knobs.runtime.debug
    )
    if _FP_FUSION_VARIABLE not in os.environ:
        # Triton 3.9 warns unless somebody chooses; this is the default of both.
        options.setdefault("enable_fp_fusion", True)
    launch_options.check(options)
    known = _known_options(binder, kernel, options)
    launch_options.check_names(options, known, kernel.arg_names, kernel.__name__)
    try:
        values, specialization, _ = binder.bind(**arguments, **options)
    except (TypeError, OverflowError) as error:
        raise ArgumentError(f"kernel '{kernel.__name__}': {error}") from None
    parsed, signature, constexprs, attrs = kernel._pack_args(
        binder.backend, {**arguments, **options}, values, specialization, None
    )
    key = names.compute_cache_key(binder.keys, specialization, options)
    return Bound(
        kernel,
        target,
        values,
        signature,
        constexprs,
        attrs,
        parsed,
        f"{key}{target.arch}",
    )


def _known_options(binder: _Binder, kernel: Any, options: dict[str, Any]) -> set[str]:
    """Returns the names of options that there are."""
    try:
        return set(vars(binder.backend.parse_options(options)))
    except (AssertionError, TypeError, ValueError) as error:
        if isinstance(error, TLXError):
            raise
        raise ArgumentError(
            f"kernel '{kernel.__name__}': Triton rejects its options: {error}"
        ) from None


def check_globals(kernel: Any) -> None:
    """Makes sure that globals which a compiled kernel used are what they were.

    Raises:
        ArgumentError: One has another value now.
    """
    for (name, _), (value, scope) in kernel.used_global_vals.items():
        if name not in scope or scope[name] != value:
            raise ArgumentError(
                f"kernel '{kernel.__name__}': global '{name}' has changed since the "
                f"kernel was compiled, from {value} to {scope.get(name)}"
            )
