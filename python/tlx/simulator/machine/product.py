# SPDX-License-Identifier: MIT
"""Matrix products in flight."""

from __future__ import annotations

from typing import Any

import numpy as np

from tlx.simulator.ir.program import Op


class PendingTensor:
    """The accumulator of a product.

    Attributes:
        op: The product.
        value: Its result, once the tensor core has done it.
        is_waited_for: A wait has said that it is complete.
    """

    __slots__ = ("is_waited_for", "op", "value")

    def __init__(self, op: Op) -> None:
        self.op = op
        self.value: np.ndarray[Any, Any] | None = None
        self.is_waited_for = False
