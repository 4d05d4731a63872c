# SPDX-License-Identifier: MIT
"""What every builtin of the language shares: the decorator and argument checks."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from triton import knobs
from triton.language import core as tl

from tlx import _ext

from ..errors import (
    ArgumentError,
    DTypeError,
    ResourceError,
    ShapeError,
    TargetError,
    TLXError,
    UnsupportedError,
    did_you_mean,
)

F = TypeVar("F", bound=Callable[..., Any])

# Highest number of elements of one tensor or buffer that Triton accepts.
MAX_NUMEL = 1 << 20
WARP_SIZE: int = _ext.THREADS_PER_WARP
# Numbers in the IR are of 32 bits.
MAX_I32 = (1 << 31) - 1

# Arguments that the user does not write.
_HIDDEN = ("self", "_semantic", "_generator")


def builtin(fn: F) -> F:
    """Make `fn` callable from `@triton.jit` code that is compiled by TLX.

    The wrapper checks the argument names (with a suggestion for a misspelt one),
    that the caller is a kernel, and that the kernel is built by the TLX builder;
    it adds the name of the function to every `TLXError` raised inside.
    """
    signature = inspect.signature(fn)
    subject = f"tlx.{fn.__name__}"

    @functools.wraps(fn)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        semantic = kwargs.get("_semantic")
        try:
            if semantic is None:
                raise _outside_of_kernel()
            check_call(signature, args, kwargs)
            require_tlx_builder(semantic)
            return fn(*args, **kwargs)
        except TLXError as error:
            raise error.about(subject) from None

    return _mark(wrapper, signature)


def _outside_of_kernel() -> TLXError:
    if knobs.runtime.interpret:
        return UnsupportedError(
            "cannot run in Triton's interpreter; unset TRITON_INTERPRET"
        )
    return ArgumentError("can only be called from a @triton.jit function")


def member_builtin(name: str) -> Callable[[F], F]:
    """Like `builtin` for a method; `name` is what messages call it."""

    def decorate(fn: F) -> F:
        signature = inspect.signature(fn)

        @functools.wraps(fn)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            try:
                require_tlx_builder(kwargs.get("_semantic"))
                return fn(*args, **kwargs)
            except TLXError as error:
                raise error.about(name) from None

        return _mark(wrapper, signature)

    return decorate


def host_builtin(fn: F) -> F:
    """Make a compile-time helper callable from both kernels and host code.

    The function receives plain Python values; inside a kernel its result becomes
    a constexpr.
    """
    signature = inspect.signature(fn)
    subject = f"tlx.{fn.__name__}"

    @functools.wraps(fn)
    def wrapper(*args: Any, _semantic: Any = None, **kwargs: Any) -> Any:
        plain = [unwrap(arg) for arg in args]
        named = {key: unwrap(value) for key, value in kwargs.items()}
        try:
            check_call(signature, plain, named)
            result = fn(*plain, **named)
        except TLXError as error:
            raise error.about(subject) from None
        if _semantic is None or isinstance(result, (tl.dtype, tl.base_value)):
            return result
        return tl.constexpr(result)

    parameters = [
        *signature.parameters.values(),
        inspect.Parameter("_semantic", inspect.Parameter.KEYWORD_ONLY, default=None),
    ]
    return _mark(wrapper, signature.replace(parameters=parameters))


def _mark(wrapper: Any, signature: inspect.Signature) -> Any:
    # Triton's visitor reads these names; the last one is ours.
    wrapper.__triton_builtin__ = True
    wrapper.signature = signature
    wrapper.__tlx_builtin__ = True
    return wrapper


def check_call(
    signature: inspect.Signature, args: Sequence[Any], kwargs: dict[str, Any]
) -> None:
    """Reject unknown, repeated or missing arguments with one clear message."""
    names = [
        name
        for name, parameter in signature.parameters.items()
        if name not in _HIDDEN
        and parameter.kind
        not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    ]
    takes_any = any(
        parameter.kind is inspect.Parameter.VAR_KEYWORD
        for parameter in signature.parameters.values()
    )
    takes = f"it takes {', '.join(names) or 'none'}"
    for key in kwargs:
        if key not in names and key not in _HIDDEN and not takes_any:
            raise ArgumentError(
                f"got an unknown argument '{key}'{did_you_mean(key, names)} ({takes})",
                expected=", ".join(names),
                found=key,
            )
    try:
        signature.bind(*args, **kwargs)
    except TypeError as mismatch:
        raise ArgumentError(
            f"cannot be called like this: {mismatch} ({takes})"
        ) from None


def require_tlx_builder(semantic: Any) -> None:
    """Fail clearly when stock Triton compiles a function that uses TLX."""
    builder = getattr(semantic, "builder", None)
    if not getattr(builder, "is_tlx_builder", False):
        raise ArgumentError(
            "is used in a kernel that stock Triton compiles; launch or compile the "
            "kernel through the TLX adapter (import tlx before the first launch)"
        )


# --- constexpr arguments -----------------------------------------------------


def unwrap(value: Any) -> Any:
    """Strip `constexpr` from a value, and from the items of a list or tuple."""
    if isinstance(value, tl.constexpr):
        return unwrap(value.value)
    if isinstance(value, (list, tuple, tl.tuple)):
        items: list[Any] = [unwrap(item) for item in cast("Sequence[Any]", value)]
        return items
    return value


def const_int(
    value: Any, name: str, *, least: int | None = None, most: int | None = MAX_I32
) -> int:
    """Return a compile-time integer from `least` to `most`."""
    plain = unwrap(value)
    if isinstance(plain, bool) or not isinstance(plain, int):
        raise ArgumentError.expects(
            name, "a constexpr integer" + _const_hint(plain, name), plain
        )
    if least is not None and plain < least:
        raise ArgumentError.expects(name, f"at least {least}", plain)
    if most is not None and plain > most:
        raise ArgumentError.expects(name, f"at most {most}", plain)
    return plain


def _const_hint(value: Any, name: str) -> str:
    if isinstance(value, tl.base_value):
        return f" (annotate it as '{name}: tl.constexpr')"
    return ""


def const_bool(value: Any, name: str) -> bool:
    """Return a compile-time boolean."""
    plain = unwrap(value)
    if not isinstance(plain, bool):
        raise ArgumentError.expects(name, "a constexpr bool", plain)
    return plain


def const_choice(value: Any, name: str, choices: Sequence[str]) -> str:
    """Return a compile-time string that is one of `choices`."""
    plain = unwrap(value)
    if not isinstance(plain, str) or plain not in choices:
        legal = ", ".join(repr(choice) for choice in choices)
        hint = did_you_mean(plain, choices) if isinstance(plain, str) else ""
        error = ArgumentError.expects(name, f"one of {legal}", plain)
        error.message += hint
        raise error
    return plain


def const_shape(value: Any, name: str, *, max_rank: int = 5) -> list[int]:
    """Return a shape: 1 to `max_rank` powers of two.

    Source: Triton requires powers of two of every block and memory descriptor.
    """
    plain = unwrap(value)
    if isinstance(plain, int) and not isinstance(plain, bool):
        plain = [plain]
    if not isinstance(plain, list):
        raise ShapeError.expects(name, "a tuple of constexpr integers", plain)
    dims = cast("list[Any]", plain)
    if not 1 <= len(dims) <= max_rank:
        raise ShapeError.expects(name, f"of rank 1 to {max_rank}", dims)
    numel = 1
    for dim in dims:
        if isinstance(dim, bool) or not isinstance(dim, int):
            raise ShapeError.expects(name, "a tuple of constexpr integers", dims)
        if dim < 1 or dim & (dim - 1):
            legal = f"; next legal sizes of {dim} are {near(dim)}" if dim > 0 else ""
            raise ShapeError.expects(name, f"made of powers of two{legal}", dims)
        numel *= dim
    if numel > MAX_NUMEL:
        raise ShapeError.expects(name, f"of at most {MAX_NUMEL} elements", dims)
    return dims


def near(size: int) -> str:
    """Name the powers of two around a size."""
    low = 1 << (size.bit_length() - 1)
    return f"{low} and {2 * low}"


def const_dtype(value: Any, name: str) -> tl.dtype:
    """Return an element type that memory can hold."""
    plain = unwrap(value)
    if isinstance(plain, tl.pointer_type) or not isinstance(plain, tl.dtype):
        raise DTypeError.expects(name, "a scalar dtype such as tl.float16", plain)
    if plain.is_block() or plain.name in ("void", "int1"):
        raise DTypeError.expects(name, "a dtype of at least 8 bits", plain)
    return plain


def dtype_bytes(dtype: tl.dtype) -> int:
    """Return the size of one element in bytes."""
    return dtype.primitive_bitwidth // 8


# --- run-time arguments ------------------------------------------------------


def to_i32(value: Any, name: str, semantic: Any) -> Any:
    """Return the handle of a 32-bit integer scalar."""
    plain = unwrap(value)
    if isinstance(plain, bool):
        plain = int(plain)
    if isinstance(plain, int):
        if not -(1 << 31) <= plain < (1 << 31):
            raise ArgumentError.expects(name, "a 32-bit integer", plain)
        return semantic.builder.get_int32(plain)
    if not is_scalar(plain) or not plain.dtype.is_int():
        raise DTypeError.expects(name, "an integer scalar", plain)
    return semantic.cast(plain, tl.int32).handle


def to_pred(value: Any, name: str, semantic: Any) -> Any | None:
    """Return the handle of an i1 scalar, or None for "always"."""
    plain = unwrap(value)
    if plain is None or plain is True:
        return None
    if isinstance(plain, (bool, int)):
        if plain not in (0, 1):
            raise DTypeError.expects(name, "a boolean", plain)
        return None if plain else semantic.builder.get_int1(False)
    if not is_scalar(plain) or not plain.dtype.is_int():
        raise DTypeError.expects(name, "a boolean scalar", plain)
    if plain.dtype.is_int1():
        return plain.handle
    zero = semantic.full([], 0, plain.dtype)
    return semantic.not_equal(plain, zero).handle


def to_value(value: Any, name: str, semantic: Any) -> tl.tensor:
    """Return a tensor or scalar of the kernel; numbers become constants."""
    plain = unwrap(value)
    if not isinstance(plain, (bool, int, float, tl.tensor)):
        raise ArgumentError.expects(name, "a tensor or a number", plain)
    return semantic.to_tensor(plain)


def is_scalar(value: Any) -> bool:
    """Whether a value is a run-time scalar of the kernel."""
    return isinstance(value, tl.tensor) and not is_block(value)


def is_block(value: Any) -> bool:
    """Whether a value is a run-time tensor with a shape."""
    return isinstance(value, tl.tensor) and isinstance(value.type, tl.block_type)


def block_shape(value: tl.tensor) -> list[int]:
    """Return the shape of a tensor as plain integers."""
    return [int(unwrap(dim)) for dim in cast("tl.block_type", value.type).shape]


def const_index(value: Any, name: str, size: int) -> int | None:
    """Return a constant index after a bounds check, or None at run time."""
    plain = unwrap(value)
    if isinstance(plain, bool) or not isinstance(plain, int):
        return None
    if not 0 <= plain < size:
        raise ArgumentError.expects(name, f"in [0, {size})", plain)
    return plain


# --- target ------------------------------------------------------------------


def capability(semantic: Any) -> int:
    """Return the compute capability that is compiled for, 90 for sm_90a."""
    options = semantic.builder.options
    arch = str(getattr(options, "arch", "") or "")
    digits = "".join(char for char in arch if char.isdigit())
    if not digits:
        raise TargetError(f"cannot read a compute capability from arch '{arch}'")
    return int(digits)


def require_capability(semantic: Any, least: int, feature: str) -> None:
    """Raise unless the target is sm_`least` or newer."""
    found = capability(semantic)
    if found < least:
        raise TargetError(
            f"needs sm_{least} ({feature}), but the target is sm_{found}",
            expected=f"sm_{least}",
            found=f"sm_{found}",
        )


def check_shared_memory(nbytes: int, semantic: Any) -> None:
    """Raise unless a CTA can have as much shared memory.

    The compiler adds up what a kernel takes, but drops what nothing uses.
    """
    target = capability(semantic)
    limit = _ext.shared_memory_limit(target)
    if nbytes > limit:
        raise ResourceError(
            f"takes {nbytes} bytes of shared memory, but a CTA of sm_{target} can have "
            f"{limit}",
            expected=f"at most {limit} bytes",
            found=nbytes,
        )


# --- building ----------------------------------------------------------------


def segments(*sizes: int) -> str:
    """Return the text of an `operandSegmentSizes` attribute."""
    return "array<i32: " + ", ".join(str(size) for size in sizes) + ">"


def build(
    semantic: Any,
    name: str,
    operands: Sequence[Any],
    results: Sequence[str] = (),
    attributes: dict[str, str] | None = None,
) -> list[Any]:
    """Create an op; result types and attributes are given as MLIR text.

    Returns:
        The result handles.
    """
    builder = semantic.builder
    types = [builder.parse_type(text) for text in results]
    attrs = {key: builder.parse_attr(text) for key, text in (attributes or {}).items()}
    op = builder.create(name, list(operands), types, attrs, 0)
    return [op.get_result(i) for i in range(len(types))]
