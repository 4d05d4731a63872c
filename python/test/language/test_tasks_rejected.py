# SPDX-License-Identifier: MIT
"""What `async_tasks` and `async_task` reject, with the line that is marked."""

import pytest

import tlx
from tlx.errors import ArgumentError, TaskError
from tlx.language.tasks import current_task

GROUP = "with tlx.async_tasks():"
DEFAULT = "    with tlx.async_task('default'):\n            pass"


def kernel_with(one_line, *lines):
    return one_line("y = tl.load(x)", "t = tl.arange(0, 8)", *lines, arguments="x")


# Arguments of one worker task, error, text; None for legal ones.
WORKERS = [
    ("num_warps=1", None, None),
    ("num_warps=16", None, None),
    (
        "num_warps=32",
        ArgumentError,
        "expects 'num_warps' to be 1, 2, 4, 8 or 16, but got 32",
    ),
    (
        "num_warps=0",
        ArgumentError,
        "expects 'num_warps' to be 1, 2, 4, 8 or 16, but got 0",
    ),
    (
        "num_warps=3",
        ArgumentError,
        "expects 'num_warps' to be 1, 2, 4, 8 or 16, but got 3",
    ),
    ("", TaskError, "needs 'num_warps' unless it is the default task"),
    (
        "num_warps=y",
        ArgumentError,
        "expects 'num_warps' to be a constexpr integer (annotate it as 'num_warps: "
        "tl.constexpr'), but got a run-time value of type int32",
    ),
    (
        "num_warp=4",
        ArgumentError,
        "got an unknown argument 'num_warp', did you mean 'num_warps'? (it takes "
        "name, num_warps, num_regs, registers, replicate, warp_group_start_id)",
    ),
    (
        "num_warps=4, register=40",
        ArgumentError,
        "got an unknown argument 'register', did you mean 'registers'? (it takes "
        "name, num_warps, num_regs, registers, replicate, warp_group_start_id)",
    ),
    (
        "num_warps=4, replicates=2",
        ArgumentError,
        "got an unknown argument 'replicates', did you mean 'replicate'? (it takes "
        "name, num_warps, num_regs, registers, replicate, warp_group_start_id)",
    ),
    (
        "num_warps=4, colour=2",
        ArgumentError,
        "got an unknown argument 'colour' (it takes "
        "name, num_warps, num_regs, registers, replicate, warp_group_start_id)",
    ),
    ("num_warps=4, num_regs=24", None, None),
    ("num_warps=4, num_regs=256", None, None),
    ("num_warps=4, num_regs=40, registers=40", None, None),
    (
        "num_warps=4, num_regs=100",
        ArgumentError,
        "expects 'num_regs' to be divisible by 8 (such as 96 or 104), but got 100",
    ),
    (
        "num_warps=4, registers=16",
        ArgumentError,
        "expects 'registers' to be in [24, 256], but got 16",
    ),
    (
        "num_warps=4, registers=264",
        ArgumentError,
        "expects 'registers' to be in [24, 256], but got 264",
    ),
    (
        "num_warps=4, num_regs=40, registers=48",
        ArgumentError,
        "expects 'registers' to be 'num_regs' (40), but got 48",
    ),
    (
        "num_warps=1, replicate=33",
        ArgumentError,
        "expects 'replicate' to be at most 32, but got 33",
    ),
    (
        "num_warps=4, replicate=0",
        ArgumentError,
        "expects 'replicate' to be at least 1, but got 0",
    ),
    ("num_warps=4, warp_group_start_id=4", None, None),
    (
        "num_warps=4, warp_group_start_id=-1",
        ArgumentError,
        "expects 'warp_group_start_id' to be at least 0, but got -1",
    ),
    (
        "[0], num_warps=4",
        ArgumentError,
        "no longer takes task ids; pass 'default' or num_warps=",
    ),
    (
        "'consumer', num_warps=4",
        ArgumentError,
        "expects 'name' to be 'default' or left out, but got 'consumer'",
    ),
    (
        "'default', 4",
        ArgumentError,
        "cannot be called like this: too many positional arguments (it takes "
        "name, num_warps, num_regs, registers, replicate, warp_group_start_id)",
    ),
]


@pytest.mark.parametrize(("arguments", "error", "text"), WORKERS)
def test_arguments_of_a_task(arguments, error, text, one_line, tlxir, rejects):
    line = f"with tlx.async_task({arguments}):"
    kernel = kernel_with(one_line, GROUP, DEFAULT, f"    {line}\n            pass")
    if error is None:
        assert "tlx.async_task num_warps" in tlxir(kernel, {"x": "*i32"})
    else:
        message = f"'tlx.async_task' {text}"
        rejects(kernel, error, message, line, signature={"x": "*i32"})
    assert current_task() is None


# Lines of the body of `async_tasks`, error, text, line that is marked.
ONE = "    with tlx.async_task(num_warps=1):\n            pass"
REGS = "    with tlx.async_task(num_warps=1, num_regs=24):\n            pass"
AT4 = "    with tlx.async_task(num_warps=4, warp_group_start_id=4):\n            pass"
BODIES = [
    (
        [DEFAULT, DEFAULT],
        "needs exactly one default task, but got 2",
        GROUP,
    ),
    ([ONE], "needs exactly one default task, but got 0", GROUP),
    (["    pass"], "needs exactly one default task, but got 0", GROUP),
    (
        [DEFAULT, "    z = y + 1"],
        "expects only 'with tlx.async_task(...)' and constexpr ifs in its body, but "
        "got "
        "'z = y + 1'",
        "z = y + 1",
    ),
    (
        [DEFAULT, "    for i in range(3):\n            pass"],
        "expects only 'with tlx.async_task(...)' and constexpr ifs in its body, but "
        "got "
        "'for i in range(3):'",
        "for i in range(3):",
    ),
    (
        [
            DEFAULT,
            f"    if y > 0:\n        {ONE}".replace(
                "            pass", "    " * 4 + "pass"
            ),
        ],
        "expects an 'if' around tasks to have a constexpr condition, but 'y > 0' is "
        "known at run time only",
        "if y > 0:",
    ),
    (
        [DEFAULT, f"    {GROUP}\n            pass"],
        "cannot be nested",
        GROUP,
    ),
    (
        [DEFAULT, ONE, REGS],
        "needs 'num_regs' on all tasks but the default or on none, but 1 of 2 lack it",
        GROUP,
    ),
    (
        [DEFAULT, ONE, AT4],
        "needs 'warp_group_start_id' on all tasks but the default or on none, but 1 of "
        "2 lack it",
        GROUP,
    ),
    (
        [DEFAULT, AT4.replace("start_id=4", "start_id=2")],
        "places a task on warps [2, 6), which overlap the warps [0, 4) of the default "
        "task",
        GROUP,
    ),
    (
        [DEFAULT, AT4, AT4.replace("start_id=4", "start_id=7")],
        "places a task on warps [7, 11), which overlap the warps [4, 8) of another "
        "task",
        GROUP,
    ),
    (
        [
            DEFAULT,
            AT4.replace("=4):", "=4, replicate=2):"),
            AT4.replace("id=4", "id=8"),
        ],
        "places a task on warps [8, 12), which overlap the warps [8, 12) of another "
        "task",
        GROUP,
    ),
]


@pytest.mark.parametrize(("lines", "text", "marked"), BODIES)
def test_bodies(lines, text, marked, one_line, rejects):
    kernel = kernel_with(one_line, GROUP, *lines)
    message = f"'tlx.async_tasks' {text}"
    rejects(kernel, TaskError, message, marked, signature={"x": "*i32"})
    assert current_task() is None


# Statement in a worker task, subject, text.
INSIDE = [
    (
        "return",
        "async_task",
        "cannot contain 'return': a task ends at the end of its body",
    ),
    (
        "tl.store(x + t, 1)",
        "async_task",
        "cannot use the tensor 't' (int32[8]) from outside: it is in registers of "
        "other warps; compute it in the task or pass it through a buffer",
    ),
    (f"{GROUP} pass", "async_tasks", "cannot be nested in a task"),
]


@pytest.mark.parametrize(("line", "subject", "text"), INSIDE)
def test_inside_a_task(line, subject, text, one_line, rejects):
    worker = f"    with tlx.async_task(num_warps=1):\n            {line}"
    kernel = kernel_with(one_line, GROUP, DEFAULT, worker)
    message = f"'tlx.{subject}' {text}"
    rejects(kernel, TaskError, message, line, signature={"x": "*i32"})
    assert current_task() is None


OUTSIDE = [
    (
        "with tlx.async_task(num_warps=1): pass",
        "'tlx.async_task' has to be directly inside 'with tlx.async_tasks():'",
    ),
    (
        "tlx.async_task_replica_id()",
        "'tlx.async_task_replica_id' can only be called inside a tlx.async_task",
    ),
]


@pytest.mark.parametrize(("line", "text"), OUTSIDE)
def test_outside_of_tasks(line, text, one_line, rejects):
    kernel = kernel_with(one_line, line)
    rejects(kernel, TaskError, text, line, signature={"x": "*i32"})


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (
            "with tlx.async_tasks(exclusiv=True):",
            "'tlx.async_tasks' got an unknown argument 'exclusiv', did you mean "
            "'exclusive'? (it takes exclusive, no_ending_cluster_sync, "
            "mbarrier_try_wait_suspend_ns)",
        ),
        (
            "with tlx.async_tasks(exclusive=1):",
            "'tlx.async_tasks' expects 'exclusive' to be a constexpr bool, but got 1",
        ),
        (
            "with tlx.async_tasks(mbarrier_try_wait_suspend_ns=-1):",
            "'tlx.async_tasks' expects 'mbarrier_try_wait_suspend_ns' to be at least "
            "0, "
            "but got -1",
        ),
    ],
)
def test_arguments_of_async_tasks(line, text, one_line, rejects):
    kernel = kernel_with(one_line, line, DEFAULT)
    rejects(kernel, ArgumentError, text, line, signature={"x": "*i32"})


def test_errors_in_functions_show_the_calls(one_line, rejects):
    kernel = one_line("helper(x)", arguments="x")
    helper = one_line("tlx.fence('x')", arguments="x")
    kernel.fn.__globals__["helper"] = helper
    error = rejects(
        kernel,
        ArgumentError,
        "'tlx.fence' expects 'scope' to be one of 'async_shared', 'gpu', 'sys', but "
        "got "
        "'x'",
        signature={"x": "*i32"},
    )
    assert [message for message, _ in error.notes] == ["called from here"]
    assert error.notes[0][1].text.strip() == "helper(x)"


def test_an_error_leaves_the_next_kernel_alone(one_line, rejects, tlxir):
    worker = "    with tlx.async_task(num_warps=1):\n            tlx.fence('x')"
    bad = kernel_with(one_line, GROUP, DEFAULT, worker)
    with pytest.raises(tlx.errors.TLXError):
        tlxir(bad, {"x": "*i32"})
    assert current_task() is None
    good = kernel_with(one_line, GROUP, DEFAULT, worker.replace("'x'", "'gpu'"))
    assert "tlx.fence gpu" in tlxir(good, {"x": "*i32"})
