# SPDX-License-Identifier: MIT
"""Integer arithmetic: two's complement for scalars and arrays alike."""

import pytest
from evaluation import binary, evaluate
from hypothesis import given
from hypothesis import strategies as st

I8 = [-128, -127, -1, 0, 1, 2, 127]


def both(name, type, a, b):
    """Evaluates on scalars and on arrays; both must agree."""
    scalar = binary(name, type, a, b)
    array = binary(name, f"tensor<1x{type}>", [a], [b])
    assert array.item() == scalar
    return scalar


@pytest.mark.parametrize(
    ("name", "a", "b", "expected"),
    [
        ("addi", 127, 1, -128),
        ("addi", -128, -1, 127),
        ("subi", -128, 1, 127),
        ("muli", 16, 16, 0),
        ("muli", -128, -1, -128),
        ("divsi", -7, 2, -3),
        ("divsi", 7, -2, -3),
        ("divsi", -128, -1, -128),
        ("divsi", 5, 0, -1),
        ("divui", -1, 2, 127),
        ("divui", 5, 0, -1),
        ("remsi", -7, 2, -1),
        ("remsi", 7, -2, 1),
        ("remsi", -128, -1, 0),
        ("remsi", 5, 0, 5),
        ("remui", -1, 10, 5),
        ("remui", -6, 0, -6),
        ("floordivsi", -7, 2, -4),
        ("floordivsi", 7, 2, 3),
        ("floordivsi", -128, -1, -128),
        ("floordivsi", 1, 0, -1),
        ("ceildivsi", -7, 2, -3),
        ("ceildivsi", 7, 2, 4),
        ("ceildivsi", -128, -1, -128),
        ("ceildivsi", 1, 0, -1),
        ("ceildivui", -1, 2, -128),
        ("ceildivui", 6, 3, 2),
        ("ceildivui", 1, 0, -1),
        ("minsi", -1, 1, -1),
        ("maxsi", -1, 1, 1),
        ("minui", -1, 1, 1),
        ("maxui", -1, 1, -1),
        ("andi", -1, 6, 6),
        ("ori", -128, 127, -1),
        ("xori", -1, 15, -16),
        ("shli", 1, 7, -128),
        ("shli", 3, 7, -128),
        ("shli", 1, 8, 0),
        ("shli", 1, -1, 0),
        ("shrui", -1, 1, 127),
        ("shrui", -1, 8, 0),
        ("shrsi", -128, 3, -16),
        ("shrsi", -128, 8, -1),
        ("shrsi", 127, 100, 0),
    ],
)
def test_i8(name, a, b, expected):
    assert both(f"arith.{name}", "i8", a, b) == expected


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_wraps_at_each_width(bits):
    most = (1 << (bits - 1)) - 1
    assert both("arith.addi", f"i{bits}", most, 1) == -most - 1
    assert both("arith.muli", f"i{bits}", most, 2) == -2
    assert both("arith.shli", f"i{bits}", 1, bits) == 0
    assert both("arith.shrsi", f"i{bits}", -5, bits) == -1


def test_index_has_64_bits():
    assert binary("arith.addi", "index", 2**63 - 1, 1) == -(2**63)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("addi", [0, 1, 1, 0]),
        ("subi", [0, 1, 1, 0]),
        ("muli", [0, 0, 0, 1]),
        ("andi", [0, 0, 0, 1]),
        ("ori", [0, 1, 1, 1]),
        ("xori", [0, 1, 1, 0]),
        # As a signed number, one bit holds 0 or -1.
        ("minsi", [0, 1, 1, 1]),
        ("maxsi", [0, 0, 0, 1]),
        ("minui", [0, 0, 0, 1]),
        ("maxui", [0, 1, 1, 1]),
        ("shli", [0, 0, 1, 0]),
        ("shrui", [0, 0, 1, 0]),
        ("shrsi", [0, 0, 1, 1]),
    ],
)
def test_one_bit(name, expected):
    pairs = [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [both(f"arith.{name}", "i1", a, b) for a, b in pairs] == expected


@pytest.mark.parametrize("name", ["divsi", "divui", "remsi", "remui"])
@given(a=st.sampled_from(I8), b=st.sampled_from(I8))
def test_division_agrees_on_scalars_and_arrays(name, a, b):
    both(f"arith.{name}", "i8", a, b)


@given(a=st.integers(-(2**63), 2**63 - 1), b=st.integers(-(2**63), 2**63 - 1))
def test_quotient_and_remainder_make_the_dividend(a, b):
    quotient = both("arith.divsi", "i64", a, b)
    remainder = both("arith.remsi", "i64", a, b)
    if b != 0:
        product = both("arith.muli", "i64", quotient, b)
        assert both("arith.addi", "i64", product, remainder) == a


PREDICATES = {
    "eq": [0, 1, 0],
    "ne": [1, 0, 1],
    "slt": [1, 0, 0],
    "sle": [1, 1, 0],
    "sgt": [0, 0, 1],
    "sge": [0, 1, 1],
    "ult": [0, 0, 1],
    "ule": [0, 1, 1],
    "ugt": [1, 0, 0],
    "uge": [1, 1, 0],
}


@pytest.mark.parametrize("predicate", PREDICATES)
def test_cmpi(predicate):
    pairs = [(-1, 1), (-1, -1), (1, -1)]
    results = [both(f"arith.cmpi {predicate},", "i32", a, b) for a, b in pairs]
    assert results == PREDICATES[predicate]


@pytest.mark.parametrize(
    ("predicate", "expected"), [("slt", 1), ("ult", 0), ("sgt", 0), ("ugt", 1)]
)
def test_cmpi_of_one_bit(predicate, expected):
    assert both(f"arith.cmpi {predicate},", "i1", 1, 0) == expected


def test_select():
    params = "%c: i1, %a: i32, %b: i32"
    text = "arith.select %c, %a, %b : i32"
    assert evaluate(params, text, 1, 5, 6) == 5
    assert evaluate(params, text, 0, 5, 6) == 6


def test_select_elementwise_and_by_a_scalar():
    params = "%c: tensor<2xi1>, %a: tensor<2xi16>, %b: tensor<2xi16>"
    text = "arith.select %c, %a, %b : tensor<2xi1>, tensor<2xi16>"
    assert evaluate(params, text, [1, 0], [1, 2], [3, 4]).tolist() == [1, 4]
    params = params.replace("tensor<2xi1>", "i1")
    text = "arith.select %c, %a, %b : tensor<2xi16>"
    assert evaluate(params, text, 0, [1, 2], [3, 4]).tolist() == [3, 4]


@pytest.mark.parametrize("bits", [8, 64])
@pytest.mark.parametrize(
    ("name", "a", "b", "expected"),
    [
        ("mulsi_extended", -1, -1, (1, 0)),
        ("mulsi_extended", -1, 5, (-5, -1)),
        ("mului_extended", -1, -1, (1, -2)),
        ("mului_extended", -1, 5, (-5, 4)),
        ("addui_extended", -1, 1, (0, 1)),
        ("addui_extended", 100, 1, (101, 0)),
    ],
)
def test_extended(bits, name, a, b, expected):
    second = ", i1" if name == "addui_extended" else ""
    params, text = "%a: T, %b: T", f"arith.{name} %a, %b : T{second}"
    scalar = [s.replace("T", f"i{bits}") for s in (params, text)]
    assert evaluate(*scalar, a, b) == expected
    tensor = [
        s.replace("T", f"tensor<1xi{bits}>").replace(", i1", ", tensor<1xi1>")
        for s in (params, text)
    ]
    low, high = evaluate(*tensor, [a], [b])
    assert (low.item(), high.item()) == expected


@given(a=st.integers(-(2**63), 2**63 - 1), b=st.integers(-(2**63), 2**63 - 1))
def test_mulhiui(a, b):
    expected = ((a % 2**64) * (b % 2**64)) >> 64
    assert both("tt.mulhiui", "i64", a, b) % 2**64 == expected
    expected = ((a % 2**32) * (b % 2**32)) >> 32
    short = [(x + 2**31) % 2**32 - 2**31 for x in (a, b)]
    assert both("tt.mulhiui", "i32", *short) % 2**32 == expected
