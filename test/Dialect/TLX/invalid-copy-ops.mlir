// RUN: tlx-opt %s --split-input-file --verify-diagnostics

func.func @async_load_c1_ring(%p: tensor<64x!tt.ptr<f16>>, %b: !tlx.buffer<[2] 64xf16, smem>) {
  // expected-error @below {{'tlx.async_load' op expects 'result' to be one buffer, but got a ring of 2}}
  %t = tlx.async_load %p, %b : tensor<64x!tt.ptr<f16>> -> !tlx.buffer<[2] 64xf16, smem>
  return
}

// -----

func.func @async_load_c2_shape(%p: tensor<32x!tt.ptr<f16>>, %b: !tlx.buffer<64xf16, smem>) {
  // expected-error @below {{expects 'src' to have the shape of the buffer}}
  %t = tlx.async_load %p, %b : tensor<32x!tt.ptr<f16>> -> !tlx.buffer<64xf16, smem>
  return
}

// -----

func.func @async_load_c2_element(%p: tensor<64x!tt.ptr<f32>>, %b: !tlx.buffer<64xf16, smem>) {
  // expected-error @below {{expects 'src' to point to 'f16', but got 'tensor<64x!tt.ptr<f32>>'}}
  %t = tlx.async_load %p, %b : tensor<64x!tt.ptr<f32>> -> !tlx.buffer<64xf16, smem>
  return
}

// -----

func.func @async_load_c3_mask(%p: tensor<64x!tt.ptr<f16>>, %b: !tlx.buffer<64xf16, smem>, %m: tensor<64xi8>) {
  // expected-error @below {{expects 'mask' to be an i1 tensor of the shape of 'src', but got 'tensor<64xi8>'}}
  %t = tlx.async_load %p, %b mask %m : tensor<64xi8> : tensor<64x!tt.ptr<f16>> -> !tlx.buffer<64xf16, smem>
  return
}

// -----

func.func @async_load_c4_no_mask(%p: tensor<64x!tt.ptr<f16>>, %b: !tlx.buffer<64xf16, smem>, %o: f16) {
  // expected-error @below {{expects 'other' to come with a 'mask'}}
  %t = tlx.async_load %p, %b other %o : f16 : tensor<64x!tt.ptr<f16>> -> !tlx.buffer<64xf16, smem>
  return
}

// -----

func.func @async_load_c4_element(%p: tensor<64x!tt.ptr<f16>>, %b: !tlx.buffer<64xf16, smem>, %m: tensor<64xi1>, %o: f32) {
  // expected-error @below {{expects 'other' to be of element type 'f16', but got 'f32'}}
  %t = tlx.async_load %p, %b mask %m : tensor<64xi1> other %o : f32 : tensor<64x!tt.ptr<f16>> -> !tlx.buffer<64xf16, smem>
  return
}

// -----

func.func @async_load_wait_group_c1_negative() {
  // expected-error @below {{attribute 'pendings' failed to satisfy constraint}}
  %t = tlx.async_load_wait_group -1
  return
}

// -----

func.func @async_bulk_load_c1_rank(%p: !tt.ptr<f16>, %b: !tlx.buffer<64x64xf16, smem>, %n: i32, %m: !tlx.barrier<count = 1>) {
  // expected-error @below {{expects 'result' to have one dimension}}
  tlx.async_bulk_load %p, %b, %n, %m : !tt.ptr<f16>, !tlx.buffer<64x64xf16, smem>, !tlx.barrier<count = 1>
  return
}

// -----

func.func @async_bulk_load_c2_pointer(%p: i64, %b: !tlx.buffer<64xf16, smem>, %n: i32, %m: !tlx.barrier<count = 1>) {
  // expected-error @below {{expects 'src' to point to 'f16', but got 'i64'}}
  tlx.async_bulk_load %p, %b, %n, %m : i64, !tlx.buffer<64xf16, smem>, !tlx.barrier<count = 1>
  return
}

// -----

func.func @async_bulk_load_c3_array(%p: !tt.ptr<f16>, %b: !tlx.buffer<64xf16, smem>, %n: i32, %m: !tlx.barrier<[2], count = 1>) {
  // expected-error @below {{expects 'barrier' to be one barrier, but got an array of 2}}
  tlx.async_bulk_load %p, %b, %n, %m : !tt.ptr<f16>, !tlx.buffer<64xf16, smem>, !tlx.barrier<[2], count = 1>
  return
}

// -----

func.func @async_bulk_load_c4_unaligned(%p: !tt.ptr<f16>, %b: !tlx.buffer<64xf16, smem>, %m: !tlx.barrier<count = 1>) {
  %n = arith.constant 24 : i32
  // expected-error @below {{expects 'size' to be a multiple of 16 in [16, 128] bytes, but got 24}}
  tlx.async_bulk_load %p, %b, %n, %m : !tt.ptr<f16>, !tlx.buffer<64xf16, smem>, !tlx.barrier<count = 1>
  return
}

// -----

func.func @async_bulk_store_c1_tmem(%p: !tt.ptr<f16>, %b: !tlx.buffer<64xf16, tmem>, %n: i32) {
  // expected-error @below {{expects 'source' to be in smem, but got tmem}}
  tlx.async_bulk_store %b, %p, %n : !tlx.buffer<64xf16, tmem>, !tt.ptr<f16>
  return
}

// -----

func.func @async_bulk_store_c3_too_large(%p: !tt.ptr<f16>, %b: !tlx.buffer<64xf16, smem>) {
  %n = arith.constant 144 : i32
  // expected-error @below {{but got 144}}
  tlx.async_bulk_store %b, %p, %n : !tlx.buffer<64xf16, smem>, !tt.ptr<f16>
  return
}
