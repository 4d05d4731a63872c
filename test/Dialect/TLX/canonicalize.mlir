// RUN: tlx-opt %s --canonicalize --cse --split-input-file --allow-unregistered-dialect | FileCheck %s

// Two equal allocations stay apart, as do two equal barrier arrays.
// CHECK-LABEL: func.func @allocs
func.func @allocs() {
  // CHECK-COUNT-2: tlx.local_alloc
  %0 = tlx.local_alloc : !tlx.buffer<[1] 64xf16, smem>
  %1 = tlx.local_alloc : !tlx.buffer<[1] 64xf16, smem>
  // CHECK-COUNT-2: tlx.alloc_barriers
  %2 = tlx.alloc_barriers : !tlx.barrier<[1], count = 1>
  %3 = tlx.alloc_barriers : !tlx.barrier<[1], count = 1>
  "test.use"(%0, %1, %2, %3) : (!tlx.buffer<[1] 64xf16, smem>, !tlx.buffer<[1] 64xf16, smem>, !tlx.barrier<[1], count = 1>, !tlx.barrier<[1], count = 1>) -> ()
  return
}

// -----

// A load after a wait is not the load before it.
// CHECK-LABEL: func.func @loads
func.func @loads(%v: !tlx.buffer<64xf16, smem>, %m: !tlx.barrier<count = 1>, %p: i32) -> (tensor<64xf16>, tensor<64xf16>) {
  // CHECK: %[[A:.*]] = tlx.local_load
  %a = tlx.local_load %v : !tlx.buffer<64xf16, smem> -> tensor<64xf16>
  // CHECK: tlx.barrier_wait
  tlx.barrier_wait %m, %p : !tlx.barrier<count = 1>
  // CHECK: %[[B:.*]] = tlx.local_load
  %b = tlx.local_load %v : !tlx.buffer<64xf16, smem> -> tensor<64xf16>
  // CHECK: return %[[A]], %[[B]]
  return %a, %b : tensor<64xf16>, tensor<64xf16>
}

// -----

// CHECK-LABEL: func.func @predicates
// CHECK-SAME: (%[[M:.*]]: !tlx.barrier<count = 1>, %[[P:.*]]: i32)
func.func @predicates(%m: !tlx.barrier<count = 1>, %p: i32) {
  %true = arith.constant true
  %false = arith.constant false
  // CHECK-NEXT: tlx.barrier_expect_bytes %[[M]], 16 :
  tlx.barrier_expect_bytes %m, 16 pred %true : !tlx.barrier<count = 1>
  tlx.barrier_expect_bytes %m, 32 pred %false : !tlx.barrier<count = 1>
  // CHECK-NEXT: tlx.barrier_wait %[[M]], %[[P]] :
  tlx.barrier_wait %m, %p pred %true : !tlx.barrier<count = 1>
  tlx.barrier_wait %m, %p pred %false : !tlx.barrier<count = 1>
  // CHECK-NEXT: tlx.barrier_arrive %[[M]], 1 :
  tlx.barrier_arrive %m, 1 pred %true : !tlx.barrier<count = 1>
  tlx.barrier_arrive %m, 1 pred %false : !tlx.barrier<count = 1>
  // CHECK-NEXT: return
  return
}

// -----

// CHECK-LABEL: func.func @transposes
// CHECK-SAME: (%[[V:.*]]: !tlx.buffer<16x32x64xf16, smem>)
func.func @transposes(%v: !tlx.buffer<16x32x64xf16, smem>) -> (!tlx.buffer<64x16x32xf16, smem>, !tlx.buffer<16x32x64xf16, smem>) {
  %0 = tlx.local_trans %v {order = array<i32: 1, 2, 0>} : !tlx.buffer<16x32x64xf16, smem> -> !tlx.buffer<32x64x16xf16, smem>
  // CHECK: %[[T:.*]] = tlx.local_trans %[[V]] {order = array<i32: 2, 0, 1>}
  %1 = tlx.local_trans %0 {order = array<i32: 1, 2, 0>} : !tlx.buffer<32x64x16xf16, smem> -> !tlx.buffer<64x16x32xf16, smem>
  %2 = tlx.local_trans %1 {order = array<i32: 1, 2, 0>} : !tlx.buffer<64x16x32xf16, smem> -> !tlx.buffer<16x32x64xf16, smem>
  // CHECK: return %[[T]], %[[V]]
  return %1, %2 : !tlx.buffer<64x16x32xf16, smem>, !tlx.buffer<16x32x64xf16, smem>
}

// -----

// CHECK-LABEL: func.func @same_views
// CHECK-SAME: (%[[V:.*]]: !tlx.buffer<64xf16, smem>)
func.func @same_views(%v: !tlx.buffer<64xf16, smem>) -> (!tlx.buffer<64xf16, smem>, !tlx.buffer<64xf16, smem>, !tlx.buffer<64xf16, smem>) {
  %0 = tlx.local_slice %v {offsets = array<i32: 0>} : !tlx.buffer<64xf16, smem> -> !tlx.buffer<64xf16, smem>
  %1 = tlx.local_reshape %v : !tlx.buffer<64xf16, smem> -> !tlx.buffer<64xf16, smem>
  %2 = tlx.local_reinterpret %v : !tlx.buffer<64xf16, smem> -> !tlx.buffer<64xf16, smem>
  // CHECK-NEXT: return %[[V]], %[[V]], %[[V]]
  return %0, %1, %2 : !tlx.buffer<64xf16, smem>, !tlx.buffer<64xf16, smem>, !tlx.buffer<64xf16, smem>
}

// -----

// A constant stays in its task, where it is no capture; a task is not dropped.
// CHECK-LABEL: func.func @tasks
func.func @tasks() {
  // CHECK-NEXT: tlx.async_tasks
  tlx.async_tasks {
    // CHECK-NEXT: tlx.async_task default
    tlx.async_task default {
    }
    // CHECK: tlx.async_task num_warps = 1
    tlx.async_task num_warps = 1 {
      // CHECK-NEXT: arith.constant
      %c = arith.constant 3 : i32
      "test.use"(%c) : (i32) -> ()
    }
  }
  return
}
