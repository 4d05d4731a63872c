# SPDX-License-Identifier: MIT
"""A program as the simulator reads it: operations, blocks, regions.

Values are numbered per function; a frame of a running function is a list with one place
per value.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from tlx.errors import SourceLocation
from tlx.simulator.ir.types import Tensor, Type


@dataclasses.dataclass(slots=True, eq=False)
class Block:
    """Operations in order.

    Attributes:
        args: Numbers of the block's arguments.
    """

    args: tuple[int, ...]
    ops: list[Op]


@dataclasses.dataclass(slots=True, eq=False)
class Region:
    """Blocks; control enters at the first."""

    blocks: list[Block]

    @property
    def entry(self) -> Block:
        """The first block."""
        return self.blocks[0]

    def walk(self) -> Iterator[Op]:
        """Yields all operations, outer first."""
        for block in self.blocks:
            for op in block.ops:
                yield from op.walk()


@dataclasses.dataclass(slots=True, eq=False)
class Op:
    """One operation.

    Attributes:
        name: MLIR's name, like `arith.addi`.
        operands: Numbers of the values it reads.
        results: Numbers of the values it makes.
        operand_types: Types of the operands.
        result_types: Types of the results.
        attrs: Attributes as Python values: integers (also for enumerations), floats,
            strings, booleans, lists; True for a unit attribute; NumPy arrays or
            scalars for constants; text for all others.
        regions: Nested regions.
        successors: Blocks it may branch to, as places in the enclosing region.
        loc: The user's line.
        name_hint: Name of the result in the user's source, if known.
        captures: How many of the last operands are values from outside that the regions
            of a reduction, scan or map read. Other operations with regions reach such
            values by number and have 0.
        callee: The function that a `tt.call` calls.
    """

    name: str
    operands: tuple[int, ...]
    results: tuple[int, ...]
    operand_types: tuple[Type, ...]
    result_types: tuple[Type, ...]
    attrs: dict[str, Any]
    regions: tuple[Region, ...]
    successors: tuple[int, ...]
    loc: SourceLocation | None
    name_hint: str | None = None
    captures: int = 0
    callee: Function | None = None

    @property
    def is_elementwise_on_arrays(self) -> bool:
        """Tells whether it works on arrays and not on Python's scalars."""
        return any(
            isinstance(t, Tensor) for t in (*self.operand_types, *self.result_types)
        )

    def segments(self) -> list[range]:
        """Returns the places of each group of operands (`operandSegmentSizes`)."""
        groups, start = [], 0
        for size in self.attrs["operandSegmentSizes"]:
            groups.append(range(start, start + size))
            start += size
        return groups

    def walk(self) -> Iterator[Op]:
        """Yields the operation and all nested ones, outer first."""
        yield self
        for region in self.regions:
            yield from region.walk()


@dataclasses.dataclass(slots=True, eq=False)
class Function:
    """A function.

    Attributes:
        name: Symbol name.
        params: Types of the parameters.
        body: Its region.
        num_values: Places a frame needs.
    """

    name: str
    params: tuple[Type, ...]
    body: Region
    num_values: int


@dataclasses.dataclass(slots=True, eq=False)
class Program:
    """A module with one kernel.

    Attributes:
        functions: All functions by name.
        kernel: Name of the public one.
        num_warps: Warps of the kernel outside of its tasks.
        num_ctas: CTAs of a cluster as Triton counts them.
        target: Architecture as in `cuda:90`.
        cluster: CTAs of a cluster per dimension.
    """

    functions: dict[str, Function]
    kernel: str
    num_warps: int
    num_ctas: int
    target: str
    cluster: tuple[int, int, int] = (1, 1, 1)
