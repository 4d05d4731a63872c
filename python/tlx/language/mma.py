# SPDX-License-Identifier: MIT
"""Matrix products on the tensor core, Hopper form (wgmma)."""

from __future__ import annotations

from typing import Any

from triton.language import core as tl

from ..errors import (
    ArgumentError,
    DTypeError,
    ShapeError,
    TargetError,
    UnsupportedError,
    describe,
)
from ._core import (
    block_shape,
    build,
    builtin,
    capability,
    const_int,
    dtype_bytes,
    is_block,
    is_scalar,
    unwrap,
)
from .types import buffered_tensor, tensor_text
from .views import smem_buffer

__all__ = ["async_dot", "async_dot_wait"]

_FP8 = ("fp8e4nv", "fp8e5")
# PTX ISA, wgmma.mma_async: element type of A and B, legal types of D; the first
# is what the accumulator is when none is given and out_dtype is its default.
_RESULTS = {
    "fp16": ("fp32", "fp16"),
    "bf16": ("fp32",),
    "fp32": ("fp32",),
    "fp8e4nv": ("fp32", "fp16"),
    "fp8e5": ("fp32", "fp16"),
    "int8": ("int32",),
}
# PTX ISA, wgmma.mma_async: bytes of K in one instruction, rows of a warp group,
# step and limit of N.
K_BYTES = 32
M_STEP = 64
N_STEP, N_MAX = 8, 256
# Triton's InputPrecision; wgmma reads fp32 as tf32 and has no other form.
_PRECISIONS = {"tf32": 0}


@builtin
def async_dot(
    A: Any,
    B: Any,
    acc: Any = None,
    use_acc: Any = None,
    pred: Any = None,
    mBarriers: Any = (),
    two_ctas: Any = False,
    force_async: Any = False,
    input_precision: Any = None,
    out_dtype: Any = tl.float32,
    _semantic: Any = None,
) -> tl.tensor:
    """Start `D = A * B + acc` on the tensor core without waiting.

    The result may be read, and the buffers written, after an `async_dot_wait`.

    Args:
        A: M x K; one buffer in shared memory or a tensor. M is a multiple of 64.
        B: K x N; one buffer in shared memory. N is a multiple of 8 up to 256.
        acc: M x N tensor to add to; zero if left out.
        use_acc: ignore `acc` if false; a constexpr or a boolean scalar.
        pred: Blackwell only.
        mBarriers: Blackwell only.
        two_ctas: Blackwell only.
        force_async: no effect on Hopper, where the product is asynchronous.
        input_precision: "tf32" or None for fp32 operands.
        out_dtype: dtype of the result: fp32, fp16 for fp16 and fp8 operands,
            int32 for int8 ones.

    Returns:
        The M x N result.

    Raises:
        ShapeError: M, N, K or the shapes of the operands do not fit.
        DTypeError: the tensor core has no such combination of element types.
        TargetError: the target is not Hopper, or an argument needs Blackwell.

    Source: PTX ISA, `wgmma.mma_async`.
    """
    _require_hopper(_semantic)
    for name, value in (
        ("pred", pred),
        ("mBarriers", mBarriers),
        ("two_ctas", two_ctas),
    ):
        if not _is_off(unwrap(value)):
            raise TargetError(f"takes '{name}' on Blackwell (sm_100) only")
    lhs, rhs = _operand_a(A, _semantic), smem_buffer(B, "B", _semantic)
    m, n = _check_shapes(_shape(lhs), rhs.shape, lhs.dtype)
    element = _result_dtype(lhs.dtype, rhs.dtype, acc, out_dtype)
    total = _accumulator(acc, [m, n], element, _semantic)
    condition = _use_acc(use_acc, _semantic)
    operands = [lhs.handle, rhs.handle, total.handle]
    attributes = {
        "input_precision": f"{_precision(input_precision)} : i32",
        "max_num_imprecise_acc": f"{_imprecise(lhs.dtype, _semantic)} : i32",
    }
    (handle,) = build(
        _semantic,
        "tlx.async_dot",
        operands + ([] if condition is None else [condition]),
        [tensor_text([m, n], element)],
        attributes,
    )
    return tl.tensor(handle, tl.block_type(element, [m, n]))


def _is_off(value: Any) -> bool:
    return value is None or value is False or (isinstance(value, list) and not value)


def _require_hopper(semantic: Any) -> None:
    found = capability(semantic)
    if 100 <= found < 120:
        raise UnsupportedError(
            "has no Blackwell form (accumulator in tensor memory) in this version"
        )
    if not 90 <= found < 100:
        raise TargetError(
            f"needs sm_90 (wgmma), but the target is sm_{found}",
            expected="sm_90",
            found=f"sm_{found}",
        )


def _operand_a(value: Any, semantic: Any) -> Any:
    if isinstance(value, buffered_tensor):
        return smem_buffer(value, "A", semantic)
    if not is_block(value):
        raise ArgumentError.expects("A", "a buffer or a tensor", value)
    return value


def _shape(operand: Any) -> list[int]:
    if isinstance(operand, buffered_tensor):
        return operand.shape
    return block_shape(operand)


def _check_shapes(a: list[int], b: list[int], dtype: tl.dtype) -> tuple[int, int]:
    for name, shape in (("A", a), ("B", b)):
        if len(shape) != 2:
            raise ShapeError.expects(name, "of rank 2", shape)
    (m, k), (k_of_b, n) = a, b
    if k != k_of_b:
        raise ShapeError.expects("B", f"of shape ({k}, N) for A of {describe(a)}", b)
    step = max(K_BYTES // dtype_bytes(dtype), 1)
    if m % M_STEP:
        raise ShapeError.expects("M", f"a multiple of {M_STEP}", m)
    if n % N_STEP or not N_STEP <= n <= N_MAX:
        raise ShapeError.expects("N", f"a multiple of {N_STEP} up to {N_MAX}", n)
    if k % step:
        raise ShapeError.expects("K", f"a multiple of {step} for {dtype}", k)
    return m, n


def _result_dtype(lhs: tl.dtype, rhs: tl.dtype, acc: Any, out: Any) -> tl.dtype:
    name = str(lhs.name)
    if name not in _RESULTS:
        raise DTypeError.expects("A", f"of dtype {', '.join(_RESULTS)}", lhs)
    pair_of_fp8 = lhs.name in _FP8 and rhs.name in _FP8
    if lhs != rhs and not pair_of_fp8:
        raise DTypeError.expects("B", f"of A's dtype {lhs}", rhs)
    legal = _RESULTS[name]
    wanted = unwrap(out)
    if not isinstance(wanted, tl.dtype):
        raise DTypeError.expects("out_dtype", "a dtype", wanted)
    if wanted == tl.float32 and "fp32" not in legal:
        # The default stands for the only result that integers have.
        wanted = tl.int32
    if is_block(acc) and unwrap(out) == tl.float32:
        wanted = acc.dtype
    if wanted.name not in legal:
        raise DTypeError.expects(
            "acc" if is_block(acc) else "out_dtype",
            f"of dtype {' or '.join(legal)} for {lhs} operands",
            wanted,
        )
    return wanted


def _accumulator(acc: Any, shape: list[int], dtype: tl.dtype, semantic: Any) -> Any:
    plain = unwrap(acc)
    if plain is None:
        return semantic.full(shape, 0, dtype)
    if isinstance(plain, buffered_tensor):
        raise TargetError("takes an accumulator buffer on Blackwell (sm_100) only")
    if not is_block(plain):
        raise ArgumentError.expects("acc", "a tensor", plain)
    if block_shape(plain) != shape:
        raise ShapeError.expects(
            "acc", f"of shape {describe(shape)}", tuple(block_shape(plain))
        )
    if plain.dtype != dtype:
        raise DTypeError.expects("acc", f"of out_dtype {dtype}", plain.dtype)
    return plain


def _use_acc(use_acc: Any, semantic: Any) -> Any | None:
    plain = unwrap(use_acc)
    if plain is None or plain is True:
        return None
    if plain is False:
        return semantic.builder.get_int1(False)
    if not is_scalar(plain) or not plain.dtype.is_int1():
        raise DTypeError.expects("use_acc", "a boolean scalar (int1)", plain)
    return plain.handle


def _precision(precision: Any) -> int:
    plain = unwrap(precision)
    if plain is None:
        return _PRECISIONS["tf32"]
    if not isinstance(plain, str) or plain not in _PRECISIONS:
        raise ArgumentError.expects("input_precision", "'tf32' or None", plain)
    return _PRECISIONS[plain]


def _imprecise(dtype: tl.dtype, semantic: Any) -> int:
    # fp8 products lose bits in long sums; Triton's option says how long they may be.
    if dtype.name not in _FP8:
        return 0
    limit = getattr(semantic.builder.options, "max_num_imprecise_acc_default", 0)
    return int(limit or 0)


@builtin
def async_dot_wait(pendings: Any, inp: Any, _semantic: Any = None) -> Any:
    """Wait until at most `pendings` matrix products are outstanding.

    Args:
        pendings: number of products, a constexpr of at least 0.
        inp: result of an `async_dot`; a tuple of them is waited for together.

    Returns:
        `inp`, which may be read if its product has completed.

    Raises:
        ArgumentError: `pendings` is no constexpr or negative, or `inp` no tensor.
        TargetError: the target is not Hopper.

    Source: PTX ISA, `wgmma.wait_group`.
    """
    _require_hopper(_semantic)
    count = const_int(pendings, "pendings", least=0)
    is_group = isinstance(inp, (list, tuple, tl.tuple))
    values = list(inp) if is_group else [inp]
    for value in values:
        if not is_block(value):
            raise ArgumentError.expects("inp", "the tensor of an async_dot", value)
    handles = build(
        _semantic,
        "tlx.async_dot_wait",
        [value.handle for value in values],
        [tensor_text(block_shape(value), value.dtype) for value in values],
        {"pendings": f"{count} : i32"},
    )
    results = [
        tl.tensor(h, value.type) for h, value in zip(handles, values, strict=True)
    ]
    return tl.tuple(results) if is_group else results[0]
