// RUN: tlx-opt %s --inline="default-pipeline=" --split-input-file | FileCheck %s

// CHECK-LABEL: tt.func public @one_block(
// CHECK:         %[[SUM:.*]] = arith.addi %arg0, %arg0
// CHECK-NEXT:    tt.return %[[SUM]]
tt.func public @one_block(%x: i32) -> i32 {
  %y = tt.call @twice(%x) : (i32) -> i32
  tt.return %y : i32
}
tt.func private @twice(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  tt.return %y : i32
}

// -----

// An early return becomes a branch.

// CHECK-LABEL: tt.func public @blocks(
// CHECK-NOT:     tt.call
// CHECK:         cf.cond_br
// CHECK:         cf.br ^[[END:bb[0-9]+]](%arg0 : i32)
// CHECK:         cf.br ^[[END]](%{{.*}} : i32)
// CHECK:       ^[[END]](%[[RESULT:.*]]: i32):
// CHECK-NEXT:    tt.return %[[RESULT]]
tt.func public @blocks(%x: i32, %p: i1) -> i32 {
  %y = tt.call @early(%x, %p) : (i32, i1) -> i32
  tt.return %y : i32
}
tt.func private @early(%x: i32, %p: i1) -> i32 {
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  tt.return %x : i32
^bb2:
  %y = arith.addi %x, %x : i32
  tt.return %y : i32
}

// -----

// A loop body holds one block only.

// CHECK-LABEL: tt.func public @in_loop(
// CHECK:         scf.for
// CHECK-NEXT:      tt.call @early
tt.func public @in_loop(%n: i32, %p: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %y = tt.call @early(%i, %p) : (i32, i1) -> i32
    tt.print "y" {hex = false, isSigned = array<i32: 1>} : %y : i32
  }
  tt.return
}
tt.func private @early(%x: i32, %p: i1) -> i32 {
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  tt.return %x : i32
^bb2:
  %y = arith.addi %x, %x : i32
  tt.return %y : i32
}

// -----

// CHECK-LABEL: tt.func public @no_inline(
// CHECK:         tt.call @kept
tt.func public @no_inline(%x: i32) -> i32 {
  %y = tt.call @kept(%x) : (i32) -> i32
  tt.return %y : i32
}
tt.func private @kept(%x: i32) -> i32 attributes {noinline = true} {
  tt.return %x : i32
}

// -----

// Captures of a partition are its own values.

// CHECK-LABEL: tt.func public @in_partition(
// CHECK:         partition0(%[[X:.*]]: i32) num_warps(4) {
// CHECK-NEXT:      arith.addi %[[X]], %[[X]]
tt.func public @in_partition(%x: i32) {
  ttg.warp_specialize(%x)
  default {
    ttg.warp_yield
  }
  partition0(%y: i32) num_warps(4) {
    %z = tt.call @twice(%y) : (i32) -> i32
    tt.print "z" {hex = false, isSigned = array<i32: 1>} : %z : i32
    ttg.warp_return
  } : (i32) -> ()
  tt.return
}
tt.func private @twice(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  tt.return %y : i32
}
