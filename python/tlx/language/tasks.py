# SPDX-License-Identifier: MIT
"""Tasks: code that runs at the same time on different warps.

    with tlx.async_tasks():
        with tlx.async_task("default"):
            ...                                  # the warps of the kernel
        with tlx.async_task(num_warps=4, num_regs=232, replicate=2):
            ...                                  # two more groups of 4 warps

The statements are compiled by handlers in the front end; the functions here give
the names, their signatures and the checks of one task's arguments.
"""

from __future__ import annotations

import contextvars
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from triton.language import core as tl

from tlx import _ext

from ..errors import ArgumentError, TaskError, TLXWarning
from ._core import builtin, const_bool, const_int, unwrap

__all__ = ["async_task", "async_task_replica_id", "async_tasks"]

# The dialect and ttg.warp_specialize take powers of two up to 16.
MAX_TASK_WARPS = 16
# PTX ISA, setmaxnreg: range and granularity of the register count.
MIN_REGS, MAX_REGS, REG_STEP = 24, 256, 8


@dataclass(frozen=True)
class TasksSpec:
    """Arguments of `async_tasks`."""

    exclusive: bool


@dataclass(frozen=True)
class TaskSpec:
    """Arguments of `async_task`, checked.

    Args:
        is_default: runs on the warps of the kernel.
        num_warps: warps of one replica; None for the default task.
        num_regs: registers of a thread, or None for the compiler's choice.
        replicate: number of copies.
        first_warp: where the first worker copy starts, or None.
    """

    is_default: bool
    num_warps: int | None
    num_regs: int | None
    replicate: int
    first_warp: int | None


@dataclass(frozen=True)
class Replica:
    """One copy of a task, as it becomes a region."""

    is_default: bool
    num_warps: int
    num_regs: int | None
    index: int
    first_warp: int | None


@dataclass(frozen=True)
class TaskContext:
    """What the code of a task knows while it is generated.

    It is also Triton's "caller context": a jit function called from a task gets
    a name of its own for each replica and warp count, because its code may ask
    for both.
    """

    replica: int
    num_warps: int

    def mangle(self) -> str:
        """Return the suffix of the names of functions called from the task."""
        return f"_R{self.replica}W{self.num_warps}"

    def initialize_callee(self, fn: Any, builder: Any) -> None:
        """Record the warp count on a function called from the task.

        A helper that is not inlined runs on the warps of its caller.
        """
        fn.set_attr("ttg.num-warps", builder.get_int32_attr(self.num_warps))


_current: contextvars.ContextVar[TaskContext | None] = contextvars.ContextVar(
    "tlx_current_task", default=None
)


def current_task() -> TaskContext | None:
    """Return the task whose body is being generated, if any."""
    return _current.get()


@contextmanager
def inside_task(context: TaskContext) -> Iterator[TaskContext]:
    """Make `context` the current task of this thread until the block ends."""
    token = _current.set(context)
    try:
        yield context
    finally:
        _current.reset(token)


@builtin
def async_tasks(
    *,
    exclusive: Any = False,
    no_ending_cluster_sync: Any = False,
    mbarrier_try_wait_suspend_ns: Any = None,
    _semantic: Any = None,
) -> TasksSpec:
    """Run the `async_task`s in the body at the same time on different warps.

    To be used as `with tlx.async_tasks():`. The body holds only `async_task`s
    and constexpr ifs around them; exactly one of them is the default task.
    Control leaves when all tasks are done. Assignments inside do not escape.

    Args:
        exclusive: promises that this is the only such region of the kernel,
            which is checked. Triton starts the tasks in the same way with and
            without it.
        no_ending_cluster_sync: the user synchronises the cluster at the end;
            of effect only for pairs of CTAs.
        mbarrier_try_wait_suspend_ns: longest sleep of a barrier wait in ns;
            a hint for Blackwell without effect before.

    Raises:
        TaskError: the body holds something else, or not exactly one default.
    """
    del _semantic
    const_bool(no_ending_cluster_sync, "no_ending_cluster_sync")
    if unwrap(mbarrier_try_wait_suspend_ns) is not None:
        const_int(mbarrier_try_wait_suspend_ns, "mbarrier_try_wait_suspend_ns", least=0)
    return TasksSpec(exclusive=const_bool(exclusive, "exclusive"))


@builtin
def async_task(
    name: Any = None,
    *,
    num_warps: Any = None,
    num_regs: Any = None,
    registers: Any = None,
    replicate: Any = 1,
    warp_group_start_id: Any = None,
    _semantic: Any = None,
) -> TaskSpec:
    """Run the body on warps of its own.

    To be used as `with tlx.async_task(...):` directly inside `async_tasks`.

    Args:
        name: "default" for the task on the warps of the kernel.
        num_warps: warps of the task: 1, 2, 4, 8 or 16. The default task has the
            `num_warps` of the kernel.
        num_regs: registers of a thread: a multiple of 8 in [24, 256]. All tasks
            but the default have it, or none.
        registers: the same as `num_regs`.
        replicate: number of copies; `async_task_replica_id()` tells them apart.
            The first copy of the default task is the default, the others are
            tasks of as many warps.
        warp_group_start_id: first warp of the task, counted in the CTA; copies
            follow one another. All tasks but the default have it, or none.

    Raises:
        ArgumentError: an argument is unknown, no constexpr, or out of range.
        TaskError: `num_warps` is missing.

    Source: PTX ISA, `setmaxnreg`.
    """
    is_default = _is_default(unwrap(name))
    regs = _registers(unwrap(num_regs), unwrap(registers))
    copies = const_int(replicate, "replicate", least=1, most=_ext.MAX_WARPS)
    start = unwrap(warp_group_start_id)
    if start is not None:
        start = const_int(start, "warp_group_start_id", least=0)
    warps = _warps(num_warps, is_default, _semantic.builder.options.num_warps)
    if is_default and start is not None and copies == 1:
        raise ArgumentError(
            "cannot take 'warp_group_start_id' for the default task, which starts "
            "at warp 0"
        )
    return TaskSpec(is_default, warps, regs, copies, start)


def _is_default(name: Any) -> bool:
    if name is None:
        return False
    if name == "default":
        return True
    if isinstance(name, (int, list)):
        raise ArgumentError(
            "no longer takes task ids; pass 'default' or num_warps=", found=name
        )
    raise ArgumentError.expects("name", "'default' or left out", name)


def _registers(num_regs: Any, registers: Any) -> int | None:
    if num_regs is not None and registers is not None and num_regs != registers:
        raise ArgumentError.expects("registers", f"'num_regs' ({num_regs})", registers)
    name = "num_regs" if num_regs is not None else "registers"
    value = num_regs if num_regs is not None else registers
    if value is None:
        return None
    regs = const_int(value, name)
    if regs % REG_STEP:
        low = regs // REG_STEP * REG_STEP
        raise ArgumentError.expects(
            name, f"divisible by {REG_STEP} (such as {low} or {low + REG_STEP})", regs
        )
    if not MIN_REGS <= regs <= MAX_REGS:
        raise ArgumentError.expects(name, f"in [{MIN_REGS}, {MAX_REGS}]", regs)
    return regs


def _warps(num_warps: Any, is_default: bool, kernel_warps: int) -> int | None:
    plain = unwrap(num_warps)
    if is_default:
        if plain is not None and plain != kernel_warps:
            warnings.warn(
                f"tlx.async_task('default', num_warps={plain}): the default task has "
                f"the {kernel_warps} warps of the kernel",
                TLXWarning,
                stacklevel=2,
            )
        return None
    if plain is None:
        raise TaskError("needs 'num_warps' unless it is the default task")
    warps = const_int(num_warps, "num_warps")
    if not 1 <= warps <= MAX_TASK_WARPS or warps & (warps - 1):
        raise ArgumentError.expects("num_warps", "1, 2, 4, 8 or 16", warps)
    return warps


@builtin
def async_task_replica_id(_semantic: Any = None) -> tl.constexpr:
    """Return which copy of a replicated task runs, a constexpr.

    Returns:
        0 to `replicate` - 1.

    Raises:
        TaskError: not inside a task.
    """
    context = current_task()
    if context is None:
        raise TaskError("can only be called inside a tlx.async_task")
    return tl.constexpr(context.replica)


def replicas(spec: TaskSpec, kernel_warps: int) -> list[Replica]:
    """Expand a task into its copies."""
    warps = kernel_warps if spec.num_warps is None else spec.num_warps
    copies: list[Replica] = []
    for index in range(spec.replicate):
        is_default = spec.is_default and index == 0
        start = spec.first_warp
        if is_default:
            start = None
        elif start is not None:
            # Copies of the default task start behind its first one.
            start += (index - (1 if spec.is_default else 0)) * warps
        copies.append(Replica(is_default, warps, spec.num_regs, index, start))
    return copies


def check_group(tasks: list[Replica], kernel_warps: int) -> None:
    """Check the rules that hold between the tasks of one `async_tasks`."""
    defaults = sum(task.is_default for task in tasks)
    if defaults != 1:
        raise TaskError(f"needs exactly one default task, but got {defaults}")
    workers = [task for task in tasks if not task.is_default]
    for name, values in (
        ("num_regs", [task.num_regs for task in workers]),
        ("warp_group_start_id", [task.first_warp for task in workers]),
    ):
        missing = sum(value is None for value in values)
        if missing not in (0, len(values)):
            raise TaskError(
                f"needs '{name}' on all tasks but the default or on none, but "
                f"{missing} of {len(values)} lack it"
            )
    _check_overlap(workers, kernel_warps)


def _check_overlap(workers: list[Replica], kernel_warps: int) -> None:
    taken = [(0, kernel_warps, "the default task")]
    for task in workers:
        if task.first_warp is None:
            continue
        first, end = task.first_warp, task.first_warp + task.num_warps
        for low, high, owner in taken:
            if first < high and low < end:
                raise TaskError(
                    f"places a task on warps [{first}, {end}), which overlap the "
                    f"warps [{low}, {high}) of {owner}"
                )
        taken.append((first, end, "another task"))
