# SPDX-License-Identifier: MIT
"""Scopes: what a release, an acquire and a fence of a CTA tell other CTAs."""

import numpy as np
import pytest
from running import program, run, tasks

from tlx.simulator.execute import execute
from tlx.simulator.findings.memory import RaceError
from tlx.simulator.machine.global_memory import GlobalMemory
from tlx.simulator.options import Options
from tlx.simulator.schedules import SCHEDULES

PARAMS = "%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %flag: !tt.ptr<i32>"
START = """
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%two = arith.constant 2 : i32
%true = arith.constant true
%pid = tt.get_program_id x : i32
%first = arith.cmpi eq, %pid, %zero : i32
%next = tt.addptr %flag, %one : !tt.ptr<i32>, i32
"""
CALL = "(!tt.ptr<i32>, i32, i1) -> i32"
PUT = "tt.store %x, %one : !tt.ptr<i32>\n"
GET = "%got = tt.load %x : !tt.ptr<i32>\ntt.store %y, %got : !tt.ptr<i32>\n"


def fence(scope):
    return (
        'llvm.inline_asm has_side_effects asm_dialect = att "fence.acq_rel.'
        f'{scope};", "" : () -> ()\n'
    )


def signal(how, flag="%flag"):
    return f"%s = tt.atomic_rmw exch, {how}, {flag}, %one, %true : {CALL}\n"


def spin(how, flag="%flag"):
    return (
        "scf.while : () -> () {\n"
        f"%seen = tt.atomic_rmw add, {how}, {flag}, %zero, %true : {CALL}\n"
        "%more = arith.cmpi eq, %seen, %zero : i32\n"
        "scf.condition(%more)\n} do {\nscf.yield\n}\n"
    )


def simulate(body, grid=1, **options):
    x, y, flag = (np.zeros(2, np.int32) for _ in range(3))
    report = run(PARAMS, START + body, x, y, flag, grid=grid, **options)
    assert y[0] == 1
    return report


def programs(giver, taker, **options):
    """Runs the giver in CTA 0 and the taker in CTA 1."""
    body = f"scf.if %first {{\n{giver}}} else {{\n{taker}}}\n"
    return simulate(body, grid=2, **options)


def race(giver, taker, **options):
    with pytest.raises(RaceError) as caught:
        programs(giver, taker, **options)
    return caught.value


ORDERS = [{"resident": 1}, *({"schedule": s} for s in SCHEDULES)]
every_order = pytest.mark.parametrize("order", ORDERS, ids=str)


@every_order
def test_scopes_that_include_each_other(order):
    programs(PUT + signal("release, gpu"), spin("acquire, gpu") + GET, **order)
    programs(PUT + signal("release, sys"), spin("acquire, gpu") + GET, **order)


@every_order
@pytest.mark.parametrize(
    ("release", "acquire"), [("cta", "gpu"), ("gpu", "cta"), ("cta", "cta")]
)
def test_scopes_that_do_not(release, acquire, order):
    error = race(
        PUT + signal(f"release, {release}"), spin(f"acquire, {acquire}") + GET, **order
    )
    assert error.message.startswith("race on 'flag'")
    assert "an atomic with the scope of its CTA orders nothing" in error.notes[1][0]


@every_order
def test_tasks_of_one_cta(order):
    simulate(tasks(PUT + signal("release, cta"), spin("acquire, cta") + GET), **order)


@every_order
def test_wide_fences_around_relaxed_atomics(order):
    giver = PUT + fence("gpu") + signal("relaxed, gpu")
    programs(giver, spin("relaxed, gpu") + fence("sys") + GET, **order)


@every_order
@pytest.mark.parametrize("release", ["cta", "cluster", "gpu"])
@pytest.mark.parametrize("acquire", ["cta", "cluster"])
def test_narrow_fences_around_relaxed_atomics(release, acquire, order):
    for one, other in ((release, acquire), (acquire, release)):
        giver = PUT + fence(one) + signal("relaxed, gpu")
        taker = spin("relaxed, gpu") + fence(other) + GET
        assert race(giver, taker, **order).message.startswith("race on 'x'")


@every_order
def test_narrow_fences_within_a_cta(order):
    giver = PUT + fence("cta") + signal("relaxed, gpu")
    taker = spin("relaxed, cta") + fence("cta") + GET
    simulate(tasks(giver, taker), **order)


@every_order
def test_wide_fence_before_a_narrow_one(order):
    """What the wide one has seen is known to all, what came after it is not."""
    both = fence("gpu") + PUT + fence("cta")
    taker = spin("relaxed, gpu") + fence("gpu") + GET
    programs(PUT + fence("gpu") + fence("cta") + signal("relaxed, gpu"), taker, **order)
    race(both + signal("relaxed, gpu"), taker, **order)


@every_order
def test_fence_does_not_widen_an_atomic(order):
    giver = PUT + fence("gpu") + signal("relaxed, cta")
    race(giver, spin("relaxed, gpu") + fence("gpu") + GET, **order)
    taker = spin("acquire, gpu") + GET
    report = programs(giver, taker, on_finding="collect", **order)
    places = {error.message.split(":")[0] for error in report.findings}
    assert places == {"race on 'flag'", "race on 'x'"}


@every_order
def test_what_is_learnt_within_a_cta_is_handed_on(order):
    middle = spin("acquire, cta") + signal("release, gpu", "%next")
    giver = tasks(PUT + signal("release, cta"), middle)
    programs(giver, spin("acquire, gpu", "%next") + GET, **order)


@every_order
def test_swap_that_fails_releases_nothing(order):
    """The flag is 1 from a relaxed write; the swap of 2 for 0 leaves it alone."""
    fails = (
        "%w = tt.atomic_cas release, gpu, %flag, %two, %zero : "
        "(!tt.ptr<i32>, i32, i32) -> i32\n"
    )
    works = fails.replace("%two, %zero", "%zero, %one")
    programs(PUT + works, spin("acquire, gpu") + GET, **order)
    more = PUT + fails + signal("relaxed, gpu")
    race(more, spin("acquire, gpu") + GET, **order)


SEES_TWO = (
    spin("relaxed, gpu").replace("eq, %seen, %zero", "ne, %seen, %two")
    + "%last = tt.atomic_load acquire, gpu, %flag : (!tt.ptr<i32>) -> i32\n"
)


@every_order
def test_store_ends_what_others_have_released(order):
    """Task 1 overwrites the flag with a value that says nothing about the first one."""
    store = "tt.atomic_store {}, gpu, %flag, %two : !tt.ptr<i32>\n"
    relaxed = spin("relaxed, gpu") + store.format("relaxed")
    race(tasks(PUT + signal("release, gpu"), relaxed), SEES_TWO + GET, **order)
    handed_on = spin("acquire, gpu") + store.format("release")
    programs(tasks(PUT + signal("release, gpu"), handed_on), SEES_TWO + GET, **order)


@every_order
def test_atomic_hands_on_what_others_have_released(order):
    add = f"%t = tt.atomic_rmw add, relaxed, gpu, %flag, %one, %true : {CALL}\n"
    middle = spin("relaxed, gpu") + add
    programs(tasks(PUT + signal("release, gpu"), middle), SEES_TWO + GET, **order)


@every_order
def test_narrow_release_hides_no_wide_one(order):
    add = f"%t = tt.atomic_rmw add, relaxed, gpu, %flag, %one, %true : {CALL}\n"
    middle = spin("acquire, gpu") + fence("cta") + add
    programs(tasks(PUT + signal("release, gpu"), middle), SEES_TWO + GET, **order)


@every_order
def test_later_store_of_the_task_that_released(order):
    store = "tt.atomic_store relaxed, gpu, %flag, %two : !tt.ptr<i32>\n"
    programs(PUT + signal("release, gpu") + store, SEES_TWO + GET, **order)


def test_cluster():
    """A fence of the cluster is known to its CTAs, and to no others."""
    giver = PUT + fence("cluster") + signal("relaxed, gpu")
    taker = spin("relaxed, gpu") + fence("cluster") + GET
    body = f"scf.if %first {{\n{giver}}} else {{\n{taker}}}\n"
    kernel = program(PARAMS, START + body)

    def launch(cluster):
        kernel.cluster = cluster
        memory = GlobalMemory()
        arrays = [np.zeros(2, np.int32) for _ in range(3)]
        args = [memory.map(f"x{i}", x) for i, x in enumerate(arrays)]
        execute(kernel, (2, 1, 1), args, memory, Options())

    launch((2, 1, 1))
    with pytest.raises(RaceError):
        launch((1, 1, 1))
