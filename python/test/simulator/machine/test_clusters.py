# SPDX-License-Identifier: MIT
"""Clusters: which CTAs start together."""

import numpy as np
import pytest
from running import program

from tlx import _ext
from tlx.errors import ArgumentError
from tlx.simulator.code.linear import linearize
from tlx.simulator.execute import execute
from tlx.simulator.ir.load import load
from tlx.simulator.machine.cluster import clusters
from tlx.simulator.machine.global_memory import GlobalMemory
from tlx.simulator.machine.machine import Machine
from tlx.simulator.options import Options

MEET = """
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%goal = arith.constant 2 : i32
%true = arith.constant true
%old = tt.atomic_rmw add, acq_rel, gpu, %flag, %one, %true
    : (!tt.ptr<i32>, i32, i1) -> i32
scf.while : () -> () {
  %seen = tt.atomic_rmw add, acquire, gpu, %flag, %zero, %true
      : (!tt.ptr<i32>, i32, i1) -> i32
  %more = arith.cmpi slt, %seen, %goal : i32
  scf.condition(%more)
} do {
  scf.yield
}
"""


def test_ranks_are_row_major():
    made = list(clusters((4, 2, 1), (2, 2, 1)))
    assert made == [
        ((0, 0, 0), [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]),
        ((1, 0, 0), [(2, 0, 0), (3, 0, 0), (2, 1, 0), (3, 1, 0)]),
    ]


def test_grid_without_clusters():
    places = [ctas for _, ctas in clusters((2, 1, 2), (1, 1, 1))]
    assert places == [[(0, 0, 0)], [(1, 0, 0)], [(0, 0, 1)], [(1, 0, 1)]]


def test_grid_that_is_no_multiple():
    with pytest.raises(ArgumentError, match="multiple of the cluster"):
        list(clusters((3, 1, 1), (2, 1, 1)))


def machine(cluster, grid):
    kernel = program("%flag: !tt.ptr<i32>", MEET)
    kernel.cluster = cluster
    memory = GlobalMemory()
    flag = memory.map("flag", np.zeros(1, np.int32))
    options = Options(resident=1)
    return Machine(kernel, linearize(kernel), grid, [flag], memory, options)


def test_ctas_of_a_cluster_start_together():
    pair = machine((2, 1, 1), (2, 1, 1))
    assert pair._admit()
    assert [(cta.index, cta.rank) for cta in pair.live] == [
        ((0, 0, 0), 0),
        ((1, 0, 0), 1),
    ]
    assert len({cta.cluster for cta in pair.live}) == 1
    pair.run()
    assert pair.live == []


def test_ctas_without_a_cluster_start_one_by_one():
    single = machine((1, 1, 1), (2, 1, 1))
    assert single._admit()
    assert [cta.rank for cta in single.live] == [0]
    single.run()
    assert single.live == []


def test_cluster_of_a_module():
    text = (
        'module attributes {"ttg.cluster-dim-x" = 2 : i32} {\n'
        "tt.func public @k(%flag: !tt.ptr<i32>) { tt.return }\n}"
    )
    kernel = load(_ext.parse(text, _ext.Context(), "k.mlir"))
    assert kernel.cluster == (2, 1, 1)
    memory = GlobalMemory()
    flag = memory.map("flag", np.zeros(1, np.int32))
    execute(kernel, (4, 1, 1), [flag], memory, Options())
    with pytest.raises(ArgumentError):
        execute(kernel, (3, 1, 1), [flag], memory, Options())
