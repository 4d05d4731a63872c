// RUN: tlx-opt --verify-roundtrip %s | FileCheck %s

// CHECK-LABEL: func.func @mbarrier
func.func @mbarrier(%i: i32, %p: i1) {
  // CHECK: %[[M:.*]] = tlx.alloc_barriers : !tlx.barrier<[3], count = 2>
  %m = tlx.alloc_barriers : !tlx.barrier<[3], count = 2>
  // CHECK: %[[S:.*]] = tlx.barrier_view %[[M]][%{{.*}}] : !tlx.barrier<[3], count = 2> -> !tlx.barrier<count = 2>
  %s = tlx.barrier_view %m[%i] : !tlx.barrier<[3], count = 2> -> !tlx.barrier<count = 2>
  // CHECK: tlx.barrier_expect_bytes %[[S]], 1048575 : !tlx.barrier<count = 2>
  tlx.barrier_expect_bytes %s, 1048575 : !tlx.barrier<count = 2>
  // CHECK: tlx.barrier_expect_bytes %[[S]], 0 pred %{{.*}} : !tlx.barrier<count = 2>
  tlx.barrier_expect_bytes %s, 0 pred %p : !tlx.barrier<count = 2>
  // CHECK: tlx.barrier_wait %[[S]], %{{.*}} : !tlx.barrier<count = 2>
  tlx.barrier_wait %s, %i : !tlx.barrier<count = 2>
  // CHECK: tlx.barrier_wait %[[S]], %{{.*}} pred %{{.*}} : !tlx.barrier<count = 2>
  tlx.barrier_wait %s, %i pred %p : !tlx.barrier<count = 2>
  // CHECK: tlx.barrier_arrive %[[S]], 2 : !tlx.barrier<count = 2>
  tlx.barrier_arrive %s, 2 : !tlx.barrier<count = 2>
  // CHECK: tlx.barrier_arrive %[[S]], 1 pred %{{.*}} : !tlx.barrier<count = 2>
  tlx.barrier_arrive %s, 1 pred %p : !tlx.barrier<count = 2>
  return
}

// The limits of the count, and a barrier on which each thread arrives.
// CHECK-LABEL: func.func @counts
// CHECK-SAME: !tlx.barrier<count = 1048575>, %{{.*}}: !tlx.barrier<[1], count = 128, warp>
func.func @counts(%a: !tlx.barrier<count = 1048575>, %b: !tlx.barrier<[1], count = 128, warp>) {
  return
}

// CHECK-LABEL: func.func @named
func.func @named() {
  %first = arith.constant 0 : i32
  %last = arith.constant 15 : i32
  %few = arith.constant 32 : i32
  %all = arith.constant 1024 : i32
  // CHECK: tlx.named_barrier_wait %{{.*}}, %{{.*}} : i32, i32
  tlx.named_barrier_wait %first, %few : i32, i32
  // CHECK: tlx.named_barrier_arrive %{{.*}}, %{{.*}} : i32, i32
  tlx.named_barrier_arrive %last, %all : i32, i32
  return
}

// CHECK-LABEL: func.func @fences
func.func @fences() {
  // CHECK: tlx.fence async_shared
  tlx.fence async_shared
  // CHECK: tlx.fence gpu
  tlx.fence gpu
  // CHECK: tlx.fence sys
  tlx.fence sys
  return
}
