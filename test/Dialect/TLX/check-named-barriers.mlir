// RUN: tlx-opt %s --tlx-check-named-barriers --split-input-file | FileCheck %s

// Two tasks meet: 4 + 4 warps. Barrier 3 is free, as the second partition has
// one warp.
// CHECK-LABEL: module
// CHECK: tlx.named_barrier_wait
module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @meet(%unknown: i32) {
    %id = arith.constant 3 : i32
    %n = arith.constant 256 : i32
    tlx.async_tasks {
      tlx.async_task default {
        tlx.named_barrier_arrive %id, %n : i32, i32
      }
      tlx.async_task num_warps = 4 {
        tlx.named_barrier_wait %id, %n : i32, i32
        tlx.named_barrier_wait %unknown, %n : i32, i32
      }
      tlx.async_task num_warps = 1 {
      }
    }
    return
  }
}

// -----

// Without tasks barrier 1 is free.
// CHECK-LABEL: module
// CHECK: tlx.named_barrier_wait
module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @alone() {
    %id = arith.constant 1 : i32
    %n = arith.constant 128 : i32
    tlx.named_barrier_wait %id, %n : i32, i32
    return
  }
}
