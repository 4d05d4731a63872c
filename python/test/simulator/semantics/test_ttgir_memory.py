# SPDX-License-Identifier: MIT
"""Shared memory, barriers and descriptors as TTGIR has them."""

import numpy as np
import pytest
from running import Boxes, run

from tlx.errors import UnsupportedError
from tlx.simulator.findings.barriers import BarrierOverrun, NotABarrier
from tlx.simulator.findings.deadlock import Deadlock
from tlx.simulator.findings.memory import (
    Misaligned,
    MissingFence,
    OutOfRange,
    RaceError,
    UninitialisedRead,
)
from tlx.simulator.findings.resources import SharedMemoryExceeded
from tlx.simulator.schedules import SCHEDULES

HEAD = """
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8],
                         warpsPerCTA = [4, 1], order = [1, 0]}>
#row = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4],
                     order = [0]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#tma = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false,
                          elementBitWidth = 32}>
#smem = #ttg.shared_memory
"""
TILE = "!ttg.memdesc<4x8xi32, #plain, #smem, mutable>"
TENSOR = "tensor<4x8xi32, #blocked>"
BAR = "!ttg.memdesc<1xi64, #line, #smem, mutable>"
RING = "!ttg.memdesc<3x4x8xi32, #plain3, #smem, mutable>"
HEAD3 = HEAD + (
    "#plain3 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, "
    "order = [2, 1, 0]}>\n"
)


def simulate(body, *args, params="", **options):
    return run(params, body, *args, head=HEAD3, **options)


def same(value, expected):
    """Returns an assertion that a tensor has these values."""
    text = np.array2string(np.asarray(expected), separator=", ", threshold=1000)
    return (
        f"%e = arith.constant dense<{text}> : {TENSOR}\n"
        f"%ok = arith.cmpi eq, {value}, %e : {TENSOR}\n"
        'tt.assert %ok, "values" : tensor<4x8xi1, #blocked>\n'
    )


NUMBERS = np.arange(32).reshape(4, 8)


def constant(name, values):
    text = np.array2string(np.asarray(values), separator=", ", threshold=1000)
    return f"%{name} = arith.constant dense<{text}> : {TENSOR}\n"


FILLED = constant("x", NUMBERS) + f"%b = ttg.local_alloc %x : ({TENSOR}) -> {TILE}\n"
LOAD = f"%v = ttg.local_load %b : {TILE} -> {TENSOR}\n"


def test_alloc_with_contents():
    simulate(FILLED + LOAD + same("%v", NUMBERS))


def test_alloc_without_contents():
    body = f"%b = ttg.local_alloc : () -> {TILE}\n"
    with pytest.raises(UninitialisedRead):
        simulate(body + LOAD)
    store = constant("x", NUMBERS) + f"ttg.local_store %x, %b : {TENSOR} -> {TILE}\n"
    simulate(body + store + LOAD + same("%v", NUMBERS))


def test_alloc_in_a_loop_takes_the_same_bytes():
    big = "!ttg.memdesc<64x512xi32, #plain, #smem, mutable>"
    body = f"""
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %five = arith.constant 5 : i32
    %x = arith.constant dense<1> : tensor<64x512xi32, #blocked>
    scf.for %i = %zero to %five step %one : i32 {{
      %b = ttg.local_alloc : () -> {big}
      ttg.local_store %x, %b : tensor<64x512xi32, #blocked> -> {big}
      %v = ttg.local_load %b : {big} -> tensor<64x512xi32, #blocked>
    }}
    """
    simulate(body)
    first = "%first = arith.cmpi eq, %i, %zero : i32\nscf.if %first {\nttg.local_store"
    late = body.replace("ttg.local_store", first)
    late = late.replace(f"-> {big}\n      %v", f"-> {big}\n}}\n%v")
    with pytest.raises(UninitialisedRead):
        simulate(late)


def test_bytes_of_a_dead_buffer_do_not_count():
    big = "!ttg.memdesc<64x512xi32, #plain, #smem, mutable>"
    make = f"%{{}} = ttg.local_alloc : () -> {big}\n"
    two = make.format("a") + "DEAD\n" + make.format("b")
    simulate(two.replace("DEAD", f"ttg.local_dealloc %a : {big}"))
    with pytest.raises(SharedMemoryExceeded):
        simulate(two.replace("DEAD", ""))


def test_buffers_made_for_one_value_do_not_count():
    """Without a dealloc they live up to their last use, not to the end."""
    big = "!ttg.memdesc<64x512xi32, #plain, #smem>"
    value = "%x = arith.constant dense<1> : tensor<64x512xi32, #blocked>\n"
    make = f"%{{}} = ttg.local_alloc %x : (tensor<64x512xi32, #blocked>) -> {big}\n"
    simulate(value + make.format("a") + make.format("b"))


@pytest.mark.parametrize("slot", [0, 2, 3, -1])
def test_slots(slot):
    body = (
        constant("x", NUMBERS)
        + f"""
    %r = ttg.local_alloc : () -> {RING}
    %b = ttg.memdesc_index %r[%i] : {RING} -> {TILE}
    ttg.local_store %x, %b : {TENSOR} -> {TILE}
    """
    )
    if 0 <= slot < 3:
        simulate(body + LOAD + same("%v", NUMBERS), slot, params="%i: i32")
    else:
        with pytest.raises(OutOfRange, match=f"slot {slot} of 'buffer of line"):
            simulate(body, slot, params="%i: i32")


GATHER = f"""
%v = ttg.local_gather %b[%i] {{axis = 0 : i32}} : {TILE}, {TENSOR} -> {TENSOR}
"""
SCATTER = f"""
ttg.local_scatter %b[%i], %x {{{{axis = {{}} : i32}}}} : {TILE}, {TENSOR}, {TENSOR}
"""
ROWS = np.array([[3, 2, 1, 0, 3, 2, 1, 0]] * 4)


def test_gather():
    body = FILLED + constant("i", ROWS)
    body += GATHER
    simulate(body + same("%v", np.take_along_axis(NUMBERS, ROWS, 0)))


def test_gather_out_of_range():
    body = FILLED + constant("i", np.full((4, 8), 4))
    body += GATHER
    with pytest.raises(OutOfRange, match=r"index 4 of 'buffer of line .*axis 0 has 4"):
        simulate(body)
    simulate(body.replace("axis = 0", "axis = 1"))


def test_scatter():
    index = np.array([[7, 6, 5, 4, 3, 2, 1, 0]] * 4)
    body = f"%b = ttg.local_alloc : () -> {TILE}\n"
    body += constant("x", NUMBERS) + constant("i", index)
    body += SCATTER.format(1)
    simulate(body + LOAD + same("%v", NUMBERS[:, ::-1]))


def test_scatter_writes_only_what_it_writes():
    body = f"%b = ttg.local_alloc : () -> {TILE}\n"
    body += constant("x", NUMBERS) + constant("i", np.zeros((4, 8), int))
    body += SCATTER.format(0)
    get = GATHER
    simulate(body + get)
    with pytest.raises(UninitialisedRead):
        simulate(body + LOAD)


def test_atomic_updates_return_what_was_there():
    body = (
        FILLED
        + constant("i", np.zeros((4, 8), int))
        + f"""
    %old = ttg.local_atomic_scatter_rmw add, %b[%i], %x {{axis = 0 : i32}}
      : ({TILE}, {TENSOR}, {TENSOR}) -> {TENSOR}
    """
    )
    sums = NUMBERS.copy()
    olds = np.zeros_like(NUMBERS)
    for i in range(4):
        olds[i] = sums[0]
        sums[0] += NUMBERS[i]
    simulate(body + LOAD + same("%v", sums))
    simulate(body + same("%old", olds))


MAKE = f"""
%b = ttg.local_alloc : () -> {BAR}
ttng.init_barrier %b, 1 : {BAR}
"""
ARRIVE = f"ttng.arrive_barrier %b, 1 : {BAR}\n"
WAIT = f"ttng.wait_barrier %b, %p : {BAR}\n"


def barrier(body, parity=0):
    return simulate(body, parity, params="%p: i32")


def test_barrier():
    barrier(MAKE + ARRIVE + WAIT)
    barrier(MAKE + WAIT, 1)
    with pytest.raises(Deadlock):
        barrier(MAKE + WAIT)


def test_barrier_before_its_initialisation():
    with pytest.raises(NotABarrier, match="holds no barrier"):
        barrier(f"%b = ttg.local_alloc : () -> {BAR}\n" + ARRIVE)


def test_barrier_after_its_invalidation():
    inval = f"ttng.inval_barrier %b : {BAR}\n"
    with pytest.raises(NotABarrier, match="after its invalidation"):
        barrier(MAKE + inval + ARRIVE)
    again = f"ttng.init_barrier %b, 2 : {BAR}\n"
    barrier(MAKE + ARRIVE + inval + again + ARRIVE * 2 + WAIT)


def test_barrier_that_is_initialised_twice():
    again = f"ttng.init_barrier %b, 1 : {BAR}\n"
    with pytest.raises(NotABarrier, match="initialised twice"):
        barrier(MAKE + again)


OTHER = f"""
%c0 = arith.constant 0 : i32
%a = ttg.local_alloc : () -> {BAR}
ttng.init_barrier %a, 1 : {BAR}
%b = ttg.local_alloc : () -> {BAR}
"""
INIT = f"ttng.init_barrier %b, 1 : {BAR}\n"
INVAL = f"ttng.inval_barrier %b : {BAR}\n"
SIGNAL = f"ttng.arrive_barrier %a, 1 : {BAR}\n"
SEEN = f"ttng.wait_barrier %a, %c0 : {BAR}\n"
USE = f"ttng.arrive_barrier %b, 1 : {BAR}\n"


def partitions(default, worker, schedule):
    """Runs two tasks with a barrier %a, and a word %b that is none yet."""
    inner = worker.replace("%a", "%x").replace("%b", "%y").replace("%c0", "%z")
    simulate(
        OTHER
        + f"""
        ttg.warp_specialize(%a, %b, %c0)
        default {{
          {default}
          ttg.warp_yield
        }}
        partition0(%x: {BAR}, %y: {BAR}, %z: i32) num_warps(4) {{
          {inner}
          ttg.warp_return
        }} : ({BAR}, {BAR}, i32) -> ()
        """,
        schedule=schedule,
    )


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_use_without_order_after_the_initialisation(schedule):
    partitions(INIT + SIGNAL, SEEN + USE, schedule)
    with pytest.raises(NotABarrier):
        partitions(INIT, USE, schedule)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_use_without_order_before_the_invalidation(schedule):
    start = INIT + USE
    partitions(start + SIGNAL, SEEN + INVAL, schedule)
    with pytest.raises(NotABarrier):
        partitions(INIT + SIGNAL + USE, SEEN + INVAL, schedule)


def test_messages_of_uses_without_order():
    with pytest.raises(NotABarrier) as caught:
        partitions(INIT, USE, "reverse")
    assert caught.value.message == (
        "'barrier of line 18' may hold no barrier yet: nothing orders this use by task "
        "1 after its initialisation"
    )
    assert caught.value.notes[0][0] == "the initialisation by the default task"
    with pytest.raises(NotABarrier) as caught:
        partitions(INIT + SIGNAL + USE, SEEN + INVAL, "reverse")
    assert caught.value.message == (
        "'barrier of line 18' may still be in use: nothing orders its invalidation by "
        "task 1 after a use by the default task"
    )
    assert caught.value.notes[0][0] == "the use by the default task"


def test_barrier_overrun():
    with pytest.raises(BarrierOverrun):
        barrier(MAKE.replace("%b, 1", "%b, 2") + ARRIVE.replace("1 :", "3 :"))


def test_predicates():
    body = (
        MAKE
        + f"""
    ttng.arrive_barrier %b, 1, %no : {BAR}
    ttng.barrier_expect %b, 64, %no : {BAR}
    ttng.wait_barrier %b, %p, %no : {BAR}
    """
    )
    simulate(body + ARRIVE + WAIT, 0, 0, params="%p: i32, %no: i1")


DESC = "!tt.tensordesc<4x8xi32, #tma>"
BUFFER = "!ttg.memdesc<4x8xi32, #tma, #smem, mutable>"


def tma(body, *args, params=""):
    source, target = (
        np.arange(100, 164, dtype=np.int32).reshape(8, 8),
        np.zeros((8, 8), "i4"),
    )
    text = (
        MAKE
        + f"""
    %t = ttg.local_alloc : () -> {BUFFER}
    %yes = arith.constant true
    ttng.barrier_expect %b, 128, %yes : {BAR}
    {body}
    """
    )
    run(
        f"%s: {DESC}, %d: {DESC}, %i: i32, %p: i32{params}",
        text,
        Boxes(source, 4, 8),
        Boxes(target, 4, 8),
        2,
        0,
        *args,
        head=HEAD3,
    )
    return source, target


COPY = f"""
ttng.async_tma_copy_global_to_local %s[%i, %p] %t, %b, %yes : {DESC}, {BAR} -> {BUFFER}
{WAIT}
ttng.async_tma_copy_local_to_global %d[%p, %p] %t : {DESC}, {BUFFER}
"""


def test_copies():
    source, target = tma(COPY + "ttng.async_tma_store_wait {pendings = 0 : i32}\n")
    np.testing.assert_array_equal(target[:4], source[2:6])
    assert not target[4:].any()


def test_store_wait_may_be_for_the_reads_only():
    back = f"%back = tt.descriptor_load %d[%p, %p] : {DESC} -> {TENSOR}\n"
    full = COPY + "ttng.async_tma_store_wait {pendings = 0 : i32}\n"
    tma(full + back)
    with pytest.raises(RaceError):
        tma(full.replace("0 : i32}", "0 : i32, read_only}") + back)


LINE = "!ttg.memdesc<16xi32, #line, #smem, mutable>"
HALF_LINE = "!ttg.memdesc<8xi32, #line, #smem, mutable, 16>"
LINE_TENSOR = "tensor<16xi32, #row>"
STRUCT = "!llvm.struct<(ptr<3>, i32)>"


@pytest.mark.parametrize(("view", "type"), [("%b", LINE), ("%half", HALF_LINE)])
def test_ptx_gets_the_base_address(view, type):
    """It knows nothing of the offset at which a slice begins."""
    numbers = np.array2string(np.arange(16), separator=", ")
    body = f"""
    %x = arith.constant dense<{numbers}> : {LINE_TENSOR}
    %b = ttg.local_alloc %x : ({LINE_TENSOR}) -> {LINE}
    %half = ttg.memdesc_subslice %b[8] : {LINE} -> {HALF_LINE}
    %size = arith.constant 32 : i32
    %yes = arith.constant true
    %s = builtin.unrealized_conversion_cast {view} : {type} to {STRUCT}
    %e = llvm.extractvalue %s[0] : {STRUCT}
    %from = llvm.ptrtoint %e : !llvm.ptr<3> to i32
    %c = builtin.unrealized_conversion_cast %out : !tt.ptr<i32> to !llvm.ptr<1>
    %to = llvm.ptrtoint %c : !llvm.ptr<1> to i64
    llvm.inline_asm has_side_effects asm_dialect = att
      "@$3 cp.async.bulk.global.shared::cta.bulk_group [$1], [$0], $2;", "r,l,r,b"
      %from, %to, %size, %yes : (i32, i64, i32, i1) -> ()
    ttng.async_tma_store_wait {{pendings = 0 : i32}}
    """
    body = body.replace(
        "%size =", "ttng.fence_async_shared {bCluster = false}\n%size ="
    )
    out = np.full(8, -1, np.int32)
    simulate(body, out, params="%out: !tt.ptr<i32>")
    assert out.tolist() == list(range(8))


ROW_DESC = "!tt.tensordesc<1x8xi32, #tma>"


def test_rows():
    source, target = np.arange(64, dtype=np.int32).reshape(8, 8), np.zeros((8, 8), "i4")
    body = (
        MAKE
        + f"""
    %t = ttg.local_alloc : () -> {BUFFER}
    %yes = arith.constant true
    %from = arith.constant dense<[5, 1, 9, 0]> : tensor<4xi32, #row>
    %to = arith.constant dense<[0, 7, 3, -1]> : tensor<4xi32, #row>
    ttng.barrier_expect %b, 128, %yes : {BAR}
    ttng.async_tma_gather %s[%from, %p] %t, %b, %yes
      : {ROW_DESC}, tensor<4xi32, #row>, i32, {BAR}, {BUFFER}, i1
    {WAIT}
    ttng.async_tma_scatter %d[%to, %p] %t
      : {ROW_DESC}, tensor<4xi32, #row>, i32, {BUFFER}
    ttng.async_tma_store_wait {{pendings = 0 : i32, read_only}}
    """
    )
    run(
        f"%s: {ROW_DESC}, %d: {ROW_DESC}, %p: i32",
        body,
        Boxes(source, 1, 8),
        Boxes(target, 1, 8),
        0,
        head=HEAD3,
    )
    expected = np.zeros((8, 8), np.int32)
    expected[0], expected[7], expected[3] = source[5], source[1], 0
    np.testing.assert_array_equal(target, expected)


MAP = f"""
%c4 = arith.constant 4 : i32
%c8 = arith.constant 8 : i32
%one = arith.constant 1 : i32
%stride = arith.constant 32 : i64
%m = ttg.global_scratch_alloc {{alignment = 128 : i32, nbytes = 128 : i32}}
  : !tt.ptr<i8>
ttng.tensormap_create %m, %src, [%c8, %c4], [%c8, %c8], [%stride], [%one, %one]
  {{elem_type = 2 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32,
    swizzle_mode = 1 : i32}}
  : (!tt.ptr<i8>, !tt.ptr<i32>, i32, i32, i32, i32, i64, i32, i32) -> ()
ttng.tensormap_fenceproxy_acquire %m : !tt.ptr<i8>
%made = ttng.reinterpret_tensor_descriptor %m : !tt.ptr<i8> to {DESC}
"""


def test_descriptor_in_memory():
    array = np.arange(500, 564, dtype=np.int32)
    body = MAP + COPY.replace("%s[", "%made[")
    body += "ttng.async_tma_store_wait {pendings = 0 : i32}\n"
    _, target = tma(body, array, params=", %src: !tt.ptr<i32>")
    np.testing.assert_array_equal(target[:4], array.reshape(8, 8)[2:6])


def through_descriptor(text):
    body = text + COPY.replace("%s[", "%made[")
    body += "ttng.async_tma_store_wait {pendings = 0 : i32}\n"
    tma(body, np.zeros(64, np.int32), params=", %src: !tt.ptr<i32>")


@pytest.mark.parametrize(
    ("old", "new", "error", "text"),
    [
        ("[%c8, %c4]", "[%wide, %c4]", Misaligned, "'box[1]' to be a multiple of 16"),
        ("[%c8, %c4]", "[%many, %c4]", OutOfRange, "'box[1]' to be at most the 32"),
        ("[%c8, %c4]", "[%c8, %large]", OutOfRange, "'box[0]' to be in [1, 256], but"),
        ("[%one, %one]", "[%one, %wide]", OutOfRange, "'element strides[0]' to be in"),
    ],
)
def test_boxes_that_tma_cannot_take(old, new, error, text):
    constants = "".join(
        f"%{name} = arith.constant {value} : i32\n"
        for name, value in (("wide", 9), ("many", 16), ("large", 257))
    )
    through_descriptor(constants + MAP)
    with pytest.raises(error) as caught:
        through_descriptor(constants + MAP.replace(old, new))
    assert text in caught.value.message


def test_wider_patterns_take_wider_boxes():
    wide = "%c16 = arith.constant 16 : i32\n" + MAP.replace("[%c8, %c4]", "[%c16, %c4]")
    for mode in ("0", "2"):
        through_descriptor(wide.replace("mode = 1", f"mode = {mode}"))


@pytest.mark.parametrize("old", ["swizzle_mode = 1", "elem_type = 2"])
def test_descriptors_of_other_gpus(old):
    new = MAP.replace(old, old[:-1] + "15")
    with pytest.raises(UnsupportedError, match="descriptors of this element type or"):
        through_descriptor(new)


def test_descriptor_without_a_fence():
    fence = "ttng.tensormap_fenceproxy_acquire %m : !tt.ptr<i8>\n"
    with pytest.raises(MissingFence, match="missing proxy fence on 'descriptor of"):
        through_descriptor(MAP.replace(fence, ""))
    start = MAP.index("ttng.tensormap_create")
    early = MAP[:start] + fence + MAP[start:].replace(fence, "")
    with pytest.raises(MissingFence):
        through_descriptor(early)


def test_descriptor_whose_address_is_taken_first():
    made = "%made = " + MAP.split("%made = ")[1]
    start = MAP.index("ttng.tensormap_create")
    through_descriptor(MAP[:start] + made + MAP[start:].replace(made, ""))


def test_descriptor_that_nobody_wrote():
    text = MAP[: MAP.index("ttng.tensormap_create")]
    text += MAP[MAP.index("%made =") :]
    tma(text, np.zeros(64, np.int32), params=", %src: !tt.ptr<i32>")
    text += COPY.replace("%s[", "%made[")
    with pytest.raises(OutOfRange, match="no descriptor has been written"):
        tma(text, np.zeros(64, np.int32), params=", %src: !tt.ptr<i32>")
