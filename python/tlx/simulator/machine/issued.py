# SPDX-License-Identifier: MIT
"""What an agent has handed to engines and may wait for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from tlx.simulator.machine.waiting import Waitable

if TYPE_CHECKING:
    from tlx.simulator.machine.engine import Transfer


Issued = TypeVar("Issued")


def due(issued: Sequence[Issued], pendings: int) -> Sequence[Issued]:
    """Returns what a wait waits for: all but the last `pendings`, oldest first."""
    return issued[: max(len(issued) - pendings, 0)]


class Engines(Waitable):
    """The operations of engines that an agent has issued, by what waits for them.

    Attributes:
        open_copies: `cp.async` copies that no group has yet.
        copy_groups: Committed groups, oldest first.
        stores: TMA and bulk stores, oldest first; each is a group.
        products: Products, oldest first; each is a group.
    """

    __slots__ = ("copy_groups", "open_copies", "products", "stores")

    def __init__(self) -> None:
        super().__init__()
        self.open_copies: list[Transfer] = []
        self.copy_groups: list[list[Transfer]] = []
        self.stores: list[Transfer] = []
        self.products: list[Transfer] = []

    def missing(self) -> str:
        """What its waiters need."""
        return "an engine"
