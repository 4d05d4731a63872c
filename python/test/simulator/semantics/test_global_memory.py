# SPDX-License-Identifier: MIT
"""Loads, stores and atomics through pointers."""

import numpy as np
import pytest
from running import run

from tlx.simulator.findings.memory import (
    Misaligned,
    OutOfRange,
    RaceError,
    UninitialisedRead,
)

START = """
%at = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
%s = tt.splat %src : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
%p = tt.addptr %s, %at : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
%o = tt.splat %out : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
%q = tt.addptr %o, %at : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
%n = tt.splat %num : i32 -> tensor<8xi32>
%m = arith.cmpi slt, %at, %n : tensor<8xi32>
%nine = arith.constant dense<9> : tensor<8xi32>
%zero = arith.constant dense<0> : tensor<8xi32>
%two = arith.constant dense<2> : tensor<8xi32>
%half = arith.divsi %at, %two : tensor<8xi32>
%twice = tt.addptr %s, %half : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
"""
PARAMS = "%src: !tt.ptr<i32>, %out: !tt.ptr<i32>, %num: i32"
MANY = "tensor<8x!tt.ptr<i32>>"


def simulate(body, num=8, src=None, out=None, **options):
    src = np.arange(10, 18, dtype=np.int32) if src is None else src
    out = np.full(8, -1, np.int32) if out is None else out
    run(PARAMS, START + body, src, out, num, **options)
    return src.tolist(), out.tolist()


def test_load_and_store():
    body = f"%v = tt.load %p : {MANY}\ntt.store %q, %v : {MANY}\n"
    assert simulate(body)[1] == list(range(10, 18))


@pytest.mark.parametrize("num", [0, 1, 5, 8])
def test_masks(num):
    load = f"%v = tt.load %p, %m, %nine : {MANY}\ntt.store %q, %v : {MANY}\n"
    expected = [10 + i if i < num else 9 for i in range(8)]
    assert simulate(load, num)[1] == expected
    store = f"%v = tt.load %p : {MANY}\ntt.store %q, %v, %m : {MANY}\n"
    expected = [10 + i if i < num else -1 for i in range(8)]
    assert simulate(store, num)[1] == expected


def test_masked_elements_may_lie_outside():
    body = f"%v = tt.load %p, %m, %nine : {MANY}\ntt.store %q, %v, %m : {MANY}\n"
    short = np.arange(3, dtype=np.int32)
    assert simulate(body, 3, short, np.zeros(3, np.int32))[1] == [0, 1, 2]
    with pytest.raises(OutOfRange, match="points to byte 12 of 'src', which has 12"):
        simulate(body, 4, short, np.zeros(3, np.int32))
    with pytest.raises(OutOfRange, match="points to byte 12 of 'out', which has 12"):
        simulate(body, 4, np.zeros(8, np.int32), np.zeros(3, np.int32))


def test_pointer_before_the_array():
    body = """
    %back = arith.constant -2 : i32
    %b = tt.addptr %src, %back : !tt.ptr<i32>, i32
    %v = tt.load %b : !tt.ptr<i32>
    """
    with pytest.raises(OutOfRange, match="points 8 bytes before 'src'"):
        simulate(body)


def test_misaligned_pointer():
    body = """
    %c = tt.bitcast %src : !tt.ptr<i32> -> !tt.ptr<i16>
    %odd = arith.constant 1 : i32
    %d = tt.addptr %c, %odd : !tt.ptr<i16>, i32
    %e = tt.bitcast %d : !tt.ptr<i16> -> !tt.ptr<i32>
    %v = tt.load %e : !tt.ptr<i32>
    """
    with pytest.raises(Misaligned, match="'src' is no multiple of 4 bytes"):
        simulate(body)
    simulate(body.replace("constant 1", "constant 2"))


def test_read_only_array():
    fixed = np.zeros(8, np.int32)
    fixed.flags.writeable = False
    body = f"tt.store %q, %nine : {MANY}\n"
    with pytest.raises(OutOfRange, match="writes to 'out', which is read-only"):
        simulate(body, out=fixed)
    simulate(f"%v = tt.load %q : {MANY}\n", out=fixed)


def test_programs_that_store_to_the_same_place():
    body = f"""
    %pid = tt.get_program_id x : i32
    %value = tt.splat %pid : i32 -> tensor<8xi32>
    tt.store %q, %value : {MANY}
    """
    simulate(body)
    with pytest.raises(RaceError, match="race on 'out'") as caught:
        simulate(body, grid=2)
    assert caught.value.message.endswith(
        "write by the default task of CTA (1, 0, 0) is not ordered after the write by "
        "the default task of CTA (0, 0, 0)"
    )


def test_programs_that_store_apart():
    body = """
    %pid = tt.get_program_id x : i32
    %mine = tt.addptr %out, %pid : !tt.ptr<i32>, i32
    tt.store %mine, %pid : !tt.ptr<i32>
    """
    assert simulate(body, grid=8)[1] == list(range(8))


def test_program_ids_and_numbers():
    body = """
    %x = tt.get_program_id x : i32
    %y = tt.get_program_id y : i32
    %z = tt.get_program_id z : i32
    %nx = tt.get_num_programs x : i32
    %ny = tt.get_num_programs y : i32
    %yz = arith.muli %z, %ny : i32
    %yy = arith.addi %yz, %y : i32
    %xy = arith.muli %yy, %nx : i32
    %i = arith.addi %xy, %x : i32
    %mine = tt.addptr %out, %i : !tt.ptr<i32>, i32
    %old = tt.load %mine : !tt.ptr<i32>
    %nz = tt.get_num_programs z : i32
    %v = arith.addi %nz, %i : i32
    tt.store %mine, %v : !tt.ptr<i32>
    """
    for resident in (1, 2, 100):
        got = simulate(
            body, out=np.zeros(12, np.int32), grid=(2, 3, 2), resident=resident
        )
        assert got[1] == [2 + i for i in range(12)]


UPDATE = (
    "%old = tt.atomic_rmw {0}, acq_rel, gpu, {1}, %v, %m : ({2}, {3}, {4}) -> {3}\n"
)


def rmw(kind, pointers, num=8):
    load = f"%v = tt.load %q : {MANY}\n"
    update = UPDATE.format(kind, pointers, MANY, "tensor<8xi32>", "tensor<8xi1>")
    keep = f"tt.store %q, %old : {MANY}\n"
    values = np.array([3, -1, 7, 100, -9, 12, 0, 5], np.int32)
    return simulate(load + update + keep, num, out=values.copy())


SOURCE = np.arange(10, 18, dtype=np.int32)
VALUES = np.array([3, -1, 7, 100, -9, 12, 0, 5], np.int32)


@pytest.mark.parametrize(
    ("kind", "combine"),
    [
        ("add", np.add),
        ("and", np.bitwise_and),
        ("or", np.bitwise_or),
        ("xor", np.bitwise_xor),
        ("max", np.maximum),
        ("min", np.minimum),
        ("exch", lambda old, new: new),
        (
            "umax",
            lambda old, new: np.maximum(old.view("u4"), new.view("u4")).view("i4"),
        ),
        (
            "umin",
            lambda old, new: np.minimum(old.view("u4"), new.view("u4")).view("i4"),
        ),
    ],
)
@pytest.mark.parametrize("num", [0, 5, 8])
def test_updates(kind, combine, num):
    src, old = rmw(kind, "%p", num)
    expected = combine(SOURCE, VALUES)
    assert src[:num] == expected[:num].tolist()
    assert src[num:] == SOURCE[num:].tolist()
    assert old[:num] == SOURCE[:num].tolist()


def test_updates_of_one_element_are_done_one_after_the_other():
    src, old = rmw("add", "%twice")
    sums = VALUES.reshape(4, 2).sum(1)
    assert src[:4] == (SOURCE[:4] + sums).tolist()
    assert old[::2] == SOURCE[:4].tolist()
    assert old[1::2] == (SOURCE[:4] + VALUES[::2]).tolist()


def test_float_add():
    out = np.zeros(2, np.float32)
    body = """
    %v = arith.constant 1.5 : f32
    %t = arith.constant true
    %old = tt.atomic_rmw fadd, relaxed, gpu, %out, %v, %t
      : (!tt.ptr<f32>, f32, i1) -> f32
    """
    run("%out: !tt.ptr<f32>", body, out, grid=5)
    assert out.tolist() == [7.5, 0]


def test_compare_and_swap():
    body = f"""
    %v = tt.load %q : {MANY}
    %old = tt.atomic_cas acq_rel, gpu, %p, %v, %nine
      : ({MANY}, tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
    tt.store %q, %old : {MANY}
    """
    expected = np.array([10, 0, 12, 0, 0, 15, 0, 0], np.int32)
    src, old = simulate(body, out=expected)
    assert src == [9, 11, 9, 13, 14, 9, 16, 17]
    assert old == list(range(10, 18))


def test_one_of_many_wins_a_swap():
    body = """
    %zero_ = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %pid = tt.get_program_id x : i32
    %me = arith.addi %pid, %one : i32
    %old = tt.atomic_cas acq_rel, gpu, %src, %zero_, %me
      : (!tt.ptr<i32>, i32, i32) -> i32
    %mine = tt.addptr %out, %pid : !tt.ptr<i32>, i32
    tt.store %mine, %old : !tt.ptr<i32>
    """
    winners = set()
    for seed in range(12):
        src, old = simulate(
            body, src=np.zeros(8, np.int32), grid=4, schedule="random", seed=seed
        )
        winner = src[0]
        assert 1 <= winner <= 4
        assert [old[i] for i in range(4)] == [
            0 if i == winner - 1 else winner for i in range(4)
        ]
        winners.add(winner)
    assert len(winners) > 1


def test_atomic_and_plain_access_race():
    body = """
    %one = arith.constant 1 : i32
    %t = arith.constant true
    %old = tt.atomic_rmw add, relaxed, gpu, %src, %one, %t
      : (!tt.ptr<i32>, i32, i1) -> i32
    %v = tt.load %src : !tt.ptr<i32>
    """
    with pytest.raises(RaceError):
        simulate(body, grid=2)


def test_scratch_belongs_to_the_program():
    body = """
    %s8 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32}
      : !tt.ptr<i8>
    %s32 = tt.bitcast %s8 : !tt.ptr<i8> -> !tt.ptr<i32>
    %pid = tt.get_program_id x : i32
    tt.store %s32, %pid : !tt.ptr<i32>
    %v = tt.load %s32 : !tt.ptr<i32>
    %mine = tt.addptr %out, %pid : !tt.ptr<i32>, i32
    tt.store %mine, %v : !tt.ptr<i32>
    """
    assert simulate(body, grid=8)[1] == list(range(8))
    with pytest.raises(UninitialisedRead):
        simulate(body.replace("tt.store %s32, %pid : !tt.ptr<i32>", ""))
