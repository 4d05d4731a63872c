# SPDX-License-Identifier: MIT
"""Runs kernels given as MLIR text."""

import re

import numpy as np

from tlx import _ext
from tlx.simulator.execute import execute
from tlx.simulator.ir.load import load
from tlx.simulator.machine.descriptor import TensorDescriptor
from tlx.simulator.machine.global_memory import GlobalMemory
from tlx.simulator.options import Options
from tlx.simulator.schedules import SCHEDULES

_CONTEXT = _ext.Context()


class Boxes:
    """An array that is passed as a tensor descriptor."""

    def __init__(self, array, *block, nan_fill=False):
        self.array = array
        self.block = block
        self.nan_fill = nan_fill


def program(params, body, more="", num_warps=4, head="", layouts_are_final=False):
    """Returns a program with one kernel.

    Args:
        params: Its parameters, like `%a: !tt.ptr<f32>, %n: i32`.
        body: Its operations, without the return.
        more: Other functions.
        num_warps: Warps of the kernel.
        head: Aliases of attributes.
        layouts_are_final: As for `load`.
    """
    text = (
        f'{head}module attributes {{"ttg.num-warps" = {num_warps} : i32}} {{\n'
        f"tt.func public @k({params}) {{\n{body}\ntt.return\n}}\n{more}\n}}"
    )
    module = _ext.parse(text, _CONTEXT, "k.mlir")
    return load(module, layouts_are_final=layouts_are_final)


def run(
    params,
    body,
    *args,
    grid=1,
    more="",
    num_warps=4,
    head="",
    layouts_are_final=False,
    **options,
):
    """Runs a kernel and returns the report; arrays are changed in place.

    Args:
        params: Its parameters.
        body: Its operations.
        args: Values of the parameters: arrays for pointers, `Boxes` for descriptors.
        grid: CTAs, one number or up to three.
        more: Other functions.
        num_warps: Warps of the kernel.
        head: Aliases of attributes.
        layouts_are_final: As for `load`.
        options: As in `Options`.
    """
    memory = GlobalMemory()
    names = re.findall(r"%(\w+):", params)
    values = [_value(memory, n, a) for n, a in zip(names, args, strict=True)]
    extents = (grid,) if isinstance(grid, int) else tuple(grid)
    options.setdefault("max_steps", 100_000)
    return execute(
        program(params, body, more, num_warps, head, layouts_are_final),
        (*extents, 1, 1)[:3],
        values,
        memory,
        Options(**options),
    )


def run_everywhere(params, body, make_args, check, seeds=(0, 1), **options):
    """Runs a kernel under each schedule.

    Args:
        params: Its parameters.
        body: Its operations.
        make_args: Returns fresh arguments.
        check: Is called with the arguments after each run.
        seeds: Seeds for each schedule.
        options: As for `run`.
    """
    for schedule in SCHEDULES:
        for seed in seeds:
            args = make_args()
            run(params, body, *args, schedule=schedule, seed=seed, **options)
            check(*args)


def _value(memory, name, arg):
    if isinstance(arg, Boxes):
        x = arg.array
        strides = tuple(s // x.itemsize for s in x.strides)
        whole = x if x.flags.c_contiguous else x.base
        address = memory.map(name, whole) + x.ctypes.data - whole.ctypes.data
        return TensorDescriptor(
            address, x.shape, strides, arg.block, x.dtype, arg.nan_fill
        )
    if isinstance(arg, np.ndarray):
        return memory.map(name, arg)
    return arg


def barriers(name, num=1, count=1, warp=""):
    """Returns operations that make barriers `%name0`, `%name1`, and so on.

    Args:
        name: Name of the array.
        num: Number of barriers.
        count: Arrivals of a phase.
        warp: `, warp` for warp barriers.
    """
    array = f"!tlx.barrier<[{num}], count = {count}{warp}>"
    lines = [f"%{name} = tlx.alloc_barriers : {array}"]
    for i in range(num):
        lines += [
            f"%{name}_at{i} = arith.constant {i} : i32",
            f"%{name}{i} = tlx.barrier_view %{name}[%{name}_at{i}] : {array} -> "
            f"!tlx.barrier<count = {count}{warp}>",
        ]
    return "\n".join(lines) + "\n"


def ring(name, shape, num=1):
    """Returns operations that make buffers `%name0`, `%name1`, and so on.

    Args:
        name: Name of the ring.
        shape: Shape and element of a buffer, like `8x16xf32`.
        num: Number of buffers.
    """
    whole = f"!tlx.buffer<[{num}] {shape}, smem>"
    lines = [f"%{name} = tlx.local_alloc : {whole}"]
    for i in range(num):
        lines += [
            f"%{name}_at{i} = arith.constant {i} : i32",
            f"%{name}{i} = tlx.local_view %{name}[%{name}_at{i}] : {whole} -> "
            f"{buffer(shape)}",
        ]
    return "\n".join(lines) + "\n"


def buffer(shape):
    """Returns the type of a buffer in shared memory."""
    return f"!tlx.buffer<{shape}, smem>"


def wait(barrier, parity, count=1, warp=""):
    """Returns a wait for a parity, which is the name of a value."""
    return (
        f"tlx.barrier_wait {barrier}, {parity} : !tlx.barrier<count = {count}{warp}>\n"
    )


def arrive(barrier, times=1, count=1, warp=""):
    """Returns an arrival."""
    return (
        f"tlx.barrier_arrive {barrier}, {times} : !tlx.barrier<count = {count}{warp}>\n"
    )


def expect(barrier, size, count=1):
    """Returns an arrival that expects bytes."""
    return (
        f"tlx.barrier_expect_bytes {barrier}, {size} : !tlx.barrier<count = {count}>\n"
    )


def tasks(default, *others, warps=4):
    """Returns a fork of a default task and others of `warps` warps."""
    workers = "".join(
        f"tlx.async_task num_warps = {warps} {{\n{body}\n}}\n" for body in others
    )
    return (
        f"tlx.async_tasks {{\ntlx.async_task default {{\n{default}\n}}\n{workers}}}\n"
    )
