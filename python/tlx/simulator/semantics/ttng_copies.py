# SPDX-License-Identifier: MIT
"""TMA copies and matrix products of Triton's `ttng` dialect."""

from __future__ import annotations

from typing import Any

from tlx.errors import UnsupportedError
from tlx.simulator.code.registry import BLOCKED, Meaning, Role, effect
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.agent import Agent
from tlx.simulator.semantics import alignment, copies
from tlx.simulator.semantics.products import start_product, wait_products
from tlx.simulator.semantics.tt_descriptors import combine_of
from tlx.simulator.semantics.ttng_barriers import find


@effect("ttng.async_tma_copy_global_to_local", role=Role.SENDS)
def _async_tma_copy_global_to_local(op: Op) -> Meaning:
    _, coord, offsets, barrier, result, pred = op.segments()
    if offsets or op.attrs.get("multicast"):
        raise UnsupportedError(
            "the simulator cannot run TMA copies with offsets or multicast",
            location=op.loc,
        )
    check = alignment.tile(op, op.operand_types[result[0]], copies.TARGET)

    def run(agent: Agent, *operands: Any) -> None:
        if operands[pred[0]]:
            check(operands[result[0]])
            copies.load_box(
                agent,
                op,
                operands[0],
                [operands[i] for i in coord],
                operands[result[0]],
                find(agent, op, operands[barrier[0]]),
            )

    return run


@effect("ttng.async_tma_copy_local_to_global")
def _async_tma_copy_local_to_global(op: Op) -> Meaning:
    check = alignment.tile(op, op.operand_types[-1], copies.SOURCE)

    def run(agent: Agent, desc: Any, *operands: Any) -> None:
        *coords, source = operands
        check(source)
        copies.store_box(agent, op, desc, coords, source, None)

    return run


@effect("ttng.async_tma_reduce")
def _async_tma_reduce(op: Op) -> Meaning:
    combine = combine_of(op, op.attrs["kind"])
    check = alignment.tile(op, op.operand_types[-1], copies.SOURCE)

    def run(agent: Agent, desc: Any, *operands: Any) -> None:
        *coords, source = operands
        check(source)
        copies.store_box(agent, op, desc, coords, source, combine)

    return run


@effect("ttng.async_tma_store_wait")
def _async_tma_store_wait(op: Op) -> Meaning:
    pendings = op.attrs["pendings"]
    read_only = bool(op.attrs.get("read_only", False))
    return lambda agent: copies.wait_stores(agent, pendings, read_only=read_only)


@effect("ttng.warp_group_dot")
def _warp_group_dot(op: Op) -> Meaning:
    """Starts a product; one that is not asynchronous is waited for at once."""
    precision = op.attrs.get("inputPrecision", 2)
    is_async = bool(op.attrs.get("isAsync", False))
    check = alignment.operands(op)

    def run(agent: Agent, a: Any, b: Any, c: Any, use_acc: int = 1) -> Any:
        if agent.state is None:
            check(a, b)
            agent.state = start_product(
                agent, op, a, b, c, use_acc=bool(use_acc), precision=precision
            )
        product = agent.state
        if is_async:
            agent.state = None
            return product
        result = wait_products(agent, 0, (product,))
        if result is not BLOCKED:
            agent.state = None
        return result

    return run


@effect("ttng.warp_group_dot_wait")
def _warp_group_dot_wait(op: Op) -> Meaning:
    pendings = op.attrs["pendings"]
    return lambda agent, *values: wait_products(agent, pendings, values)
