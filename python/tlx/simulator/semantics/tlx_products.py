# SPDX-License-Identifier: MIT
"""Matrix products of the TLX dialect."""

from __future__ import annotations

from typing import Any

from tlx.simulator.code.registry import Meaning, effect
from tlx.simulator.ir.program import Op
from tlx.simulator.machine.agent import Agent
from tlx.simulator.semantics.alignment import operands
from tlx.simulator.semantics.products import start_product, wait_products


@effect("tlx.async_dot")
def _async_dot(op: Op) -> Meaning:
    precision = op.attrs.get("input_precision", 0)
    check = operands(op)

    def run(agent: Agent, a: Any, b: Any, c: Any, use_acc: int = 1) -> Any:
        check(a, b)
        return start_product(
            agent, op, a, b, c, use_acc=bool(use_acc), precision=precision
        )

    return run


@effect("tlx.async_dot_wait")
def _async_dot_wait(op: Op) -> Meaning:
    pendings = op.attrs["pendings"]
    return lambda agent, *values: wait_products(agent, pendings, values)
