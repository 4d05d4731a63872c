# SPDX-License-Identifier: MIT
"""What operations do that only some threads of a task reach, or with other operands."""

import numpy as np
import pytest
from running import barriers, ring, run, tasks

from tlx.simulator.findings.asserts import AssertionFailed
from tlx.simulator.findings.barriers import BarrierOverrun
from tlx.simulator.findings.deadlock import Deadlock
from tlx.simulator.findings.divergence import DivergentOperation, DivergentValue

CONSTANTS = "".join(f"%c{n} = arith.constant {n} : i32\n" for n in range(6)) + (
    "%c32 = arith.constant 32 : i32\n%true = arith.constant true\n"
)
HEAD = """
#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#row = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4],
                     order = [0]}>
#smem = #ttg.shared_memory
"""
IDS = ("tlx.thread_id x", "nvvm.read.ptx.sreg.tid.x")


def below(n, body, thread="tlx.thread_id x"):
    """Returns operations for threads below a number."""
    return (
        f"%t = {thread} : i32\n%n = arith.constant {n} : i32\n"
        "%some = arith.cmpi slt, %t, %n : i32\n"
        f"scf.if %some {{\n{body}\n}}\n"
    )


def stored(body, size=4, **options):
    """Returns what a kernel stores to `%out`, an array of i32."""
    out = np.full(size, -1, np.int32)
    run("%out: !tt.ptr<i32>", CONSTANTS + body, out, head=HEAD, **options)
    return out.tolist()


STORE = "tt.store %out, %c3 : !tt.ptr<i32>"
ATOMIC = "(!tt.ptr<i32>, i32, i1) -> i32"
ADD = "%old = tt.atomic_rmw add, {}, gpu, %out, %c3, %true : " + ATOMIC


@pytest.mark.parametrize("thread", IDS)
def test_the_first_thread_stores_scalars(thread):
    assert stored(below(1, STORE, thread))[0] == 3
    others = below(1, "} else {\n" + STORE, thread)
    assert stored(others)[0] == -1


def test_the_first_thread_of_each_task_stores():
    body = tasks("", below(129, STORE), warps=1)
    assert stored(body)[0] == 3
    body = tasks("", below(129, "} else {\n" + STORE), warps=1)
    assert stored(body)[0] == -1


def test_the_first_thread_stores_its_value_to_its_address():
    body = """
    %t = tlx.thread_id x : i32
    %at = arith.addi %t, %c2 : i32
    %p = tt.addptr %out, %at : !tt.ptr<i32>, i32
    %x = arith.addi %t, %c5 : i32
    tt.store %p, %x : !tt.ptr<i32>
    """
    assert stored(body) == [-1, -1, 5, -1]


def test_each_thread_loads_from_its_address():
    body = """
    %t = tlx.thread_id x : i32
    %p = tt.addptr %in, %t : !tt.ptr<i32>, i32
    %x = tt.load %p : !tt.ptr<i32>
    %odd = arith.andi %x, %c1 : i32
    %p1 = arith.cmpi eq, %odd, %c1 : i32
    %all = arith.constant -1 : i32
    %b = tlx.vote_ballot_sync %all, %p1 : i1 -> i32
    tt.store %out, %b : !tt.ptr<i32>
    """
    x = np.random.default_rng(0).integers(0, 99, 32, np.int32)
    out = np.zeros(1, np.int32)
    params = "%out: !tt.ptr<i32>, %in: !tt.ptr<i32>"
    run(params, CONSTANTS + body, out, x, num_warps=1)
    assert out.view(np.uint32)[0] == sum(1 << i for i in range(32) if x[i] % 2)


@pytest.mark.parametrize("thread", IDS)
def test_relaxed_atomics_without_a_use(thread):
    relaxed = ADD.format("relaxed")
    assert stored(below(1, relaxed, thread))[0] == 2
    assert stored(below(1, "} else {\n" + relaxed, thread))[0] == -1


def test_atomics_of_all_threads_are_those_of_the_first(capsys):
    body = f"""
    %t = tlx.thread_id x : i32
    %p = tt.addptr %out, %t : !tt.ptr<i32>, i32
    %x = arith.addi %t, %c5 : i32
    %old = tt.atomic_rmw add, acq_rel, gpu, %p, %x, %true : {ATOMIC}
    %q = tt.addptr %out, %c1 : !tt.ptr<i32>, i32
    tt.store %q, %old : !tt.ptr<i32>
    """
    assert stored(body) == [4, -1, -1, -1]
    show = 'tt.print " " {hex = false, isSigned = array<i32: 1>} : %old : i32'
    assert stored(body + show) == [4, -1, -1, -1]
    assert capsys.readouterr().out == "pid (0, 0, 0) -1\n"


USED = ADD.format("relaxed") + "\ntt.store %out, %old : !tt.ptr<i32>"
BAR = "!tlx.barrier<count = 1>"
MEM = "!ttg.memdesc<1xi64, #line, #smem, mutable>"
TILE = "!tlx.buffer<128xi32, smem>"
NOT_ALONE = {
    "tlx.barrier_arrive": f"tlx.barrier_arrive %b0, 1 : {BAR}",
    "tlx.barrier_expect_bytes": f"tlx.barrier_expect_bytes %b0, 4 : {BAR}",
    "tlx.barrier_wait": f"tlx.barrier_wait %b0, %c1 : {BAR}",
    "ttng.arrive_barrier": f"ttng.arrive_barrier %m, 1 : {MEM}",
    "ttng.barrier_expect": f"ttng.barrier_expect %m, 4, %true : {MEM}",
    "ttng.wait_barrier": f"ttng.wait_barrier %m, %c1 : {MEM}",
    "ttng.fence_async_shared": "ttng.fence_async_shared {bCluster = false}",
    "ttg.barrier": "ttg.barrier local",
    "tlx.fence": "tlx.fence gpu",
    "tlx.local_alloc": "%a = tlx.local_alloc : !tlx.buffer<[1] 8xi32, smem>",
    "tlx.local_load": f"%a = tlx.local_load %tile0 : {TILE} -> tensor<128xi32>",
    "tlx.local_store": f"tlx.local_store %at, %tile0 : tensor<128xi32> -> {TILE}",
    "tlx.alloc_barriers": barriers("a"),
    "tlx.async_descriptor_store_wait": "tlx.async_descriptor_store_wait 0",
    "tlx.async_load_commit_group": "tlx.async_load_commit_group",
    "tlx.async_tasks": tasks("", "", warps=1),
    "tt.store": "tt.store %ps, %at : tensor<128x!tt.ptr<i32>>",
    "tt.load": "%a = tt.load %ps : tensor<128x!tt.ptr<i32>>",
    "tt.reduce": (
        '%sum = "tt.reduce"(%at) <{axis = 0 : i32}> ({\n^bb0(%x: i32, %y: i32):\n'
        "%z = arith.addi %x, %y : i32\ntt.reduce.return %z : i32\n}) : "
        "(tensor<128xi32>) -> i32"
    ),
    "tt.histogram": "%h = tt.histogram %at : tensor<128xi32> -> tensor<4xi32>",
    "tlx.vote_ballot_sync": (
        "%v = tlx.vote_ballot_sync %all, %odd : tensor<128xi1> -> tensor<128xi32>"
    ),
    "tt.atomic_rmw": ADD.format("acq_rel"),
    "tt.atomic_rmw used": USED,
}
SETUP = (
    barriers("b")
    + ring("tile", "128xi32")
    + f"""
    %m = ttg.local_alloc : () -> {MEM}
    ttng.init_barrier %m, 1 : {MEM}
    %at = tt.make_range {{end = 128 : i32, start = 0 : i32}} : tensor<128xi32>
    %out_ = tt.splat %out : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %ps = tt.addptr %out_, %at : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
    %all = arith.constant -1 : i32
    %odd = arith.trunci %at : tensor<128xi32> to tensor<128xi1>
    """
)


@pytest.mark.parametrize("n", [1, 32, 127])
@pytest.mark.parametrize("name", NOT_ALONE)
def test_operations_that_take_all_threads(name, n):
    body = SETUP + below(n, NOT_ALONE[name])
    with pytest.raises(DivergentOperation) as caught:
        stored(body, size=128)
    assert caught.value.message == (
        f"'{name.split()[0]}' expects all threads of the default task to reach it "
        f"together, but {n} of 128 do"
    )
    assert caught.value.subject == "CTA (0, 0, 0)"
    ((note, place),) = caught.value.notes
    assert note == "the threads go different ways here"
    assert place.line == caught.value.line - 1


@pytest.mark.parametrize("n", [0, 128])
@pytest.mark.parametrize("name", ["tlx.barrier_arrive", "tlx.local_alloc", "tt.store"])
def test_a_branch_that_all_threads_take_alike(name, n):
    stored(SETUP + below(n, NOT_ALONE[name]), size=128)


def test_in_a_function_that_some_threads_call():
    more = f"""
    tt.func private @f(%b: {BAR}) attributes {{noinline = true}} {{
      tlx.barrier_arrive %b, 1 : {BAR}
      tt.return
    }}
    """
    body = barriers("b") + below(5, f"tt.call @f(%b0) : ({BAR}) -> ()")
    with pytest.raises(DivergentOperation, match="but 5 of 128 do"):
        stored(body, more=more)


def test_after_some_threads_have_left_the_kernel():
    body = barriers("b") + below(64, "") + "cf.cond_br %some, ^on, ^off\n"
    body += "^off:\ntt.return\n^on:\n" + NOT_ALONE["tlx.barrier_arrive"]
    with pytest.raises(DivergentOperation, match="but 64 of 128 do"):
        stored(body)


@pytest.mark.parametrize(
    ("line", "number"),
    [
        (f"tlx.barrier_arrive %b0, 1 pred %some : {BAR}", 1),
        (f"tlx.barrier_wait %b0, %t : {BAR}", 1),
        (f"tlx.barrier_expect_bytes %b0, 4 pred %some : {BAR}", 1),
        (f"ttng.arrive_barrier %m, 1, %some : {MEM}", 1),
    ],
)
def test_operands_that_all_threads_must_agree_on(line, number):
    with pytest.raises(DivergentValue) as caught:
        stored(SETUP + below(1, "") + line, size=128)
    name = line.split()[0]
    assert caught.value.message == (
        f"'{name}' expects operand {number} to be the same for all threads of the "
        "default task, but it differs by thread"
    )


def test_a_barrier_that_differs_by_thread():
    """Thread 0 would arrive; but which barrier is meant?"""
    array = "!tlx.barrier<[2], count = 1>"
    body = barriers("b", 2) + (
        "%t = tlx.thread_id x : i32\n%i = arith.andi %t, %c1 : i32\n"
        f"%one = tlx.barrier_view %b[%i] : {array} -> {BAR}\n"
        f"tlx.barrier_arrive %one, 1 : {BAR}\n"
    )
    with pytest.raises(DivergentValue, match="expects operand 0 to be the same"):
        stored(body)


TENSORS = [
    ("tt.splat", "%x = tt.splat %t : i32 -> tensor<128xi32>"),
    ("arith.select", "%x = arith.select %some, %at, %zeros : tensor<128xi32>"),
]


@pytest.mark.parametrize(("name", "line"), TENSORS)
def test_tensors_are_not_made_of_values_by_thread(name, line):
    zeros = "%zeros = arith.constant dense<0> : tensor<128xi32>\n"
    with pytest.raises(DivergentValue) as caught:
        stored(SETUP + zeros + below(5, "") + line, size=128)
    assert caught.value.message == (
        f"'{name}' expects what becomes a tensor to be the same for all threads, but "
        "it differs by thread"
    )
    assert "'tl.arange'" in caught.value.notes[0][0]


def test_tensors_that_a_branch_chooses():
    """Which elements a thread chooses for depends on the layout."""
    body = (
        SETUP
        + below(5, "")
        + """
    %zeros = arith.constant dense<0> : tensor<128xi32>
    %x = scf.if %some -> tensor<128xi32> {
      scf.yield %at : tensor<128xi32>
    } else {
      scf.yield %zeros : tensor<128xi32>
    }
    """
    )
    assert stored(body, size=128) == [-1] * 128
    with pytest.raises(DivergentValue, match="expects operand 1 to be the same"):
        stored(body + "tt.store %ps, %x : tensor<128x!tt.ptr<i32>>", size=128)
    with pytest.raises(DivergentValue, match=r"'arith\.addi' expects what becomes a"):
        stored(body + "%y = arith.addi %x, %at : tensor<128xi32>", size=128)


def test_asserts_are_those_of_the_threads_that_come():
    claim = '%ok = arith.cmpi slt, %t, %c5 : i32\ntt.assert %ok, "far" : i1'
    stored(below(5, claim))
    with pytest.raises(AssertionFailed, match="device_assert failed: far"):
        stored(below(6, claim))


def test_prints_of_the_threads_that_come(capsys):
    line = 'tt.print " t: " {hex = false, isSigned = array<i32: 1>} : %t : i32'
    stored(below(2, line))
    assert capsys.readouterr().out.splitlines() == [
        "pid (0, 0, 0) thread 0 t: 0",
        "pid (0, 0, 0) thread 1 t: 1",
    ]
    stored(below(2, line.replace("%t :", "%c3 :")))
    assert capsys.readouterr().out.splitlines() == ["pid (0, 0, 0) t: 3"]


WARP_BAR = "!tlx.barrier<count = {}, warp>"
WARP_ARRIVE = "tlx.barrier_arrive %w0, 1 : " + WARP_BAR
WARP_WAIT = "tlx.barrier_wait %w0, %c0 : " + WARP_BAR


@pytest.mark.parametrize("n", [1, 40, 128])
def test_threads_that_arrive_for_themselves(n):
    body = barriers("w", 1, n, ", warp") + below(n, WARP_ARRIVE.format(n))
    stored(body + WARP_WAIT.format(n))
    few = barriers("w", 1, n + 1, ", warp") + below(n, WARP_ARRIVE.format(n + 1))
    with pytest.raises(Deadlock, match=f"1 of {n + 1} arrivals"):
        stored(few + WARP_WAIT.format(n + 1))
    if n > 1:
        many = barriers("w", 1, n - 1, ", warp") + below(n, WARP_ARRIVE.format(n - 1))
        with pytest.raises(BarrierOverrun, match=f"arrives {n} times"):
            stored(many)
