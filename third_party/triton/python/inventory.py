# SPDX-License-Identifier: MIT
"""What a TTGIR module holds that no pass may change: tasks, barriers, products."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

# Operations that the user wrote one by one, and whose number has a meaning.
EXPLICIT_OPS = (
    "ttg.warp_specialize",
    "ttng.init_barrier",
    "ttng.inval_barrier",
    "ttng.barrier_expect",
    "ttng.wait_barrier",
    "ttng.arrive_barrier",
    "ttng.warp_group_dot",
    "ttng.warp_group_dot_wait",
    "ttng.tc_gen5_mma",
    "ttng.tc_gen5_mma_scaled",
    "ttng.tc_gen5_commit",
    "ttng.tmem_alloc",
    "ttng.async_tma_copy_global_to_local",
    "ttng.async_tma_copy_local_to_global",
    "ttng.async_tma_store_wait",
    "ttg.async_copy_global_to_local",
    "ttg.async_commit_group",
    "ttg.async_wait",
)

_TASK_WARPS = re.compile(r"\bpartition\d+\(.*\) num_warps\((\d+)\)")
_MODULE_WARPS = re.compile(r'"ttg\.num-warps" = (\d+)')
_OP = re.compile(r"^\s*(?:%\S.*? = )?\"?(tt[a-z]*\.[a-z_0-9]+)", re.MULTILINE)


@dataclass(frozen=True)
class Inventory:
    """What a module holds.

    Attributes:
        num_warps: Warps of the kernel outside its tasks.
        task_warps: Warps of each task, in program order.
        ops: Number of each of `EXPLICIT_OPS`.
        is_explicit: Whether the kernel says itself how data moves and who waits
            for whom: anything of `ttg` or `ttng` but conversions of layouts.
    """

    num_warps: int
    task_warps: tuple[int, ...]
    ops: Counter[str]
    is_explicit: bool

    @classmethod
    def of(cls, text: str) -> Inventory:
        """Takes stock of a module as the wheel prints it."""
        module_warps = _MODULE_WARPS.search(text)
        counts = Counter(_OP.findall(text))
        return cls(
            int(module_warps[1]) if module_warps else 0,
            tuple(int(warps) for warps in _TASK_WARPS.findall(text)),
            Counter({name: counts[name] for name in EXPLICIT_OPS if counts[name]}),
            any(
                name.startswith(("ttg.", "ttng.")) and name != "ttg.convert_layout"
                for name in counts
            ),
        )

    def warps_text(self) -> str:
        """Returns the warps as text, such as `4 + 1 + 8`."""
        return " + ".join(map(str, (self.num_warps, *self.task_warps)))

    def differences(self, after: Inventory) -> list[str]:
        """Says what `after` has in another number than this."""
        found = []
        if self.warps_text() != after.warps_text():
            found.append(f"warps: {self.warps_text()} became {after.warps_text()}")
        for name in EXPLICIT_OPS:
            if self.ops[name] != after.ops[name]:
                found.append(f"{name}: {self.ops[name]} became {after.ops[name]}")
        return found
