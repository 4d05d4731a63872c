# SPDX-License-Identifier: MIT
"""Questions about IR and PTX as text."""

import re

__all__ = ["loops", "main_loops", "max_registers", "task_warps"]


def loops(ttgir: str) -> list[str]:
    """The text of each `scf.for` without the loops inside it."""
    found, stack = [], []
    for line in ttgir.splitlines():
        indent = len(line) - len(line.lstrip())
        if "scf.for" in line:
            stack.append((indent, []))
        elif stack and indent <= stack[-1][0] and line.lstrip().startswith("}"):
            found.append("\n".join(stack.pop()[1]))
        elif stack:
            stack[-1][1].append(line)
    return found


def main_loops(ttgir: str) -> list[str]:
    """The loops that start products and keep one of them running."""
    return [
        text
        for text in loops(ttgir)
        if "ttng.warp_group_dot " in text and "{pendings = 1 : i32}" in text
    ]


def task_warps(ttgir: str) -> list[int]:
    """Warps of each task but the default one, in order of the partitions."""
    matches = re.findall(r"partition\d+\(.*\) num_warps\((\d+)\)", ttgir)
    return [int(text) for text in matches]


def max_registers(ptx: str) -> list[int]:
    """The counts of all `setmaxnreg`, in order."""
    return [
        int(n) for n in re.findall(r"setmaxnreg\.\w+\.sync\.aligned\.u32\s+(\d+)", ptx)
    ]
