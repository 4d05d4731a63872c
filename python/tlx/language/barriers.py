# SPDX-License-Identifier: MIT
"""mbarriers and named barriers.

An mbarrier counts arrivals and bytes. A phase completes when `arrive_count`
arrivals and all expected bytes have come; then the next phase starts, of the
other parity. A new barrier is in phase 0, so waiting for parity 1 returns at
once: consumers start with parity 0, producers with parity 1.
"""

from __future__ import annotations

from typing import Any

from triton.language import core as tl

from tlx import _ext

from ..errors import ArgumentError, BarrierError, DTypeError, Phrase, UnsupportedError
from ._core import (
    WARP_SIZE,
    build,
    builtin,
    check_shared_memory,
    const_int,
    is_scalar,
    require_capability,
    to_i32,
    to_pred,
    unwrap,
)
from .types import mbarrier, mbarrier_type, view_barrier

__all__ = [
    "alloc_barriers",
    "alloc_warp_barrier",
    "barrier_arrive",
    "barrier_expect_bytes",
    "barrier_wait",
    "named_barrier_arrive",
    "named_barrier_wait",
]

# PTX ISA, mbarrier: range of the arrival count and of the tx-count.
MAX_COUNT = (1 << 20) - 1
# PTX ISA, mbarrier: size of the object.
BARRIER_BYTES = 8
# PTX ISA, bar: ids 0 to 15.
NUM_NAMED_BARRIERS = 16
MAX_THREADS: int = _ext.MAX_WARPS * WARP_SIZE


@builtin
def alloc_barriers(
    num_barriers: Any, arrive_count: Any = 1, _semantic: Any = None
) -> mbarrier:
    """Allocate and initialise an array of mbarriers.

    Args:
        num_barriers: length of the array, a constexpr of at least 1.
        arrive_count: arrivals that complete a phase, a constexpr in
            [1, 1048575]. A `barrier_expect_bytes` is one arrival.

    Returns:
        The array; index it to get one barrier.

    Raises:
        ArgumentError: an argument is no constexpr or out of range.
        ResourceError: the barriers take more than the shared memory of a CTA.
        TargetError: the target is older than sm_90.

    Source: PTX ISA, `mbarrier.init`.
    """
    require_capability(_semantic, 90, "mbarriers with transaction counts")
    num = const_int(num_barriers, "num_barriers", least=1, most=None)
    count = const_int(arrive_count, "arrive_count", least=1)
    return _alloc(num, count, False, _semantic)


@builtin
def alloc_warp_barrier(
    num_barriers: Any,
    num_warps: Any = 1,
    num_arrivals: Any = 1,
    _semantic: Any = None,
) -> mbarrier:
    """Allocate mbarriers on which every thread of a task arrives.

    Arriving needs no synchronisation of the task before it.

    Args:
        num_barriers: length of the array, a constexpr of at least 1.
        num_warps: warps (of 32 threads) that arrive.
        num_arrivals: how often each of them arrives in a phase.

    Returns:
        The array; a phase completes after `num_warps * 32 * num_arrivals`
        arrivals.

    Raises:
        ArgumentError: an argument is no constexpr or out of range.
        ResourceError: the barriers take more than the shared memory of a CTA.
        TargetError: the target is older than sm_90.

    Source: PTX ISA, `mbarrier.init`.
    """
    require_capability(_semantic, 90, "mbarriers with transaction counts")
    num = const_int(num_barriers, "num_barriers", least=1, most=None)
    warps = const_int(num_warps, "num_warps", least=1)
    times = const_int(num_arrivals, "num_arrivals", least=1)
    return _alloc(num, warps * WARP_SIZE * times, True, _semantic)


def _alloc(num: int, count: int, is_warp: bool, semantic: Any) -> mbarrier:
    if count > MAX_COUNT:
        raise ArgumentError.expects(
            "arrivals of a phase", f"at most {MAX_COUNT}", count
        )
    check_shared_memory(num * BARRIER_BYTES, semantic)
    type_ = mbarrier_type(num, None, is_warp_barrier=is_warp, arrive_count=count)
    (handle,) = build(semantic, "tlx.alloc_barriers", [], [type_.mlir])
    return type_.wrap(handle)


def one_barrier(value: Any, name: str, semantic: Any) -> mbarrier:
    """Return a single barrier; the only one of an array of 1 stands for itself."""
    if not isinstance(value, mbarrier):
        raise BarrierError.expects(name, "a barrier", value)
    if value.num == 1:
        return view_barrier(value, 0, semantic)
    if value.num > 1:
        raise BarrierError.expects(
            name,
            "one barrier, such as bars[i]",
            Phrase(f"an array of {value.num} barriers"),
        )
    return value


@builtin
def barrier_expect_bytes(
    bar: Any, size: Any, pred: Any = None, _semantic: Any = None
) -> None:
    """Arrive once and announce `size` bytes that will complete on the barrier.

    Args:
        bar: one barrier.
        size: bytes, a constexpr in [0, 1048575].
        pred: skip if false.

    Raises:
        ArgumentError: `size` is no constexpr or out of range.
        BarrierError: `bar` is an array.

    Source: PTX ISA, `mbarrier.arrive.expect_tx`.
    """
    barrier = one_barrier(bar, "bar", _semantic)
    nbytes = const_int(size, "size", least=0)
    if nbytes > MAX_COUNT:
        raise ArgumentError.expects("size", f"at most {MAX_COUNT} bytes", nbytes)
    _barrier_op(
        "barrier_expect_bytes", barrier, pred, _semantic, size=f"{nbytes} : i32"
    )


@builtin
def barrier_wait(bar: Any, phase: Any, pred: Any = None, _semantic: Any = None) -> None:
    """Block until the phase of parity `phase` has completed.

    Args:
        bar: one barrier of this CTA.
        phase: parity, an integer scalar or a constexpr 0 or 1.
        pred: do not wait if false.

    Raises:
        ArgumentError: a constant phase is not 0 or 1.
        DTypeError: `phase` is no integer scalar.
        BarrierError: `bar` is an array.

    Source: PTX ISA, `mbarrier.try_wait.parity`.
    """
    barrier = one_barrier(bar, "bar", _semantic)
    parity = _parity(phase, _semantic)
    predicate = to_pred(pred, "pred", _semantic)
    operands = [barrier.handle, parity]
    build(_semantic, "tlx.barrier_wait", operands + ([predicate] if predicate else []))


def _parity(phase: Any, semantic: Any) -> Any:
    plain = unwrap(phase)
    if isinstance(plain, (bool, int)):
        if plain not in (0, 1):
            raise ArgumentError.expects("phase", "0 or 1", plain)
        return semantic.builder.get_int32(int(plain))
    if is_scalar(plain) and plain.dtype.is_int1():
        # A boolean true is parity 1, not -1.
        return semantic.cast(semantic.cast(plain, tl.uint8), tl.int32).handle
    return to_i32(plain, "phase", semantic)


@builtin
def barrier_arrive(
    bar: Any,
    arrive_count: Any = 1,
    remote_cta_rank: Any = None,
    pred: Any = None,
    _semantic: Any = None,
) -> None:
    """Arrive on a barrier.

    The task arrives once with `arrive_count`, after its threads have met; on a
    barrier of `alloc_warp_barrier` every thread arrives once, without meeting.

    Args:
        bar: one barrier.
        arrive_count: arrivals, a constexpr in [1, arrivals of a phase].
        remote_cta_rank: CTA of the cluster whose barrier is meant; not in this
            version.
        pred: skip if false.

    Raises:
        ArgumentError: `arrive_count` is no constexpr or out of range.
        BarrierError: `bar` is an array.

    Source: PTX ISA, `mbarrier.arrive`.
    """
    barrier = one_barrier(bar, "bar", _semantic)
    count = const_int(arrive_count, "arrive_count", least=1)
    if unwrap(remote_cta_rank) is not None:
        raise UnsupportedError("cannot take 'remote_cta_rank': it needs clusters")
    if barrier.is_warp_barrier and count != 1:
        raise BarrierError.expects("arrive_count", "1 on a warp barrier", count)
    if count > barrier.arrive_count:
        raise BarrierError.expects(
            "arrive_count", f"at most the {barrier.arrive_count} of a phase", count
        )
    _barrier_op("barrier_arrive", barrier, pred, _semantic, count=f"{count} : i32")


def _barrier_op(
    op: str, barrier: mbarrier, pred: Any, semantic: Any, **attributes: str
) -> None:
    predicate = to_pred(pred, "pred", semantic)
    operands = [barrier.handle] + ([predicate] if predicate else [])
    build(semantic, f"tlx.{op}", operands, [], attributes)


@builtin
def named_barrier_wait(bar_id: Any, num_threads: Any, _semantic: Any = None) -> None:
    """Arrive on a hardware barrier and wait until all threads have come.

    Args:
        bar_id: barrier 0 to 15. The compiler uses 0, 1 and 2 + i for task i.
        num_threads: threads of all waiters and arrivers together; a multiple of
            32, the same on every side.

    Raises:
        BarrierError: a constant is out of range.

    Source: PTX ISA, `bar.sync`.
    """
    _named("named_barrier_wait", bar_id, num_threads, _semantic)


@builtin
def named_barrier_arrive(bar_id: Any, num_threads: Any, _semantic: Any = None) -> None:
    """Arrive on a hardware barrier without waiting.

    Args:
        bar_id: barrier 0 to 15. The compiler uses 0, 1 and 2 + i for task i.
        num_threads: threads of all waiters and arrivers together; a multiple of
            32, the same on every side.

    Raises:
        BarrierError: a constant is out of range.

    Source: PTX ISA, `bar.arrive`.
    """
    _named("named_barrier_arrive", bar_id, num_threads, _semantic)


def _named(op: str, bar_id: Any, num_threads: Any, semantic: Any) -> None:
    barrier, threads = unwrap(bar_id), unwrap(num_threads)
    if isinstance(barrier, int) and not 0 <= barrier < NUM_NAMED_BARRIERS:
        raise BarrierError.expects(
            "bar_id", f"in [0, {NUM_NAMED_BARRIERS - 1}]", barrier
        )
    if isinstance(threads, int) and (
        not WARP_SIZE <= threads <= MAX_THREADS or threads % WARP_SIZE
    ):
        raise BarrierError.expects(
            "num_threads",
            f"a multiple of {WARP_SIZE} in [{WARP_SIZE}, {MAX_THREADS}]",
            threads,
        )
    for name, value in (("bar_id", barrier), ("num_threads", threads)):
        if isinstance(value, bool):
            raise DTypeError.expects(name, "an integer scalar", value)
    operands = [
        to_i32(barrier, "bar_id", semantic),
        to_i32(threads, "num_threads", semantic),
    ]
    build(semantic, f"tlx.{op}", operands)
