# SPDX-License-Identifier: MIT
"""Where a program is in its grid, and what it tells the user."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from tlx.simulator.code.registry import Meaning, Threads, effect, of_scalars
from tlx.simulator.findings.asserts import AssertionFailed
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.per_thread import PerThread
from tlx.simulator.semantics.threads import thread_ids
from tlx.simulator.semantics.values import element


@effect("tt.get_program_id", visible=False, threads=Threads.EACH)
def _get_program_id(op: Op) -> Meaning:
    axis = op.attrs["axis"]
    return lambda agent: agent.cta.index[axis]


@effect("tt.get_num_programs", visible=False, threads=Threads.EACH)
def _get_num_programs(op: Op) -> Meaning:
    axis = op.attrs["axis"]
    return lambda agent: agent.machine.grid[axis]


@effect("tlx.thread_id", visible=False, threads=Threads.EACH)
def _thread_id(op: Op) -> Meaning:
    """CTAs have one dimension."""
    return thread_ids if op.attrs["axis"] == 0 else lambda agent: 0


@effect(
    "tlx.clock64", "nvvm.read.ptx.sreg.clock64", visible=False, threads=Threads.EACH
)
def _clock64(op: Op) -> Meaning:
    """Cycle of the cost model."""
    return lambda agent: agent.now


def _shows(dtype: np.dtype[Any], signed: bool, is_hex: bool) -> Any:
    """Returns how NumPy shows the elements of a printed value; None for its own way."""
    bits = dtype.itemsize * 8
    mask = (1 << bits) - 1

    def in_hex(x: Any) -> str:
        word = int(x) if dtype.kind in "ib" else int.from_bytes(x.tobytes(), "little")
        return f"0x{word & mask:0{bits // 4}x}"

    if is_hex:
        return {"all": in_hex}
    if dtype.kind == "i" and not signed:
        return {"int": lambda x: str(int(x) & mask)}
    return None


@effect("tt.print", visible=False, threads=of_scalars(Threads.LANES))
def _device_print(op: Op) -> Meaning:
    """Prints one line per operand: program, prefix, value.

    If the value differs by thread, there is a line for each thread.

    Integers that are not flagged as signed are shown as unsigned.
    """
    prefix = op.attrs.get("prefix", "")
    signed = op.attrs.get("isSigned") or [1] * len(op.operands)
    is_hex = bool(op.attrs.get("hex", False))
    dtypes = [element(type).dtype for type in op.operand_types]
    shows = [_shows(d, bool(s), is_hex) for d, s in zip(dtypes, signed, strict=True)]

    def show_threads(
        agent: Agent, value: PerThread, dtype: np.dtype[Any], show: Any
    ) -> None:
        x, y, z = agent.cta.index
        assert agent.active is not None
        for thread in np.flatnonzero(agent.active).tolist():
            array = np.asarray(value.of(thread), dtype)
            shown = np.array2string(array, formatter=show)
            number = agent.first_thread + thread
            print(f"pid ({x}, {y}, {z}) thread {number}{prefix}{shown}")

    def run(agent: Agent, *values: Any) -> None:
        x, y, z = agent.cta.index
        if not values:
            print(f"pid ({x}, {y}, {z}){prefix}", file=sys.stdout)
        for value, dtype, show in zip(values, dtypes, shows, strict=True):
            if type(value) is PerThread:
                show_threads(agent, value, dtype, show)
                continue
            array = np.asarray(value, dtype)
            shown = np.array2string(array, threshold=64, formatter=show)
            print(f"pid ({x}, {y}, {z}){prefix}{shown}", file=sys.stdout)

    return run


@effect("tt.assert", visible=False, threads=of_scalars(Threads.EACH))
def _device_assert(op: Op) -> Meaning:
    message = op.attrs.get("message", "")

    def run(agent: Agent, condition: Any) -> None:
        if not np.all(condition):
            raise AssertionFailed(f"device_assert failed: {message}", location=op.loc)

    return run


@effect("llvm.intr.assume", visible=False, threads=Threads.EACH)
def _assume(op: Op) -> Meaning:
    """The compiler relies on the condition; that it does not hold is a fault."""

    def run(agent: Agent, condition: Any, *bundles: Any) -> None:
        if not condition:
            raise AssertionFailed("what 'assume' states does not hold", location=op.loc)

    return run


@effect(
    "tt.grid_dependency_wait", "tt.grid_dependency_launch_dependents", visible=False
)
def _grid_dependency(op: Op) -> Meaning:
    """Launches run one after the other here."""
    return lambda agent: None
