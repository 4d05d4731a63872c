# SPDX-License-Identifier: MIT
"""Asynchronous matrix products: chains, waits, who may read what and when."""

import numpy as np
import pytest
from running import Boxes, barriers, buffer, ring, run, run_everywhere, tasks, wait

from tlx.simulator.findings.memory import MissingFence, RaceError
from tlx.simulator.findings.products import AccumulatorRead

HALF, ACC = "64x64xf16", "64x64xf32"
DESC_H, DESC_A = f"!tt.tensordesc<{HALF}>", f"!tt.tensordesc<{ACC}>"
PARAMS = f"%a: {DESC_H}, %b: {DESC_H}, %c: {DESC_A}, %zero: i32, %no: i1"


def fetch(name, view):
    return (
        f"%t{name} = tt.descriptor_load %{name}[%zero, %zero] : {DESC_H} -> "
        f"tensor<{HALF}>\n"
        f"tlx.local_store %t{name}, {view} : tensor<{HALF}> -> {buffer(HALF)}\n"
    )


START = (
    barriers("bar")
    + ring("x", HALF)
    + ring("y", HALF)
    + f"%z = arith.constant dense<0.0> : tensor<{ACC}>\n"
    + f"%one = arith.constant dense<1.0> : tensor<{ACC}>\n"
    + f"%h = arith.constant dense<1.0> : tensor<{HALF}>\n"
    + fetch("a", "%x0")
    + fetch("b", "%y0")
)
DOT = (
    "%{0} = tlx.async_dot {2}, %y0, %{1} {3}: {4}, "
    + buffer(HALF)
    + f" -> tensor<{ACC}>\n"
)
WAIT = f"%{{0}} = tlx.async_dot_wait {{2}}, %{{1}} : tensor<{ACC}>\n"
PUT = f"tt.descriptor_store %c[%zero, %zero], %{{0}} : {DESC_A}, tensor<{ACC}>\n"


def dot(result, acc, left="%x0", clause="", left_type=None):
    return DOT.format(result, acc, left, clause, left_type or buffer(HALF))


def inputs():
    random = np.random.default_rng(0)
    a, b = (random.integers(-3, 4, (64, 64)).astype(np.float16) for _ in range(2))
    return a, b, np.full((64, 64), -1, np.float32)


def args():
    a, b, c = inputs()
    return [Boxes(a, 64, 64), Boxes(b, 64, 64), Boxes(c, 64, 64), 0, 0]


def multiply(body):
    given = args()
    run(PARAMS, START + body, *given)
    return given[2].array


def product():
    a, b, _ = inputs()
    return a.astype(np.float32) @ b.astype(np.float32)


def test_product():
    got = multiply(dot("p", "one") + WAIT.format("q", "p", 0) + PUT.format("q"))
    np.testing.assert_array_equal(got, product() + 1)


def test_accumulator_that_is_not_used():
    body = dot("p", "one", clause="use_acc %no ")
    got = multiply(body + WAIT.format("q", "p", 0) + PUT.format("q"))
    np.testing.assert_array_equal(got, product())


def test_left_operand_in_registers():
    body = dot("p", "z", "%ta", left_type=f"tensor<{HALF}>")
    got = multiply(body + WAIT.format("q", "p", 0) + PUT.format("q"))
    np.testing.assert_array_equal(got, product())


def test_transposed_operand():
    body = (
        f"%xt = tlx.local_trans %x0 {{order = array<i32: 1, 0>}} : {buffer(HALF)} -> "
        f"{buffer(HALF)}\n" + dot("p", "z", "%xt")
    )
    got = multiply(body + WAIT.format("q", "p", 0) + PUT.format("q"))
    a, b, _ = inputs()
    np.testing.assert_array_equal(got, a.T.astype(np.float32) @ b.astype(np.float32))


def test_chain_of_products_under_every_schedule():
    body = START + dot("p", "z") + dot("q", "p") + WAIT.format("r", "q", 1)
    body += dot("s", "r") + WAIT.format("t", "s", 0) + PUT.format("t")

    def check(*given):
        np.testing.assert_array_equal(given[2].array, 3 * product())

    run_everywhere(PARAMS, body, args, check)


def test_result_read_before_a_wait():
    with pytest.raises(AccumulatorRead, match="read before a wait for it") as caught:
        multiply(dot("p", "z") + PUT.format("p"))
    assert "tlx.async_dot_wait must come between" in caught.value.notes[0][0]
    assert caught.value.notes[0][1] is not None


def test_result_read_after_a_wait_that_leaves_it():
    with pytest.raises(AccumulatorRead):
        multiply(dot("p", "z") + WAIT.format("q", "p", 1) + PUT.format("q"))
    two = dot("p", "z") + dot("q", "z") + WAIT.format("r", "p", 1) + PUT.format("r")
    multiply(two + WAIT.format("s", "q", 0))


def test_result_through_control_flow():
    loop = f"""
    %one_ = arith.constant 1 : i32
    %n = arith.constant 3 : i32
    %r = scf.for %i = %zero to %n step %one_ iter_args(%acc = %z) -> (tensor<{ACC}>)
        : i32 {{
      {dot("p", "acc")}
      scf.yield %p : tensor<{ACC}>
    }}
    """
    got = multiply(loop + WAIT.format("q", "r", 0) + PUT.format("q"))
    np.testing.assert_array_equal(got, 3 * product())
    with pytest.raises(AccumulatorRead):
        multiply(loop + PUT.format("r"))


CALLEES = f"""
tt.func private @start(%x: {buffer(HALF)}, %y0: {buffer(HALF)}) -> tensor<{ACC}>
    attributes {{noinline = true}} {{
  %z = arith.constant dense<0.0> : tensor<{ACC}>
  {dot("p", "z", "%x")}
  tt.return %p : tensor<{ACC}>
}}
tt.func private @put(%c: {DESC_A}, %zero: i32, %v: tensor<{ACC}>)
    attributes {{noinline = true}} {{
  {PUT.format("v")}
  tt.return
}}
"""


def test_result_through_calls():
    start = (
        f"%p = tt.call @start(%x0, %y0) : ({buffer(HALF)}, {buffer(HALF)}) -> "
        f"tensor<{ACC}>\n"
    )
    put = f"tt.call @put(%c, %zero, %{{}}) : ({DESC_A}, i32, tensor<{ACC}>) -> ()\n"
    good = START + start + WAIT.format("q", "p", 0)
    for end in (PUT, put):
        given = args()
        run(PARAMS, good + end.format("q"), *given, more=CALLEES)
        np.testing.assert_array_equal(given[2].array, product())
        with pytest.raises(AccumulatorRead):
            run(PARAMS, START + start + end.format("p"), *args(), more=CALLEES)


OVERWRITE = f"tlx.local_store %h, %y0 : tensor<{HALF}> -> {buffer(HALF)}\n"


def test_operand_overwritten_while_a_product_may_read_it():
    with pytest.raises(RaceError, match="asynchronous read"):
        multiply(dot("p", "z") + OVERWRITE + WAIT.format("q", "p", 0) + PUT.format("q"))
    multiply(dot("p", "z") + WAIT.format("q", "p", 0) + OVERWRITE + PUT.format("q"))


def test_operands_of_another_task_need_a_fence():
    use = wait("%bar0", "%zero") + dot("p", "z") + WAIT.format("q", "p", 0)
    use += PUT.format("q")
    hand = "tlx.barrier_arrive %bar0, 1 : !tlx.barrier<count = 1>\n"
    run(
        PARAMS,
        START + tasks(OVERWRITE + "tlx.fence async_shared\n" + hand, use),
        *args(),
    )
    with pytest.raises(MissingFence, match="reads it with the async proxy"):
        run(PARAMS, START + tasks(OVERWRITE + hand, use), *args())


def test_ttgir_products_may_be_synchronous():
    head = """
    #mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1],
                            instrShape = [16, 64, 16]}>
    #blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8],
                             warpsPerCTA = [4, 1], order = [1, 0]}>
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false,
                                 elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    """
    memdesc = "!ttg.memdesc<64x64xf16, #shared, #smem, mutable>"
    acc = "tensor<64x64xf32, #mma>"
    body = f"""
    %h = arith.constant dense<2.0> : tensor<64x64xf16, #blocked>
    %z = arith.constant dense<1.0> : {acc}
    %x = ttg.local_alloc %h : (tensor<64x64xf16, #blocked>) -> {memdesc}
    %d = ttng.warp_group_dot %x, %x, %z {{inputPrecision = 0 : i32}}
      : {memdesc} * {memdesc} -> {acc}
    %ok = arith.constant dense<257.0> : {acc}
    %e = arith.cmpf oeq, %d, %ok : {acc}
    tt.assert %e, "sum" : tensor<64x64xi1, #mma>
    """
    run("", body, head=head)
    with pytest.raises(AccumulatorRead):
        run("", body.replace("{inputP", "{isAsync = true, inputP"), head=head)
