# SPDX-License-Identifier: MIT
"""Tensor descriptors that a kernel makes."""

import numpy as np
import pytest
from evaluation import run_kernel

from tlx.simulator.findings.asserts import AssertionFailed
from tlx.simulator.findings.memory import OutOfRange

ROWS, COLUMNS = 5, 8


def made(box, element, name="d", pointer="%p", padding="", rows=ROWS):
    """Text that makes a descriptor of a tensor of 5 x 8."""
    base = element.removeprefix("s").removeprefix("u")
    return f"""
      %m_{name} = arith.constant {rows} : i32
      %n_{name} = arith.constant {COLUMNS} : i32
      %s_{name} = arith.constant {COLUMNS} : i64
      %one_{name} = arith.constant 1 : i64
      %{name} = tt.make_tensor_descriptor {pointer}, [%m_{name}, %n_{name}],
        [%s_{name}, %one_{name}]{padding} : !tt.ptr<{base}>,
        !tt.tensordesc<{box}x{element}>
    """


def numbers(dtype=np.float32):
    return np.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS).astype(dtype)


OFFSETS = "%i = arith.constant {} : i32\n%j = arith.constant {} : i32\n"


@pytest.mark.parametrize(
    ("padding", "fill"), [("", 0.0), ("{padding = 2 : i32}", None)]
)
def test_load_outside_is_filled(padding, fill):
    box = "4x4"
    text = made(box, "f32", padding=padding) + OFFSETS.format(3, -1)
    text += (
        made(box, "f32", "e", "%q")
        + f"""
      %x = tt.descriptor_load %d[%i, %j] :
        !tt.tensordesc<{box}xf32> -> tensor<{box}xf32>
      %z = arith.constant 0 : i32
      tt.descriptor_store %e[%z, %z], %x : !tt.tensordesc<{box}xf32>, tensor<{box}xf32>
    """
    )
    source, target = numbers(), np.full((ROWS, COLUMNS), -1, np.float32)
    run_kernel("%p: !tt.ptr<f32>, %q: !tt.ptr<f32>", text, source, target)
    expected = np.full((4, 4), np.nan if fill is None else fill, np.float32)
    expected[:2, 1:] = source[3:5, 0:3]
    np.testing.assert_array_equal(target[:4, :4], expected)
    assert (target[4:] == -1).all()
    assert (target[:, 4:] == -1).all()


def test_store_outside_is_left_out():
    box = "4x4"
    text = (
        made(box, "f32")
        + OFFSETS.format(-2, 6)
        + f"""
      %x = arith.constant dense<9.0> : tensor<{box}xf32>
      tt.descriptor_store %d[%i, %j], %x : !tt.tensordesc<{box}xf32>, tensor<{box}xf32>
    """
    )
    target, expected = numbers(), numbers()
    run_kernel("%p: !tt.ptr<f32>", text, target)
    expected[:2, 6:] = 9
    np.testing.assert_array_equal(target, expected)


@pytest.mark.parametrize(
    ("kind", "element", "expected"),
    [
        ("add", "f32", [5, -1]),
        ("max", "si32", [4, 1]),
        ("min", "si32", [1, -2]),
        ("max", "ui32", [4, -2]),
        ("min", "ui32", [1, 1]),
        ("and", "ui32", [0, 0]),
        ("or", "ui32", [5, -1]),
        ("xor", "ui32", [5, -1]),
    ],
)
def test_reduce(kind, element, expected):
    base = element.removeprefix("s").removeprefix("u")
    dtype = np.float32 if base == "f32" else np.int32
    values = "[[1.0, 1.0]]" if base == "f32" else "[[1, 1]]"
    text = (
        made("1x2", element)
        + OFFSETS.format(0, 0)
        + f"""
      %x = arith.constant dense<{values}> : tensor<1x2x{base}>
      tt.descriptor_reduce {kind}, %d[%i, %j], %x :
        !tt.tensordesc<1x2x{element}>, tensor<1x2x{base}>
    """
    )
    target = numbers(dtype)
    target[0, :2] = [4, -2]
    run_kernel(f"%p: !tt.ptr<{base}>", text, target)
    assert target[0, :3].tolist() == [*expected, 2]


def test_gather_and_scatter():
    text = (
        made("1x4", "f32")
        + made("1x4", "f32", "e", "%q")
        + """
      %r = arith.constant dense<[4, 0, 7]> : tensor<3xi32>
      %c = arith.constant 1 : i32
      %x = tt.descriptor_gather %d[%r, %c] :
        (!tt.tensordesc<1x4xf32>, tensor<3xi32>, i32) -> tensor<3x4xf32>
      %t = arith.constant dense<[0, 2, 3]> : tensor<3xi32>
      %z = arith.constant 2 : i32
      tt.descriptor_scatter %e[%t, %z], %x :
        !tt.tensordesc<1x4xf32>, tensor<3xi32>, i32, tensor<3x4xf32>
    """
    )
    source, target = numbers(), np.full((ROWS, COLUMNS), -1, np.float32)
    run_kernel("%p: !tt.ptr<f32>, %q: !tt.ptr<f32>", text, source, target)
    expected = np.full((ROWS, COLUMNS), -1, np.float32)
    expected[0, 2:6] = source[4, 1:5]
    expected[2, 2:6] = source[0, 1:5]
    expected[3, 2:6] = 0
    np.testing.assert_array_equal(target, expected)


def test_tensor_beyond_the_array():
    text = (
        made("4x4", "f32", rows=ROWS + 1)
        + OFFSETS.format(4, 0)
        + """
      %x = tt.descriptor_load %d[%i, %j] : !tt.tensordesc<4x4xf32> -> tensor<4x4xf32>
    """
    )
    with pytest.raises(OutOfRange, match="does not lie in an array of the launch"):
        run_kernel("%p: !tt.ptr<f32>", text, numbers())


def test_assume():
    run_kernel("%a: i1", "llvm.intr.assume %a : i1", 1)
    with pytest.raises(AssertionFailed, match="what 'assume' states does not hold"):
        run_kernel("%a: i1", "llvm.intr.assume %a : i1", 0)
