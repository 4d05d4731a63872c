# SPDX-License-Identifier: MIT
"""The stock TTGIR passes that run on the TTGIR we emit, as data.

The list keeps what the user wrote. It has no pass that specialises warps by
itself, pipelines loops, shrinks the warps of a task or moves tensor memory
allocations. Each such pass and its reason stands in `EXCLUDED`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tlx.backend.versions import Version

# Stands for the compute capability (such as 90) in the arguments of a pass.
CAPABILITY = "<capability>"

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
        since: First Triton release that has it.
    """

    name: str
    args: tuple[Any, ...] = ()
    capabilities: range = _ANY_CAPABILITY
    since: Version = (3, 6)


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
    StockPass("common.add_canonicalizer"),
    StockPass("ttir.add_triton_licm"),
    StockPass("ttgpuir.add_combine_tensor_select_and_if"),
    StockPass("nvidia.ttnvgpuir.add_remove_tmem_tokens", (), _BLACKWELL),
    StockPass("common.add_canonicalizer"),
    StockPass("ttgpuir.add_coalesce_async_copy"),
    StockPass("nvidia.ttnvgpuir.add_optimize_tmem_layouts"),
    StockPass("nvidia.ttnvgpuir.add_tma_lowering"),
    StockPass("ttgpuir.add_remove_layout_conversions"),
    StockPass("nvidia.ttnvgpuir.add_interleave_tmem"),
    StockPass("ttgpuir.add_reduce_data_duplication"),
    StockPass("ttgpuir.add_reorder_instructions"),
    StockPass("ttir.add_loop_aware_cse"),
    StockPass("common.add_symbol_dce"),
    StockPass("nvidia.ttnvgpuir.add_fence_insertion", (CAPABILITY,)),
    StockPass("nvidia.ttnvgpuir.add_lower_mma"),
    StockPass("nvidia.ttnvgpuir.add_check_matmul_two_cta", since=(3, 9)),
    StockPass("common.add_sccp"),
    StockPass("common.add_cse"),
    StockPass("common.add_canonicalizer"),
)

EXCLUDED: dict[str, str] = {
    "nvidia.hopper.add_hopper_warpspec": "splits loops into tasks by itself",
    "ttgpuir.add_warp_specialize": "splits loops into tasks by itself",
    "ttgpuir.add_assign_latencies": "prepares the software pipeliner",
    "ttgpuir.add_schedule_loops": "prepares the software pipeliner",
    "ttgpuir.add_pipeline": "pipelines again what the user pipelined, and waits "
    "for every asynchronous product inside the loop",
    "ttgpuir.add_optimize_partition_warps": "shrinks the warps of a task, so that "
    "barriers which count its threads hang",
    "ttgpuir.add_hoist_tmem_alloc": "moves tensor memory allocations",
    "nvidia.ttnvgpuir.add_promote_lhs_to_tmem": "moves an operand out of the buffer "
    "the user chose",
    "nvidia.ttnvgpuir.add_hoist_mbarrier_lifecycle": "moves barrier set-up",
}


def select(version: Version, capability: int) -> Iterator[StockPass]:
    """Yields the passes for one Triton release and one compute capability."""
    for entry in PASSES:
        if entry.since <= version and capability in entry.capabilities:
            args = tuple(capability if a is CAPABILITY else a for a in entry.args)
            yield StockPass(entry.name, args, entry.capabilities, entry.since)


def fingerprint() -> str:
    """Returns text that changes whenever the list does."""
    return repr(PASSES)
