# SPDX-License-Identifier: MIT
"""Matrix products of a warp group, for both levels."""

from __future__ import annotations

from typing import Any

import numpy as np

from tlx.simulator.code import cost
from tlx.simulator.code.registry import BLOCKED
from tlx.simulator.findings.products import AccumulatorRead
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.access import Access
from tlx.simulator.machine.agent import Agent
from tlx.simulator.machine.engine import Transfer
from tlx.simulator.machine.issued import due
from tlx.simulator.machine.memory import View
from tlx.simulator.machine.product import PendingTensor
from tlx.simulator.machine.races import Region
from tlx.simulator.semantics.matmul import multiply

Array = np.ndarray[Any, Any]


def _operand(agent: Agent, op: Op, value: Any, accesses: list[Access]) -> Any:
    """Records the read of an operand in shared memory."""
    if isinstance(value, View):
        accesses.append(
            agent.touch(
                Region.of_view(value),
                op,
                is_write=False,
                is_async_proxy=True,
                is_asynchronous=True,
            )
        )
    elif isinstance(value, PendingTensor):
        if not value.is_waited_for:
            raise AccumulatorRead.at(value.op, op)
        return value.value
    return value


def start_product(
    agent: Agent, op: Op, a: Any, b: Any, c: Any, *, use_acc: bool, precision: int
) -> PendingTensor:
    """Starts `a * b + c`, or `a * b`."""
    accesses: list[Access] = []
    left = _operand(agent, op, a, accesses)
    right = _operand(agent, op, b, accesses)
    result = PendingTensor(op)
    dtype = op.result_types[0].dtype  # type: ignore[union-attr]

    def run() -> None:
        x = left.array() if isinstance(left, View) else left
        y = right.array() if isinstance(right, View) else right
        acc = c.value if isinstance(c, PendingTensor) else c
        result.value = multiply(x, y, acc if use_acc else None, dtype, precision)

    m, k = left.shape
    n = right.shape[1]
    cycles = cost.of_product(m, n, k, left.dtype.itemsize)
    transfer = Transfer(agent, op, "wgmma", [run], accesses, cycles)
    transfer.latency = cost.MMA_LATENCY
    transfer.result = result
    products = agent.engines.products
    agent.start(transfer, after=products[-1:])
    products.append(transfer)
    return result


def wait_products(agent: Agent, pendings: int, values: tuple[Any, ...]) -> Any:
    """Waits until at most `pendings` products run; returns the values."""
    products = agent.engines.products
    needed = due(products, pendings)
    agent.machine.touched_all(needed, "read")
    if not all(transfer.is_done for transfer in needed):
        agent.engines.block(agent, "its matrix products")
        return BLOCKED
    for transfer in needed:
        for access in transfer.accesses:
            agent.observe(access)
        if transfer.result is not None:
            transfer.result.is_waited_for = True
        agent.wait_until(transfer.time, transfer)
    del products[: len(needed)]
    resolved = tuple(
        v.value if isinstance(v, PendingTensor) and v.is_waited_for else v
        for v in values
    )
    return resolved[0] if len(resolved) == 1 else resolved
