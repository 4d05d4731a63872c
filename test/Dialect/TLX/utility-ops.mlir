// RUN: tlx-opt --verify-roundtrip %s | FileCheck %s

// CHECK-LABEL: func.func @registers
func.func @registers() {
  // CHECK: tlx.thread_id x : i32
  %x = tlx.thread_id x : i32
  // CHECK: tlx.thread_id z : i32
  %z = tlx.thread_id z : i32
  // CHECK: tlx.clock64 : i64
  %t = tlx.clock64 : i64
  return
}

// CHECK-LABEL: func.func @layouts
func.func @layouts(%t: tensor<64x64xf16>) {
  // CHECK: tlx.require_layout %{{.*}} {layout = "L", soft} : tensor<64x64xf16> -> tensor<64x64xf16, "L">
  %0 = tlx.require_layout %t {layout = "L", soft} : tensor<64x64xf16> -> tensor<64x64xf16, "L">
  // CHECK: tlx.release_layout %{{.*}} : tensor<64x64xf16, "L"> -> tensor<64x64xf16>
  %1 = tlx.release_layout %0 : tensor<64x64xf16, "L"> -> tensor<64x64xf16>
  return
}

// CHECK-LABEL: func.func @votes
func.func @votes(%mask: i32, %p: i1, %t: tensor<64x8xi1>) {
  // CHECK: tlx.vote_ballot_sync %{{.*}}, %{{.*}} : i1 -> i32
  %0 = tlx.vote_ballot_sync %mask, %p : i1 -> i32
  // CHECK: tlx.vote_ballot_sync %{{.*}}, %{{.*}} : tensor<64x8xi1> -> tensor<64x8xi32>
  %1 = tlx.vote_ballot_sync %mask, %t : tensor<64x8xi1> -> tensor<64x8xi32>
  return
}
