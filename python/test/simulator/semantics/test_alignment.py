# SPDX-License-Identifier: MIT
"""Where views begin in shared memory, as layouts lay them out."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import Boxes, run

from tlx.simulator.findings.memory import Misaligned
from tlx.simulator.ir.types import SharedLayout, parse
from tlx.simulator.machine.memory import Memory, View
from tlx.simulator.semantics.alignment import operands, tile

F16 = np.dtype(np.float16)


@dataclasses.dataclass
class Use:
    """As much of an operation as a check looks at."""

    operand_types: tuple[Any, ...] = ()
    loc: None = None


def nvmma(shape, swizzle, transposed=False, bits=16):
    return parse(
        f"!ttg.memdesc<{shape}, #ttg.nvmma_shared<{{swizzlingByteWidth = {swizzle}, "
        f"transposed = {str(transposed).lower()}, elementBitWidth = {bits}}}>, "
        "#ttg.shared_memory, mutable>"
    )


def buffer(*shape, alignment=1024, dtype=F16):
    size = int(np.prod(shape)) * dtype.itemsize
    memory = Memory("x", np.zeros(size, np.uint8), alignment=alignment)
    return View.whole(memory, shape, dtype)


def is_fine(check, *views):
    try:
        check(*views)
    except Misaligned:
        return False
    return True


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("#ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, "
         "elementBitWidth = 16, rank = 1}>", SharedLayout(0, False, 128)),
        ("#ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = true, "
         "elementBitWidth = 8}>", SharedLayout(32, True, 256)),
        ("#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, "
         "elementBitWidth = 16}>", SharedLayout(128, False, 1024)),
        ("#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>",
         SharedLayout(0, False, 16)),
        ("#ttg.shared_linear<{offset = [[1], [2]]}, alignment = 512>",
         SharedLayout(0, False, 512)),
    ],
)  # fmt: skip
def test_layouts(text, layout):
    memdesc = parse(f"!ttg.memdesc<8x8xf16, {text}, #ttg.shared_memory, mutable>")
    assert memdesc.layout == layout
    assert parse(f"!tlx.buffer<[2] 8x8xf16, smem, {text}>").layout == layout
    assert parse("!tlx.buffer<[2] 8x8xf16, smem>").layout is None


@given(
    swizzle=st.sampled_from([0, 32, 64, 128]),
    rows=st.sampled_from([16, 32]),
    slot=st.integers(0, 2),
    turned=st.booleans(),
    data=st.data(),
)
def test_tiles_begin_where_patterns_do(swizzle, rows, slot, turned, data):
    """Against the address of each element: column blocks, row by row."""
    columns = 128
    row = data.draw(st.integers(0, rows - 1))
    column = data.draw(st.sampled_from([0, 8, 16, 32, 64, 96]))
    view = buffer(3, rows, columns).select(slot)
    view = view.slice((row, column), (1, 1))
    if turned:
        view = view.transpose((1, 0))
    width = swizzle or columns * 2
    block, rest = divmod(column * 2, width)
    address = slot * rows * columns * 2 + block * rows * width + row * width + rest
    type_ = nvmma(f"{rows}x{columns}xf16", swizzle, transposed=turned)
    unit = max(128, 8 * swizzle)
    assert is_fine(tile(Use(), type_, "tile"), view) == (address % unit == 0)


@pytest.mark.parametrize(("swizzle", "needed"), [(0, 128), (32, 256), (128, 1024)])
def test_allocations_are_aligned_for_tiles(swizzle, needed):
    check = tile(Use(), nvmma("64x64xf16", swizzle), "a tile")
    check(buffer(64, 64, alignment=needed))
    with pytest.raises(Misaligned) as caught:
        check(buffer(64, 64, alignment=needed // 2))
    assert caught.value.message == (
        f"expects 'x', a tile, to begin at a multiple of {needed} bytes in shared "
        "memory, but got byte 0 of 'x', which may begin at any multiple of "
        f"{needed // 2}"
    )


def test_layouts_that_are_not_decided():
    """The compiler takes the widest swizzle that the rows have room for."""
    whole = buffer(64, 64)
    for width, row, fine in ((64, 8, True), (64, 4, False), (16, 4, False)):
        type_ = parse(f"!tlx.buffer<8x{width}xf16, smem>")
        view = whole.slice((row, 0), (8, width))
        assert is_fine(tile(Use(), type_, "a tile"), view) == fine
    few = parse("!tlx.buffer<1x64xf16, smem>")
    tile(Use(), few, "a tile")(whole.slice((3, 0), (1, 64)))


def product(a, b):
    return operands(Use((a, b, parse("tensor<64x64xf32>"))))


def test_operands_may_begin_inside_of_a_row():
    type_ = nvmma("64x64xf16", 128)
    whole, check = buffer(64, 64), product(type_, type_)
    check(whole, whole.slice((8, 16), (16, 8)))
    for at in ((4, 0), (1, 16), (0, 4)):
        with pytest.raises(Misaligned, match="operand 'b' of a product"):
            check(whole, whole.slice(at, (16, 8)))
        with pytest.raises(Misaligned, match="operand 'a' of a product"):
            check(whole.slice(at, (16, 8)), whole)


def test_operands_in_registers_have_no_address():
    tensor = parse("tensor<64x64xf16>")
    product(tensor, nvmma("64x64xf16", 128))(np.zeros((64, 64)), buffer(64, 64))


def test_8_bit_operands_are_read_along_the_sum():
    """So the columns of 'b' are the rows of its patterns."""
    plain = parse("!tlx.buffer<64x128xf8E5M2, smem>")
    whole = buffer(64, 128, dtype=np.dtype(np.int8))
    check = product(plain, plain)
    check(whole, whole.slice((16, 8), (32, 8)))
    assert not is_fine(check, whole, whole.slice((0, 4), (32, 8)))
    assert not is_fine(check, whole.slice((0, 8), (64, 32)), whole)


HEAD = """
#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
"""


@pytest.mark.parametrize(("at", "fine"), [(2, True), (1, False)])
def test_barriers(at, fine):
    whole, half = "!ttg.memdesc<8xi32, #line, #smem, mutable>", "4xi32"
    view = f"!ttg.memdesc<{half}, #line, #smem, mutable, 8>"
    word = "!ttg.memdesc<1xi64, #line, #smem, mutable>"
    body = f"""
    %0 = ttg.local_alloc : () -> {whole}
    %1 = ttg.memdesc_subslice %0[{at}] : {whole} -> {view}
    %2 = ttg.memdesc_reinterpret %1 : {view} -> {word}
    ttng.init_barrier %2, 1 : {word}
    """
    if fine:
        run("", body, head=HEAD)
        return
    with pytest.raises(Misaligned, match="an mbarrier, to begin at a multiple of 8"):
        run("", body, head=HEAD)


def test_alignment_of_an_allocation():
    """An attribute of its own counts more than the layout's."""
    tma = (
        "#tma = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, "
        "elementBitWidth = 32, rank = 1}>\n"
    )
    plain = "!ttg.memdesc<64xi32, #line, #smem, mutable>"
    view = "!ttg.memdesc<64xi32, #tma, #smem, mutable>"
    desc = "!tt.tensordesc<64xi32>"
    body = f"""
    %zero = arith.constant 0 : i32
    %0 = ttg.local_alloc {{alignment = 128 : i32}} : () -> {plain}
    %1 = ttg.memdesc_reinterpret %0 : {plain} -> {view}
    ttng.async_tma_copy_local_to_global %desc[%zero] %1 : {desc}, {view}
    ttng.async_tma_store_wait {{pendings = 0 : i32}}
    """
    out = np.zeros(64, np.int32)
    run(f"%desc: {desc}", body, Boxes(out, 64), head=HEAD + tma, races=False)
    bare = body.replace(" {alignment = 128 : i32}", "")
    with pytest.raises(Misaligned, match="which may begin at any multiple of 16"):
        run(f"%desc: {desc}", bare, Boxes(out, 64), head=HEAD + tma, races=False)
