// RUN: tlx-opt %s --split-input-file --verify-diagnostics

func.func @local_alloc_c1_one_buffer() {
  // expected-error @below {{'tlx.local_alloc' op expects the result to be a ring, but got '!tlx.buffer<64xf16, smem>'}}
  %b = tlx.local_alloc : !tlx.buffer<64xf16, smem>
  return
}

// -----

func.func @local_alloc_c1_remote() {
  // expected-error @below {{expects the result to be in smem or tmem, but got smemCluster}}
  %b = tlx.local_alloc : !tlx.buffer<[1] 64xf16, smemCluster>
  return
}

// -----

func.func @local_view_c1_one_buffer(%b: !tlx.buffer<64xf16, smem>, %i: i32) {
  // expected-error @below {{expects 'source' to be a ring, but got '!tlx.buffer<64xf16, smem>'}}
  %v = tlx.local_view %b[%i] : !tlx.buffer<64xf16, smem> -> !tlx.buffer<64xf16, smem>
  return
}

// -----

func.func @local_view_c2_too_large(%b: !tlx.buffer<[2] 64xf16, smem>) {
  %i = arith.constant 2 : i32
  // expected-error @below {{expects 'index' to be in [0, 1], but got 2}}
  %v = tlx.local_view %b[%i] : !tlx.buffer<[2] 64xf16, smem> -> !tlx.buffer<64xf16, smem>
  return
}

// -----

func.func @local_view_c2_negative(%b: !tlx.buffer<[2] 64xf16, smem>) {
  %i = arith.constant -1 : i32
  // expected-error @below {{expects 'index' to be in [0, 1], but got -1}}
  %v = tlx.local_view %b[%i] : !tlx.buffer<[2] 64xf16, smem> -> !tlx.buffer<64xf16, smem>
  return
}

// -----

func.func @local_view_c3_other_shape(%b: !tlx.buffer<[2] 64xf16, smem>, %i: i32) {
  // expected-error @below {{expects the result to be '!tlx.buffer<64xf16, smem>', but got '!tlx.buffer<32xf16, smem>'}}
  %v = tlx.local_view %b[%i] : !tlx.buffer<[2] 64xf16, smem> -> !tlx.buffer<32xf16, smem>
  return
}

// -----

func.func @local_load_c1_ring(%b: !tlx.buffer<[2] 64xf16, smem>) {
  // expected-error @below {{expects 'source' to be one buffer, but got a ring of 2; select one by its index}}
  %t = tlx.local_load %b : !tlx.buffer<[2] 64xf16, smem> -> tensor<64xf16>
  return
}

// -----

func.func @local_load_c1_remote(%b: !tlx.buffer<64xf16, smemCluster>) {
  // expected-error @below {{expects 'source' to be a buffer of this CTA}}
  %t = tlx.local_load %b : !tlx.buffer<64xf16, smemCluster> -> tensor<64xf16>
  return
}

// -----

func.func @local_load_c2_element(%b: !tlx.buffer<64xf16, smem>) {
  // expected-error @below {{expects the tensor to have the shape and element type of the buffer, but got 'tensor<64xf32>'}}
  %t = tlx.local_load %b : !tlx.buffer<64xf16, smem> -> tensor<64xf32>
  return
}

// -----

func.func @local_store_c1_ring(%t: tensor<64xf16>, %b: !tlx.buffer<[2] 64xf16, smem>) {
  // expected-error @below {{expects 'dest' to be one buffer, but got a ring of 2}}
  tlx.local_store %t, %b : tensor<64xf16> -> !tlx.buffer<[2] 64xf16, smem>
  return
}

// -----

func.func @local_store_c2_shape(%t: tensor<32xf16>, %b: !tlx.buffer<64xf16, smem>) {
  // expected-error @below {{expects the tensor to have the shape and element type of the buffer}}
  tlx.local_store %t, %b : tensor<32xf16> -> !tlx.buffer<64xf16, smem>
  return
}

// -----

func.func @local_trans_c1_ring(%b: !tlx.buffer<[2] 64x64xf16, smem>) {
  // expected-error @below {{'tlx.local_trans' op expects 'source' to be one buffer, but got a ring of 2}}
  %v = tlx.local_trans %b {order = array<i32: 1, 0>} : !tlx.buffer<[2] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  return
}

// -----

func.func @local_trans_c2_twice(%b: !tlx.buffer<64x32xf16, smem>) {
  // expected-error @below {{expects 'order' to be a permutation of the 2 dimensions, but got [1, 1]}}
  %v = tlx.local_trans %b {order = array<i32: 1, 1>} : !tlx.buffer<64x32xf16, smem> -> !tlx.buffer<32x64xf16, smem>
  return
}

// -----

func.func @local_trans_c3_shape(%b: !tlx.buffer<64x32xf16, smem>) {
  // expected-error @below {{expects the result to be '!tlx.buffer<32x64xf16, smem>', but got '!tlx.buffer<64x32xf16, smem>'}}
  %v = tlx.local_trans %b {order = array<i32: 1, 0>} : !tlx.buffer<64x32xf16, smem> -> !tlx.buffer<64x32xf16, smem>
  return
}

// -----

func.func @local_slice_c1_ring(%b: !tlx.buffer<[2] 64xf16, smem>) {
  // expected-error @below {{expects 'source' to be one buffer, but got a ring of 2}}
  %v = tlx.local_slice %b {offsets = array<i32: 0>} : !tlx.buffer<[2] 64xf16, smem> -> !tlx.buffer<32xf16, smem>
  return
}

// -----

func.func @local_slice_c2_outside(%b: !tlx.buffer<64xf16, smem>) {
  // expected-error @below {{expects the slice to be inside the buffer, but got offset 64 and size 32 in a dimension of 64}}
  %v = tlx.local_slice %b {offsets = array<i32: 64>} : !tlx.buffer<64xf16, smem> -> !tlx.buffer<32xf16, smem>
  return
}

// -----

func.func @local_slice_c2_offsets(%b: !tlx.buffer<64x64xf16, smem>) {
  // expected-error @below {{expects one offset for each of the 2 dimensions, but got 1}}
  %v = tlx.local_slice %b {offsets = array<i32: 0>} : !tlx.buffer<64x64xf16, smem> -> !tlx.buffer<32x64xf16, smem>
  return
}

// -----

func.func @local_slice_c3_unaligned(%b: !tlx.buffer<64xf16, smem>) {
  // expected-error @below {{expects each offset to be a multiple of the size of the slice, but got offset 16 and size 32}}
  %v = tlx.local_slice %b {offsets = array<i32: 16>} : !tlx.buffer<64xf16, smem> -> !tlx.buffer<32xf16, smem>
  return
}

// -----

func.func @local_slice_c4_rank(%b: !tlx.buffer<64x64xf16, smem>) {
  // expected-error @below {{expects the result to be one buffer of rank 2}}
  %v = tlx.local_slice %b {offsets = array<i32: 0, 0>} : !tlx.buffer<64x64xf16, smem> -> !tlx.buffer<32xf16, smem>
  return
}

// -----

func.func @local_reshape_c1_tmem(%b: !tlx.buffer<64x64xf16, tmem>) {
  // expected-error @below {{expects 'source' to be in smem, but got tmem}}
  %v = tlx.local_reshape %b : !tlx.buffer<64x64xf16, tmem> -> !tlx.buffer<4096xf16, tmem>
  return
}

// -----

func.func @local_reshape_c2_elements(%b: !tlx.buffer<64x64xf16, smem>) {
  // expected-error @below {{expects the result to be one buffer of 4096 elements}}
  %v = tlx.local_reshape %b : !tlx.buffer<64x64xf16, smem> -> !tlx.buffer<2048xf16, smem>
  return
}

// -----

func.func @local_reinterpret_c1_slots(%b: !tlx.buffer<[2] 64xf16, smem>) {
  // expected-error @below {{expects slots of 128 bytes, but got 64}}
  %v = tlx.local_reinterpret %b : !tlx.buffer<[2] 64xf16, smem> -> !tlx.buffer<[2] 32xf16, smem>
  return
}

// -----

func.func @local_reinterpret_c2_too_large(%b: !tlx.buffer<64xf16, smem>) {
  // expected-error @below {{expects the result to take at most the 128 bytes of the source, but got 256}}
  %v = tlx.local_reinterpret %b : !tlx.buffer<64xf16, smem> -> !tlx.buffer<64xf32, smem>
  return
}

// -----

func.func @local_reinterpret_c2_storage(%b: !tlx.buffer<64xf16, smem>) {
  // expected-error @below {{expects the result to be in smem, but got tmem}}
  %v = tlx.local_reinterpret %b : !tlx.buffer<64xf16, smem> -> !tlx.buffer<64xf16, tmem>
  return
}

// -----

func.func @local_index_c1_rank(%b: !tlx.buffer<64xf16, smem>, %i: i32) {
  // expected-error @below {{expects 'source' to have rank 2 or more, but got '!tlx.buffer<64xf16, smem>'}}
  %v = tlx.local_index %b[%i] : !tlx.buffer<64xf16, smem> -> !tlx.buffer<1xf16, smem>
  return
}

// -----

func.func @local_index_c2_range(%b: !tlx.buffer<4x64xf16, smem>) {
  %i = arith.constant 4 : i32
  // expected-error @below {{expects 'index' to be in [0, 3], but got 4}}
  %v = tlx.local_index %b[%i] : !tlx.buffer<4x64xf16, smem> -> !tlx.buffer<64xf16, smem>
  return
}

// -----

func.func @local_index_c3_shape(%b: !tlx.buffer<4x64xf16, smem>, %i: i32) {
  // expected-error @below {{expects the result to be '!tlx.buffer<64xf16, smem>', but got '!tlx.buffer<4xf16, smem>'}}
  %v = tlx.local_index %b[%i] : !tlx.buffer<4x64xf16, smem> -> !tlx.buffer<4xf16, smem>
  return
}

// -----

func.func @local_gather_c1_ring(%b: !tlx.buffer<[2] 64xf16, smem>, %i: tensor<8xi32>) {
  // expected-error @below {{expects 'source' to be one buffer, but got a ring of 2}}
  %t = tlx.local_gather %b[%i] {axis = 0 : i32} : !tlx.buffer<[2] 64xf16, smem>, tensor<8xi32> -> tensor<8xf16>
  return
}

// -----

func.func @local_gather_c2_axis(%b: !tlx.buffer<64xf16, smem>, %i: tensor<8xi32>) {
  // expected-error @below {{expects 'axis' to be in [0, 0], but got 1}}
  %t = tlx.local_gather %b[%i] {axis = 1 : i32} : !tlx.buffer<64xf16, smem>, tensor<8xi32> -> tensor<8xf16>
  return
}

// -----

func.func @local_gather_c3_shape(%b: !tlx.buffer<64x64xf16, smem>, %i: tensor<8x32xi32>) {
  // expected-error @below {{expects 'indices' to have the shape of '!tlx.buffer<64x64xf16, smem>' but for dimension 0, but got 'tensor<8x32xi32>'}}
  %t = tlx.local_gather %b[%i] {axis = 0 : i32} : !tlx.buffer<64x64xf16, smem>, tensor<8x32xi32> -> tensor<8x32xf16>
  return
}

// -----

func.func @local_gather_c4_element(%b: !tlx.buffer<64xf16, smem>, %i: tensor<8xi32>) {
  // expected-error @below {{expects the result to have the shape of 'indices' and the element type of the buffer, but got 'tensor<8xf32>'}}
  %t = tlx.local_gather %b[%i] {axis = 0 : i32} : !tlx.buffer<64xf16, smem>, tensor<8xi32> -> tensor<8xf32>
  return
}

// -----

func.func @local_scatter_c3_floats(%b: !tlx.buffer<64xf16, smem>, %t: tensor<8xf16>) {
  // expected-error @below {{expects 'indices' to hold integers, but got 'tensor<8xf16>'}}
  tlx.local_scatter %t, %b[%t] {axis = 0 : i32} : tensor<8xf16>, tensor<8xf16> -> !tlx.buffer<64xf16, smem>
  return
}

// -----

func.func @local_scatter_c4_shape(%b: !tlx.buffer<64xf16, smem>, %i: tensor<8xi32>, %t: tensor<4xf16>) {
  // expected-error @below {{expects 'source' to have the shape of 'indices' and the element type of the buffer, but got 'tensor<4xf16>'}}
  tlx.local_scatter %t, %b[%i] {axis = 0 : i32} : tensor<4xf16>, tensor<8xi32> -> !tlx.buffer<64xf16, smem>
  return
}
