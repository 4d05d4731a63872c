# SPDX-License-Identifier: MIT
"""Numbers of threads, and scalars that differ by thread."""

import numpy as np
import pytest
from evaluation import evaluate
from running import run, tasks

SHOW = 'tt.print " " {{hex = true, isSigned = array<i32: 1>}} : {} : {}\n'


@pytest.fixture
def shown(capsys):
    """Returns what is printed: words by thread, one word if all are the same."""

    def values(body, params="", *args, **options):
        run(params, body, *args, **options)
        lines = [line.split() for line in capsys.readouterr().out.splitlines()]
        if len(lines) == 1 and "thread" not in lines[0]:
            return int(lines[0][-1], 16)
        return {int(line[5]): int(line[-1], 16) for line in lines}

    return values


def numbers(name, show="%i"):
    return f"%i = {name} : i32\n" + SHOW.format(show, "i32")


@pytest.mark.parametrize("num_warps", [1, 4])
@pytest.mark.parametrize("name", ["tlx.thread_id x", "nvvm.read.ptx.sreg.tid.x"])
def test_threads(shown, name, num_warps):
    count = 32 * num_warps
    assert shown(numbers(name), num_warps=num_warps) == {t: t for t in range(count)}


@pytest.mark.parametrize("name", ["tlx.thread_id x", "nvvm.read.ptx.sreg.tid.x"])
def test_threads_of_tasks(shown, name):
    """They are numbered in the CTA."""
    body = tasks("", numbers(name), "", warps=2)
    assert shown(body) == {t: t for t in range(128, 192)}
    body = tasks("", "", numbers(name), warps=1)
    assert shown(body) == {t: t for t in range(160, 192)}


@pytest.mark.parametrize(
    "name",
    [
        "tlx.thread_id y",
        "tlx.thread_id z",
        "nvvm.read.ptx.sreg.tid.y",
        "nvvm.read.ptx.sreg.tid.z",
    ],
)
def test_other_axes(shown, name):
    assert shown(numbers(name)) == 0


def test_lanes(shown):
    assert shown(numbers("nvvm.read.ptx.sreg.laneid")) == {
        t: t % 32 for t in range(128)
    }


def test_warps_are_numbered_in_their_task(shown):
    warp = "%i = ttg.warp_id\n" + SHOW.format("%i", "i32")
    assert shown(warp) == {t: t // 32 for t in range(128)}
    assert shown(tasks("", warp, warps=2)) == {
        t: (t - 128) // 32 for t in range(128, 192)
    }
    assert shown(tasks("", warp, warps=1)) == 0


def test_a_number_of_a_warp_is_the_same_in_a_task_of_one(shown):
    """It can be used where threads must agree."""
    body = """
    %t = tlx.thread_id x : i32
    %c32 = arith.constant 32 : i32
    %i = arith.divsi %t, %c32 : i32
    %x = tt.splat %i : i32 -> tensor<4xi32>
    """ + SHOW.format("%i", "i32")
    assert shown(body, num_warps=1) == 0


def test_lanes_in_assembly(shown):
    text = "mov.u32 $0, %laneid;"
    body = f"%i = {asm(text, [], 'i32')}\n" + SHOW.format("%i", "i32")
    assert shown(body) == {t: t % 32 for t in range(128)}


def test_threads_in_assembly(shown):
    """Of a task, with an operand that differs by thread, too."""
    text = "add.u32 $0, %tid.x, $1; add.u32 $0, $0, %tid.x;"
    body = "%a = nvvm.read.ptx.sreg.laneid : i32\n%i = "
    body += asm(text, ["i32"], "i32") + "\n" + SHOW.format("%i", "i32")
    expected = {t: 2 * t + t % 32 for t in range(128, 192)}
    assert shown(tasks("", body, warps=2)) == expected


def test_assembly_of_some_threads(shown):
    body = (
        """
    %t = tlx.thread_id x : i32
    %c5 = arith.constant 5 : i32
    %few = arith.cmpi slt, %t, %c5 : i32
    scf.if %few {
      %i = """
        + asm("mov.u32 $0, %laneid;", [], "i32")
        + "\n"
    )
    body += SHOW.format("%i", "i32") + "}"
    assert shown(body) == {t: t for t in range(5)}


def asm(text, sources, target):
    constraints = ",".join(["=r", *("r" for _ in sources)])
    names = ", ".join(f"%{name}" for name in "abc"[: len(sources)])
    operands = f"{names} : {', '.join(sources)} " if sources else ""
    return (
        f'tt.elementwise_inline_asm "{text}" {{constraints = "{constraints}", '
        f"packed_element = 1 : i32, pure = true}} {operands}-> {target}"
    )


OPERATIONS = [
    ("arith.addi %a, %b : i32", ["i32", "i32"], "i32"),
    ("arith.divsi %a, %b : i32", ["i32", "i32"], "i32"),
    ("arith.remui %a, %b : i32", ["i32", "i32"], "i32"),
    ("arith.shli %a, %b : i32", ["i32", "i32"], "i32"),
    ("arith.shrsi %a, %b : i32", ["i32", "i32"], "i32"),
    ("arith.minsi %a, %b : i32", ["i32", "i32"], "i32"),
    ("arith.maxui %a, %b : i64", ["i64", "i64"], "i64"),
    ("arith.cmpi ult, %a, %b : i32", ["i32", "i32"], "i1"),
    ("arith.xori %a, %b : i8", ["i8", "i8"], "i8"),
    ("arith.trunci %a : i32 to i8", ["i32"], "i8"),
    ("arith.extui %a : i8 to i64", ["i8"], "i64"),
    ("arith.sitofp %a : i32 to f32", ["i32"], "f32"),
    ("arith.fptosi %a : f32 to i32", ["f32"], "i32"),
    ("arith.truncf %a : f32 to f16", ["f32"], "f16"),
    ("arith.bitcast %a : i32 to f32", ["i32"], "f32"),
    ("arith.addf %a, %b : f32", ["f32", "f32"], "f32"),
    ("arith.divf %a, %b : f64", ["f64", "f64"], "f64"),
    ("arith.cmpf olt, %a, %b : f32", ["f32", "f32"], "i1"),
    ("arith.maxnumf %a, %b : f16", ["f16", "f16"], "f16"),
    ("arith.negf %a : f32", ["f32"], "f32"),
    ("arith.select %a, %b, %c : f32", ["i1", "f32", "f32"], "f32"),
    ("math.exp2 %a : f32", ["f32"], "f32"),
    ("math.fma %a, %b, %c : f32", ["f32", "f32", "f32"], "f32"),
    ("math.ctpop %a : i32", ["i32"], "i32"),
    ("math.absi %a : i32", ["i32"], "i32"),
    ("tt.mulhiui %a, %b : i32", ["i32", "i32"], "i32"),
    ("tt.clampf %a, %b, %c, propagateNan = none : f32", ["f32"] * 3, "f32"),
    (
        'tt.extern_elementwise %a {libname = "", libpath = "", pure = true, '
        'symbol = "__nv_clz"} : (i32) -> i32',
        ["i32"],
        "i32",
    ),
    (asm("add.s32 $0, $1, $2;", ["i32", "i32"], "i32"), ["i32", "i32"], "i32"),
]
DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def random_values(type, seed):
    """Returns 32 numbers of a type, among them some that are alike."""
    random = np.random.default_rng(seed)
    if type[0] == "f":
        return random.integers(-9, 9, 32).astype(DTYPES[type]) / DTYPES[type](4)
    if type == "i1":
        return random.integers(0, 2, 32).astype(np.bool_)
    bits = int(type[1:])
    return random.integers(-9, 40, 32).astype(f"i{bits // 8}")


@pytest.mark.parametrize(("operation", "types", "result"), OPERATIONS)
def test_operations_are_done_in_each_thread(shown, operation, types, result):
    names = "abc"[: len(types)]
    arrays = [random_values(type, seed) for seed, type in enumerate(types)]
    typed = list(zip(names, types, strict=True))
    params = ", ".join(f"%p{n}: !tt.ptr<{t}>" for n, t in typed)
    body = "%t = tlx.thread_id x : i32\n"
    for n, t in typed:
        body += f"%q{n} = tt.addptr %p{n}, %t : !tt.ptr<{t}>, i32\n"
        body += f"%{n} = tt.load %q{n} : !tt.ptr<{t}>\n"
    body += f"%r = {operation}\n" + SHOW.format("%r", result)
    found = shown(body, params, *[a.copy() for a in arrays], num_warps=1)
    scalars = ", ".join(f"%{n}: {t}" for n, t in typed)
    for thread in range(32):
        args = [
            array[thread] if array.dtype.kind == "f" else int(array[thread])
            for array in arrays
        ]
        value = evaluate(scalars, f"%r = {operation}", *args)
        bits = 8 if result == "i1" else int(result[1:])
        if result[0] == "f":
            value = int.from_bytes(value.tobytes(), "little")
        assert found[thread] == int(value) & ((1 << bits) - 1), thread


def test_operations_with_two_results(shown):
    body = """
    %t = tlx.thread_id x : i32
    %m = arith.constant -3 : i32
    %low, %high = arith.mulsi_extended %t, %m : i32
    """ + SHOW.format("%high", "i32")
    assert shown(body, num_warps=1) == {t: 0xFFFFFFFF if t else 0 for t in range(32)}
