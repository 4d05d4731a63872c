# SPDX-License-Identifier: MIT
"""Asynchronous copies of the TLX dialect."""

from __future__ import annotations

from typing import Any

import numpy as np

from tlx.simulator.code.registry import Meaning, Role, Threads, effect
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.agent import Agent
from tlx.simulator.semantics import alignment, copies, tensor_maps
from tlx.simulator.semantics.tt_descriptors import combine_of


def _pick(operands: tuple[Any, ...], group: range) -> list[Any]:
    return [operands[i] for i in group]


def _optional(operands: tuple[Any, ...], group: range, default: Any = None) -> Any:
    return operands[group[0]] if group else default


@effect("tlx.async_descriptor_load", role=Role.SENDS)
def _async_descriptor_load(op: Op) -> Meaning:
    desc, coord, result, barrier, pred = op.segments()
    check = alignment.tile(op, op.operand_types[result[0]], copies.TARGET)

    def run(agent: Agent, *operands: Any) -> None:
        if _optional(operands, pred, 1):
            check(operands[result[0]])
            copies.load_box(
                agent,
                op,
                operands[desc[0]],
                _pick(operands, coord),
                operands[result[0]],
                operands[barrier[0]],
            )

    return run


@effect("tlx.async_descriptor_store")
def _async_descriptor_store(op: Op) -> Meaning:
    kind = op.attrs.get("reduce")
    combine = None if kind is None else combine_of(op, kind)
    check = alignment.tile(op, op.operand_types[-1], copies.SOURCE)

    def run(agent: Agent, desc: Any, *operands: Any) -> None:
        *coords, source = operands
        check(source)
        copies.store_box(agent, op, desc, coords, source, combine)

    return run


@effect("tlx.async_descriptor_store_wait")
def _async_descriptor_store_wait(op: Op) -> Meaning:
    pendings = op.attrs["pendings"]
    return lambda agent: copies.wait_stores(agent, pendings)


@effect("tlx.async_descriptor_prefetch", visible=False, threads=Threads.EACH)
def _async_descriptor_prefetch(op: Op) -> Meaning:
    """Caches are not modelled, but the descriptor is read."""
    _, _, pred = op.segments()

    def run(agent: Agent, *operands: Any) -> None:
        if _optional(operands, pred, 1):
            tensor_maps.read(agent, op, operands[0])

    return run


@effect("tlx.async_load", "ttg.async_copy_global_to_local")
def _async_load(op: Op) -> Meaning:
    src, result, mask, other = op.segments()

    def run(agent: Agent, *operands: Any) -> object:
        copies.copy_elements(
            agent,
            op,
            operands[src[0]],
            operands[result[0]],
            _optional(operands, mask),
            _optional(operands, other),
        )
        return None

    return run


@effect("tlx.async_load_commit_group", "ttg.async_commit_group", visible=False)
def _async_load_commit_group(op: Op) -> Meaning:
    return lambda agent, *tokens: copies.commit_copies(agent)


@effect("tlx.async_load_wait_group", "ttg.async_wait")
def _async_load_wait_group(op: Op) -> Meaning:
    pendings = op.attrs["pendings" if op.name.startswith("tlx.") else "num"]
    return lambda agent, *tokens: copies.wait_copies(agent, pendings)


def _address(pointer: Any) -> int:
    """Returns a pointer, or the first one of a tensor of pointers."""
    return int(np.asarray(pointer).reshape(-1)[0])


@effect("tlx.async_bulk_load", role=Role.SENDS)
def _async_bulk_load(op: Op) -> Meaning:
    def run(
        agent: Agent, src: Any, view: Any, size: int, barrier: Any, pred: int = 1
    ) -> None:
        if pred:
            copies.copy_bytes_in(agent, op, _address(src), view, size, barrier)

    return run


@effect("tlx.async_bulk_store")
def _async_bulk_store(op: Op) -> Meaning:
    def run(agent: Agent, view: Any, dest: Any, size: int) -> None:
        copies.copy_bytes_out(agent, op, view, _address(dest), size)

    return run
