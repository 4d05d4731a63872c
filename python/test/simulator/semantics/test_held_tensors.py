# SPDX-License-Identifier: MIT
"""Tensors of values that differ by thread, where layouts are final."""

import numpy as np
import pytest
from running import run

from tlx.errors import UnsupportedError
from tlx.simulator.findings.divergence import DivergentOperation, DivergentValue

HEAD = """
#pairs = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4],
                       order = [0]}>
#ones = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4],
                      order = [0]}>
"""
SETUP = """
%t = nvvm.read.ptx.sreg.tid.x : i32
%c5 = arith.constant 5 : i32
%at = tt.make_range {{end = {n} : i32, start = 0 : i32}} : tensor<{n}xi32, {layout}>
%outs = tt.splat %out : !tt.ptr<i32> -> tensor<{n}x!tt.ptr<i32>, {layout}>
%ps = tt.addptr %outs, %at : tensor<{n}x!tt.ptr<i32>, {layout}>, \
tensor<{n}xi32, {layout}>
"""
STORE = "tt.store %ps, %r : tensor<{n}x!tt.ptr<i32>, {layout}>\n"


def stored(body, n=256, layout="#pairs", final=True, **options):
    text = (SETUP + body + STORE).format(n=n, layout=layout)
    out = np.full(n, -1, np.int32)
    run(
        "%out: !tt.ptr<i32>",
        text,
        out,
        head=HEAD,
        layouts_are_final=final,
        **options,
    )
    return out.tolist()


SPLAT = "%r = tt.splat %t : i32 -> tensor<{n}xi32, {layout}>\n"


def test_threads_as_a_tensor():
    assert stored(SPLAT) == [i // 2 for i in range(256)]
    assert stored(SPLAT, n=512) == [i // 2 % 128 for i in range(512)]
    assert stored(SPLAT, layout="#ones") == [i % 128 for i in range(256)]


def test_elements_that_threads_disagree_about():
    """Of 64 elements, each is held by several threads."""
    with pytest.raises(DivergentValue, match="expects what becomes a tensor"):
        stored(SPLAT, n=64)


def test_layouts_that_are_not_final():
    with pytest.raises(DivergentValue, match="expects what becomes a tensor"):
        stored(SPLAT, final=False)


CHOICE = """
%few = arith.cmpi slt, %t, %c5 : i32
%zeros = arith.constant dense<0> : tensor<{n}xi32, {layout}>
"""


def test_a_choice_by_thread():
    select = "%r = arith.select %few, %at, %zeros : tensor<{n}xi32, {layout}>\n"
    expected = list(range(10)) + [0] * 246
    assert stored(CHOICE + select) == expected
    branch = """
    %r = scf.if %few -> tensor<{n}xi32, {layout}> {{
      scf.yield %at : tensor<{n}xi32, {layout}>
    }} else {{
      scf.yield %zeros : tensor<{n}xi32, {layout}>
    }}
    """
    assert stored(CHOICE + branch) == expected


def test_tensors_of_one_side_of_a_branch():
    """Each thread works on what it holds."""
    branch = """
    %r = scf.if %few -> tensor<{n}xi32, {layout}> {{
      %s = arith.addi %at, %at : tensor<{n}xi32, {layout}>
      scf.yield %s : tensor<{n}xi32, {layout}>
    }} else {{
      scf.yield %zeros : tensor<{n}xi32, {layout}>
    }}
    """
    assert stored(CHOICE + branch) == [2 * i for i in range(10)] + [0] * 246


def test_sums_of_tensors_by_thread():
    reduce = """
    %s = "tt.reduce"(%x) <{{axis = 0 : i32}}> ({{
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tt.reduce.return %c : i32
    }}) : (tensor<{n}xi32, {layout}>) -> i32
    %r = tt.splat %s : i32 -> tensor<{n}xi32, {layout}>
    """
    body = SPLAT.replace("%r", "%x") + reduce
    assert stored(body) == [2 * sum(range(128))] * 256


VOTE = """
%limit = tt.splat %c5 : i32 -> tensor<{n}xi32, {layout}>
%p = arith.cmpi slt, %at, %limit : tensor<{n}xi32, {layout}>
%w = arith.extui %p : tensor<{n}xi1, {layout}> to tensor<{n}xi32, {layout}>
%all = arith.constant dense<-1> : tensor<{n}xi32, {layout}>
%r = tt.elementwise_inline_asm "vote.sync.ballot.b32" {{constraints = "", \
packed_element = 2 : i32, pure = false}} %w, %all : \
tensor<{n}xi32, {layout}>, tensor<{n}xi32, {layout}> -> tensor<{n}xi32, {layout}>
"""


def test_votes_over_a_tensor():
    """Of a thread's two elements one is enough."""
    assert stored(VOTE) == [0b111] * 64 + [0] * 192
    assert stored(VOTE, layout="#ones") == ([0b11111] * 32 + [0] * 96) * 2


def test_votes_without_final_layouts():
    with pytest.raises(UnsupportedError, match="depends on the layout"):
        stored(VOTE, final=False)


CONVERT = """
%s = ttg.convert_layout %at : tensor<{n}xi32, {layout}> -> tensor<{n}xi32, #ones>
"""


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("tt.elementwise_inline_asm", VOTE.replace("%r =", "%v =")),
        ("ttg.convert_layout", CONVERT),
        (
            "tt.histogram",
            "%h = tt.histogram %at : tensor<{n}xi32, {layout}> -> tensor<4xi32>\n",
        ),
    ],
)
def test_exchanges_take_all_threads(name, body):
    text = CHOICE + "scf.if %few {{\n" + body + "}}\n%r = arith.addi %at, %at : "
    with pytest.raises(DivergentOperation) as caught:
        stored(text + "tensor<{n}xi32, {layout}>\n")
    assert caught.value.message == (
        f"'{name}' expects all threads of the default task to reach it together, but "
        "5 of 128 do"
    )
    every = text.replace("slt, %t, %c5", "sge, %t, %t")
    stored(every + "tensor<{n}xi32, {layout}>\n")
