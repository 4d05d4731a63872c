# SPDX-License-Identifier: MIT
"""The stock TTGIR passes that run on the TTGIR we emit, as data.

The list keeps what the user wrote. It has no pass that specialises warps by
itself, shrinks the warps of a task or moves tensor memory allocations, and none
that pipelines loops again which the user has pipelined. Each such pass and its
reason stands in `EXCLUDED`; the software pipeliner runs only for kernels that use
no explicit copy, buffer, barrier or task (see `Kernel`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from tlx.backend.versions import Version


class Argument(Enum):
    """Arguments of passes that depend on what is compiled."""

    CAPABILITY = auto()
    """Compute capability, such as 90."""
    NUM_STAGES = auto()
    """Depth of the software pipeline, an option of the launch."""


class Kernel(Enum):
    """Kinds of kernels that a pass runs for."""

    ANY = auto()
    IMPLICIT = auto()
    """Kernels that leave copies and buffers to the compiler, as plain `tl` does."""


_ANY_CAPABILITY = range(0, 1000)
_BLACKWELL = range(100, 1000)


@dataclass(frozen=True)
class StockPass:
    """One pass of the wheel.

    Attributes:
        name: Group and function under `libtriton.passes` (or, for
            `nvidia.<group>`, under `libtriton.nvidia.passes`).
        args: What it takes after the pass manager.
        capabilities: Compute capabilities it runs for.
        kernel: Kind of kernels it runs for.
        since: First Triton release that has it.
    """

    name: str
    args: tuple[Any, ...] = ()
    capabilities: range = _ANY_CAPABILITY
    kernel: Kernel = Kernel.ANY
    since: Version = (3, 6)


def _implicit(name: str, *args: Any, on: range = _ANY_CAPABILITY) -> StockPass:
    return StockPass(name, args, on, Kernel.IMPLICIT)


PASSES: tuple[StockPass, ...] = (
    StockPass("ttgpuir.add_coalesce"),
    StockPass("ttgpuir.add_f32_dot_tc", (True,)),
    StockPass("ttgpuir.add_remove_layout_conversions"),
    StockPass("ttgpuir.add_optimize_thread_locality"),
    StockPass("ttgpuir.add_accelerate_matmul"),
    StockPass("ttgpuir.add_remove_layout_conversions"),
    StockPass("ttgpuir.add_optimize_dot_operands", (True,)),
    StockPass("nvidia.ttnvgpuir.add_optimize_descriptor_encoding"),
    StockPass("ttir.add_loop_aware_cse"),
    _implicit("ttgpuir.add_fuse_nested_loops"),
    StockPass("common.add_canonicalizer"),
    StockPass("ttir.add_triton_licm"),
    StockPass("ttgpuir.add_combine_tensor_select_and_if"),
    _implicit("ttgpuir.add_optimize_accumulator_init", on=_BLACKWELL),
    _implicit("ttgpuir.add_hoist_tmem_alloc", False, on=_BLACKWELL),
    _implicit("nvidia.ttnvgpuir.add_promote_lhs_to_tmem", on=_BLACKWELL),
    _implicit("ttgpuir.add_assign_latencies", Argument.NUM_STAGES),
    _implicit("ttgpuir.add_schedule_loops"),
    _implicit("ttgpuir.add_pipeline", Argument.NUM_STAGES, False),
    _implicit("ttgpuir.add_combine_tensor_select_and_if", on=_BLACKWELL),
    _implicit("ttgpuir.add_hoist_tmem_alloc", True, on=_BLACKWELL),
    StockPass("nvidia.ttnvgpuir.add_remove_tmem_tokens", (), _BLACKWELL),
    StockPass("common.add_canonicalizer"),
    _implicit("ttir.add_loop_aware_cse"),
    _implicit("ttgpuir.add_optimize_dot_operands", True),
    StockPass("ttgpuir.add_coalesce_async_copy"),
    StockPass("nvidia.ttnvgpuir.add_optimize_tmem_layouts"),
    StockPass("nvidia.ttnvgpuir.add_tma_lowering"),
    StockPass("ttgpuir.add_remove_layout_conversions"),
    StockPass("nvidia.ttnvgpuir.add_interleave_tmem"),
    StockPass("ttgpuir.add_reduce_data_duplication"),
    StockPass("ttgpuir.add_reorder_instructions"),
    StockPass("ttir.add_loop_aware_cse"),
    StockPass("common.add_symbol_dce"),
    StockPass("nvidia.ttnvgpuir.add_fence_insertion", (Argument.CAPABILITY,)),
    StockPass("nvidia.ttnvgpuir.add_lower_mma"),
    StockPass("nvidia.ttnvgpuir.add_check_matmul_two_cta", since=(3, 9)),
    StockPass("common.add_sccp"),
    StockPass("common.add_cse"),
    StockPass("common.add_canonicalizer"),
)

EXCLUDED: dict[str, str] = {
    "nvidia.hopper.add_hopper_warpspec": "splits loops into tasks by itself",
    "ttgpuir.add_warp_specialize": "splits loops into tasks by itself",
    "ttgpuir.add_optimize_partition_warps": "shrinks the warps of a task, so that "
    "barriers which count its threads hang",
    "nvidia.ttnvgpuir.add_hoist_mbarrier_lifecycle": "moves barrier set-up",
}

IMPLICIT_ONLY: dict[str, str] = {
    "ttgpuir.add_assign_latencies": "prepares the software pipeliner",
    "ttgpuir.add_schedule_loops": "prepares the software pipeliner",
    "ttgpuir.add_pipeline": "pipelines again what the user pipelined, and waits "
    "for every asynchronous product inside the loop",
    "ttgpuir.add_hoist_tmem_alloc": "moves tensor memory allocations",
    "nvidia.ttnvgpuir.add_promote_lhs_to_tmem": "moves an operand out of the buffer "
    "the user chose",
}


def select(
    version: Version, capability: int, num_stages: int = 3, *, explicit: bool = True
) -> Iterator[StockPass]:
    """Yields the passes for one kernel, with their arguments filled in.

    Args:
        version: Triton release.
        capability: Compute capability, such as 90.
        num_stages: Depth of the software pipeline.
        explicit: Whether the kernel has copies, buffers, barriers or tasks of the
            user's own.
    """
    values = {Argument.CAPABILITY: capability, Argument.NUM_STAGES: num_stages}
    for entry in PASSES:
        wanted = entry.kernel is Kernel.ANY or not explicit
        if wanted and entry.since <= version and capability in entry.capabilities:
            args = tuple(
                values[arg] if isinstance(arg, Argument) else arg for arg in entry.args
            )
            yield StockPass(entry.name, args)


def fingerprint() -> str:
    """Returns text that changes whenever the list does."""
    return repr(PASSES)
