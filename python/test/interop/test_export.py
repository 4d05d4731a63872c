# SPDX-License-Identifier: MIT
"""What we print, the installed Triton parses, verifies and means the same by."""

import pytest

from tlx import _ext
from tlx.backend import names, wheel
from tlx.backend.reproducer import Reproducer

MODULE = """
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func public @kernel(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %s = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %a = tt.addptr %s, %r : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %z = arith.constant dense<0.0> : tensor<128xf32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z)
        -> (tensor<128xf32>) : i32 {
      %x = tt.load %a cacheModifier = cg evictionPolicy = evict_last
          : tensor<128x!tt.ptr<f32>>
      %y = arith.addf %acc, %x fastmath<fast> : tensor<128xf32>
      scf.yield %y : tensor<128xf32>
    }
    tt.store %a, %sum : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
"""


def export(text, version=names.TRITON_VERSION):
    context = _ext.Context()
    return _ext.print_for_triton(_ext.parse(text, context, "kernel.mlir"), version)


def parse_in_wheel(text):
    with Reproducer(text, "export", ".mlir") as file:
        return str(wheel.parse(file, wheel.new_context()))


def test_wheel_parses_what_we_print():
    printed = parse_in_wheel(export(MODULE))
    assert "tt.func public @kernel" in printed
    assert "evict_last" in printed
    assert "cg" in printed
    assert "fastmath<fast>" in printed
    assert "tt.divisibility = 16" in printed


def test_lines_of_the_source_arrive():
    line = MODULE.split("\n").index("    tt.store %a, %sum : tensor<128x!tt.ptr<f32>>")
    assert f'"kernel.mlir":{line + 1}:5' in parse_in_wheel(export(MODULE))


def test_module_is_left_as_it_is():
    context = _ext.Context()
    module = _ext.parse(MODULE, context, "kernel.mlir")
    before = str(module)
    _ext.print_for_triton(module, (3, 9))
    assert str(module) == before


def test_each_release_has_its_spelling():
    assert "cachePolicy" in export(MODULE, (3, 9))
    old = export(MODULE, (3, 8))
    assert "cachePolicy" not in old
    assert "evict = 3 : i32" in old


def test_what_a_release_lacks_is_an_error():
    text = """
    tt.func @kernel(%p: !tt.ptr<i32>) -> i32 {
      %x = tt.atomic_load acquire, gpu, %p : (!tt.ptr<i32>) -> i32
      tt.return %x : i32
    }
    """
    with pytest.raises(_ext.DiagnosticError, match=r"expects Triton 3\.9 or newer"):
        export(text, (3, 8))
