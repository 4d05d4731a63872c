# SPDX-License-Identifier: MIT
"""What a program prints, asserts and knows of its place."""

import numpy as np
import pytest
from running import run

from tlx.simulator.findings.asserts import AssertionFailed


def printed(capsys, params, body, *args, **options):
    run(params, body, *args, **options)
    return capsys.readouterr().out.splitlines()


PRINT = 'tt.print " x: " {{hex = {}, isSigned = array<i32: {}>}} : {} : {}'


def test_scalars(capsys):
    body = PRINT.format("false", "1", "%a", "i32")
    got = printed(capsys, "%a: i32", body, -3, grid=(2, 1, 1))
    assert got == ["pid (0, 0, 0) x: -3", "pid (1, 0, 0) x: -3"]


def test_one_line_per_operand(capsys):
    body = PRINT.format("false", "1, 1", "%a, %b", "i32, f32")
    got = printed(capsys, "%a: i32, %b: f32", body, 3, np.float32(0.5))
    assert got == ["pid (0, 0, 0) x: 3", "pid (0, 0, 0) x: 0.5"]


def test_tensors(capsys):
    body = "%t = arith.constant dense<[1, -2, 3, 4]> : tensor<4xi32>\n"
    got = printed(capsys, "", body + PRINT.format("false", "1", "%t", "tensor<4xi32>"))
    assert got == ["pid (0, 0, 0) x: [ 1 -2  3  4]"]


def test_unsigned(capsys):
    got = printed(capsys, "%a: i8", PRINT.format("false", "0", "%a", "i8"), -3)
    assert got == ["pid (0, 0, 0) x: 253"]


@pytest.mark.parametrize(
    ("type", "value", "shown"),
    [
        ("i8", -3, "0xfd"),
        ("i32", 255, "0x000000ff"),
        ("i64", -1, "0xffffffffffffffff"),
        ("f32", np.float32(1.0), "0x3f800000"),
        ("f16", np.float16(-2.0), "0xc000"),
    ],
)
def test_hexadecimal(capsys, type, value, shown):
    got = printed(capsys, f"%a: {type}", PRINT.format("true", "1", "%a", type), value)
    assert got == [f"pid (0, 0, 0) x: {shown}"]


def test_text_alone(capsys):
    body = 'tt.print "here" {hex = false, isSigned = array<i32>}'
    assert printed(capsys, "", body) == ["pid (0, 0, 0)here"]


ASSERT = """
%at = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
%n = tt.splat %num : i32 -> tensor<4xi32>
%m = arith.cmpi slt, %at, %n : tensor<4xi32>
tt.assert %m, "too far" : tensor<4xi1>
"""


def test_assert():
    run("%num: i32", ASSERT, 4)
    with pytest.raises(AssertionFailed, match="device_assert failed: too far") as e:
        run("%num: i32", ASSERT, 3)
    assert e.value.subject == "CTA (0, 0, 0)"
    assert e.value.line == 7


def test_clock_goes_forward():
    out = np.zeros(2, np.int64)
    body = """
    %one = arith.constant 1 : i32
    %a = tlx.clock64 : i64
    %x = tt.load %out : !tt.ptr<i64>
    %b = tlx.clock64 : i64
    tt.store %out, %a : !tt.ptr<i64>
    %q = tt.addptr %out, %one : !tt.ptr<i64>, i32
    tt.store %q, %b : !tt.ptr<i64>
    """
    run("%out: !tt.ptr<i64>", body, out)
    assert 0 <= out[0] < out[1]
