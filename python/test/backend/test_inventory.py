# SPDX-License-Identifier: MIT
"""Our list of stock passes leaves tasks, barriers and products as they were."""

from pathlib import Path

import pytest

from tlx.backend import names, stock_passes, wheel
from tlx.backend.inventory import Inventory
from tlx.backend.reproducer import Reproducer
from tlx.errors import InternalError

IR = Path(__file__).parent / "ir"

# One default task of 4 warps and one of 4 that stores a tile too small for it,
# which Triton's own passes shrink for sm_100.
SMALL_TILE = """
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4],
                   order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32,
                   ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @small_tile(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    ttg.warp_specialize(%p)
    default {
      ttg.warp_yield
    }
    partition0(%q: !tt.ptr<f32>) num_warps(4) {
      %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #b>
      %v = arith.sitofp %r : tensor<16xi32, #b> to tensor<16xf32, #b>
      %s = tt.splat %q : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #b>
      %a = tt.addptr %s, %r : tensor<16x!tt.ptr<f32>, #b>, tensor<16xi32, #b>
      tt.store %a, %v : tensor<16x!tt.ptr<f32>, #b>
      ttg.warp_return
    } : (!tt.ptr<f32>) -> ()
    tt.return
  }
}
"""


def parse(text):
    with Reproducer(text, "inventory", ".ttgir") as file:
        return wheel.parse(file, wheel.new_context())


@pytest.mark.parametrize(
    ("name", "capability", "warps"),
    [("hopper_ws_gemm", 90, "4 + 1"), ("blackwell_gemm", 100, "4")],
)
def test_passes_keep_what_the_user_wrote(name, capability, warps):
    text = (IR / f"{name}.ttgir").read_text()
    before = Inventory.of(str(parse(text)))
    after = Inventory.of(str(wheel.lower_ttgir(text, capability)))
    assert before.warps_text() == warps
    assert before.ops["ttng.wait_barrier"] >= 2
    assert before.differences(after) == []


def test_small_task_keeps_its_warps():
    after = Inventory.of(str(wheel.lower_ttgir(SMALL_TILE, 100)))
    assert after.task_warps == (4,)


def test_a_pass_that_shrinks_tasks_is_found(monkeypatch, tmp_path):
    monkeypatch.setenv("TLX_REPRODUCER_DIR", str(tmp_path))
    shrinking = stock_passes.StockPass("ttgpuir.add_optimize_partition_warps")
    monkeypatch.setattr(stock_passes, "PASSES", (*stock_passes.PASSES, shrinking))
    with pytest.raises(InternalError, match=r"warps of tasks from 4 \+ 4 to 4 \+ 1"):
        wheel.lower_ttgir(SMALL_TILE, 100)


def test_explicit_kernels_are_told_from_others():
    body = """
    tt.func public @plain(%p: !tt.ptr<f32>) {
      %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #b>
      %c = ttg.convert_layout %r : tensor<16xi32, #b> -> tensor<16xi32, #c>
      tt.return
    }
    """
    header = 'module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {'
    assert not Inventory.of(f"{header}{body}}}").is_explicit
    assert Inventory.of(str(parse(SMALL_TILE))).is_explicit
    buffer = body.replace("tt.return", "%m = ttg.local_alloc : () -> !m\n tt.return")
    assert Inventory.of(f"{header}{buffer}}}").is_explicit


def test_differences_name_each_count():
    text = str(parse((IR / "hopper_ws_gemm.ttgir").read_text()))
    before = Inventory.of(text)
    changed = text.replace("num_warps(1)", "num_warps(2)")
    changed = changed.replace("ttng.arrive_barrier", "ttng.dropped", 1)
    assert before.differences(Inventory.of(changed)) == [
        "warps: 4 + 1 became 4 + 2",
        "ttng.arrive_barrier: 1 became 0",
    ]


def test_excluded_passes_exist_in_some_release():
    known = [name for name in stock_passes.EXCLUDED if exists(name)]
    assert "ttgpuir.add_optimize_partition_warps" in known
    assert names.TRITON_VERSION < (3, 9) or len(known) == len(stock_passes.EXCLUDED)


def exists(name):
    try:
        return callable(wheel._function(name))
    except AttributeError:
        return False
