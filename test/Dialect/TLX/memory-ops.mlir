// RUN: tlx-opt --verify-roundtrip %s | FileCheck %s

// CHECK-LABEL: func.func @alloc
func.func @alloc(%i: i32) {
  // CHECK: %[[B:.*]] = tlx.local_alloc : !tlx.buffer<[3] 64x64xf16, smem>
  %b = tlx.local_alloc : !tlx.buffer<[3] 64x64xf16, smem>
  // CHECK: tlx.local_alloc : !tlx.buffer<[1] 1xi1, tmem, "pinned">
  %p = tlx.local_alloc : !tlx.buffer<[1] 1xi1, tmem, "pinned">
  // CHECK: tlx.local_view %[[B]][%{{.*}}] : !tlx.buffer<[3] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  %v = tlx.local_view %b[%i] : !tlx.buffer<[3] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  return
}

// The last index is legal.
// CHECK-LABEL: func.func @view_last
func.func @view_last(%b: !tlx.buffer<[3] 64x64xf16, smem>) {
  %i = arith.constant 2 : i32
  // CHECK: tlx.local_view
  %v = tlx.local_view %b[%i] : !tlx.buffer<[3] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  return
}

// CHECK-LABEL: func.func @load_store
func.func @load_store(%v: !tlx.buffer<64x64xf16, smem>, %tok: !tlx.token) {
  // CHECK: tlx.local_load %{{.*}} token %{{.*}} : !tlx.buffer<64x64xf16, smem> -> tensor<64x64xf16>
  %t = tlx.local_load %v token %tok : !tlx.buffer<64x64xf16, smem> -> tensor<64x64xf16>
  // CHECK: tlx.local_store %{{.*}}, %{{.*}} : tensor<64x64xf16> -> !tlx.buffer<64x64xf16, smem>
  tlx.local_store %t, %v : tensor<64x64xf16> -> !tlx.buffer<64x64xf16, smem>
  return
}

// CHECK-LABEL: func.func @views
func.func @views(%v: !tlx.buffer<64x128xf16, smem>) {
  // CHECK: tlx.local_trans %{{.*}} {order = array<i32: 1, 0>} : !tlx.buffer<64x128xf16, smem> -> !tlx.buffer<128x64xf16, smem>
  %0 = tlx.local_trans %v {order = array<i32: 1, 0>} : !tlx.buffer<64x128xf16, smem> -> !tlx.buffer<128x64xf16, smem>
  // CHECK: tlx.local_slice %{{.*}} {offsets = array<i32: 0, 96>} : !tlx.buffer<64x128xf16, smem> -> !tlx.buffer<64x32xf16, smem>
  %1 = tlx.local_slice %v {offsets = array<i32: 0, 96>} : !tlx.buffer<64x128xf16, smem> -> !tlx.buffer<64x32xf16, smem>
  // CHECK: tlx.local_reshape %{{.*}} : !tlx.buffer<64x128xf16, smem> -> !tlx.buffer<8192xf16, smem>
  %2 = tlx.local_reshape %v : !tlx.buffer<64x128xf16, smem> -> !tlx.buffer<8192xf16, smem>
  // CHECK: tlx.local_reinterpret %{{.*}} : !tlx.buffer<64x128xf16, smem> -> !tlx.buffer<64x64xf32, smem>
  %3 = tlx.local_reinterpret %v : !tlx.buffer<64x128xf16, smem> -> !tlx.buffer<64x64xf32, smem>
  return
}

// CHECK-LABEL: func.func @entries
func.func @entries(%v: !tlx.buffer<4x64x64xf16, smem>, %i: i32) {
  %c3 = arith.constant 3 : i32
  // CHECK: %[[E:.*]] = tlx.local_index %{{.*}}[%{{.*}}] : !tlx.buffer<4x64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  %0 = tlx.local_index %v[%c3] : !tlx.buffer<4x64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  // CHECK: tlx.local_index %[[E]][%{{.*}}] : !tlx.buffer<64x64xf16, smem> -> !tlx.buffer<64xf16, smem>
  %1 = tlx.local_index %0[%i] : !tlx.buffer<64x64xf16, smem> -> !tlx.buffer<64xf16, smem>
  return
}

// CHECK-LABEL: func.func @selections
func.func @selections(%v: !tlx.buffer<64x32xf16, smem>, %i: tensor<8x32xi16>) {
  // CHECK: %[[T:.*]] = tlx.local_gather %{{.*}}[%{{.*}}] {axis = 0 : i32} : !tlx.buffer<64x32xf16, smem>, tensor<8x32xi16> -> tensor<8x32xf16>
  %t = tlx.local_gather %v[%i] {axis = 0 : i32} : !tlx.buffer<64x32xf16, smem>, tensor<8x32xi16> -> tensor<8x32xf16>
  // CHECK: tlx.local_scatter %[[T]], %{{.*}}[%{{.*}}] {axis = 0 : i32} : tensor<8x32xf16>, tensor<8x32xi16> -> !tlx.buffer<64x32xf16, smem>
  tlx.local_scatter %t, %v[%i] {axis = 0 : i32} : tensor<8x32xf16>, tensor<8x32xi16> -> !tlx.buffer<64x32xf16, smem>
  return
}
