// RUN: tlx-opt --verify-roundtrip %s | FileCheck %s

// CHECK-LABEL: func.func @async_load
func.func @async_load(%p: tensor<64x!tt.ptr<f16>>, %v: !tlx.buffer<64xf16, smem>, %m: tensor<64xi1>, %o: f16) {
  // CHECK: %[[A:.*]] = tlx.async_load %{{.*}}, %{{.*}} : tensor<64x!tt.ptr<f16>> -> !tlx.buffer<64xf16, smem>
  %a = tlx.async_load %p, %v : tensor<64x!tt.ptr<f16>> -> !tlx.buffer<64xf16, smem>
  // CHECK: %[[B:.*]] = tlx.async_load %{{.*}}, %{{.*}} mask %{{.*}} : tensor<64xi1> other %{{.*}} : f16
  %b = tlx.async_load %p, %v mask %m : tensor<64xi1> other %o : f16 {is_volatile} : tensor<64x!tt.ptr<f16>> -> !tlx.buffer<64xf16, smem>
  // CHECK: %[[G:.*]] = tlx.async_load_commit_group tokens %[[A]], %[[B]]
  %g = tlx.async_load_commit_group tokens %a, %b
  // CHECK: tlx.async_load_wait_group 0 tokens %[[G]]
  %w = tlx.async_load_wait_group 0 tokens %g
  // CHECK: tlx.async_load_wait_group 2
  %x = tlx.async_load_wait_group 2
  return
}

// The smallest and the largest legal size of a buffer of 128 bytes.
// CHECK-LABEL: func.func @bulk
func.func @bulk(%p: !tt.ptr<f16>, %ps: tensor<64x!tt.ptr<f16>>, %v: !tlx.buffer<64xf16, smem>, %bar: !tlx.barrier<count = 1>, %pred: i1) {
  %small = arith.constant 16 : i32
  %large = arith.constant 128 : i32
  // CHECK: tlx.async_bulk_load %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : !tt.ptr<f16>, !tlx.buffer<64xf16, smem>, !tlx.barrier<count = 1>
  tlx.async_bulk_load %p, %v, %small, %bar : !tt.ptr<f16>, !tlx.buffer<64xf16, smem>, !tlx.barrier<count = 1>
  // CHECK: tlx.async_bulk_load %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} pred %{{.*}} : tensor<64x!tt.ptr<f16>>,
  tlx.async_bulk_load %ps, %v, %large, %bar pred %pred : tensor<64x!tt.ptr<f16>>, !tlx.buffer<64xf16, smem>, !tlx.barrier<count = 1>
  // CHECK: tlx.async_bulk_store %{{.*}}, %{{.*}}, %{{.*}} : !tlx.buffer<64xf16, smem>, !tt.ptr<f16>
  tlx.async_bulk_store %v, %p, %large : !tlx.buffer<64xf16, smem>, !tt.ptr<f16>
  return
}
