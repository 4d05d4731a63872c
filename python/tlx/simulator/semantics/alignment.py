# SPDX-License-Identifier: MIT
"""Where in shared memory an engine takes a view to begin.

A view is row-major here, and a tile of TMA and `wgmma` is not: columns as wide as the
swizzle lie one after the other, each row after row. Eight of these rows are swizzled
together, by bits of their address, so that whoever looks at a tile has to find it where
such a pattern begins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tlx.simulator.findings.memory import Misaligned
from tlx.simulator.ir.program import Op
from tlx.simulator.ir.types import Buffer, SharedLayout, Type
from tlx.simulator.machine.memory import View

TMA_BYTES = 128
"""PTX ISA, `cp.async.bulk.tensor`, address in shared memory."""

BULK_BYTES = 16
"""PTX ISA, `cp.async.bulk`, addresses and size."""

WORD_BYTES = 4
"""PTX ISA, `cp.async`: the least that one copies, at a multiple of its size."""

OPERAND_BYTES = 16
"""PTX ISA, matrix descriptor of `wgmma`: addresses have no lower bits."""

BARRIER_BYTES = 8
"""PTX ISA, mbarrier object."""

PATTERN_ROWS = 8
"""PTX ISA, swizzling modes: rows of a pattern."""

Check = Callable[[View], None]


def _widest_swizzle(buffer: Buffer) -> int:
    """Returns the swizzle that the compiler gives to a tile of this shape."""
    if len(buffer.shape) < 2:
        return 0
    rows = 1
    for extent in buffer.shape[:-1]:
        rows *= extent
    if rows < PATTERN_ROWS:
        return 0
    row = buffer.shape[-1] * buffer.element.dtype.itemsize
    return next((width for width in (128, 64, 32) if row >= width), 0)


def _start(view: View, layout: SharedLayout) -> tuple[int, int]:
    """Returns the bytes before the first row of a view, and those before it in the row.

    The first number leaves out columns to the left, which are whole patterns.
    """
    if not layout.swizzle or len(view.strides) < 2 or not max(view.strides[-2:]):
        return view.offset, 0
    outer, inner = divmod(view.offset, max(view.strides[-2:]))
    is_turned = view.strides[-1] > view.strides[-2]
    itemsize = view.dtype.itemsize
    if is_turned != layout.transposed:
        outer, inner = inner // itemsize, outer * itemsize
    return outer * layout.swizzle, inner % layout.swizzle


def _check(op: Op, use: str, view: View, start: int, unit: int) -> None:
    """Checks that a byte of a memory is at a multiple of `unit`.

    Raises:
        Misaligned: It is not, or need not be.
    """
    memory = view.memory
    if start % unit or memory.alignment % unit:
        raise Misaligned.of_view(view, use, unit, op)


def tile(op: Op, type: Type, use: str) -> Check:
    """Returns the check of a tile that TMA copies.

    Args:
        op: The copy.
        type: Of the buffer that it copies.
        use: What the buffer is, for findings.
    """
    assert isinstance(type, Buffer)
    layout = type.layout or SharedLayout(_widest_swizzle(type))
    unit = max(TMA_BYTES, PATTERN_ROWS * layout.swizzle)

    def check(view: View) -> None:
        rows, column = _start(view, layout)
        _check(op, use, view, rows + column, unit)

    return check


def _operand(op: Op, number: int, type: Buffer) -> Check:
    # Other than 16-bit elements are read along the dimension that is summed up.
    is_turned = number == 1 and type.element.dtype.itemsize != 2
    layout = type.layout or SharedLayout(_widest_swizzle(type), transposed=is_turned)
    use = f"operand '{'ab'[number]}' of a product"
    pattern = max(OPERAND_BYTES, PATTERN_ROWS * layout.swizzle)

    def check(view: View) -> None:
        rows, column = _start(view, layout)
        _check(op, use, view, rows, pattern)
        _check(op, use, view, column, OPERAND_BYTES)

    return check


def operands(op: Op) -> Callable[[Any, Any], None]:
    """Returns the check of those operands of a product that are in shared memory.

    An operand may begin inside of a row: the hardware adds such an offset to the
    address before it swizzles.
    """
    types = enumerate(op.operand_types[:2])
    checks = [
        (number, _operand(op, number, type))
        for number, type in types
        if isinstance(type, Buffer)
    ]

    def check(*values: Any) -> None:
        for number, one in checks:
            one(values[number])

    return check


def contiguous(op: Op, view: View, use: str, unit: int) -> None:
    """Checks the first byte of what lies in memory as it is here."""
    _check(op, use, view, view.offset, unit)
