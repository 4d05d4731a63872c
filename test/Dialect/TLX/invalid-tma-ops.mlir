// RUN: tlx-opt %s --split-input-file --verify-diagnostics

func.func @async_descriptor_load_c1_indices(%desc: !tt.tensordesc<64x64xf16>, %v: !tlx.buffer<64x64xf16, smem>, %m: !tlx.barrier<count = 1>, %i: i32) {
  // expected-error @below {{'tlx.async_descriptor_load' op expects one index for each of the 2 dimensions, but got 1}}
  tlx.async_descriptor_load %desc[%i], %v, %m : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>, !tlx.barrier<count = 1>
  return
}

// -----

func.func @async_descriptor_load_c2_shape(%desc: !tt.tensordesc<64x64xf16>, %v: !tlx.buffer<64x32xf16, smem>, %m: !tlx.barrier<count = 1>, %i: i32) {
  // expected-error @below {{expects 'result' to have the shape and element type of the block, but got '!tlx.buffer<64x32xf16, smem>' and '!tt.tensordesc<64x64xf16>'}}
  tlx.async_descriptor_load %desc[%i, %i], %v, %m : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x32xf16, smem>, !tlx.barrier<count = 1>
  return
}

// -----

func.func @async_descriptor_load_c2_ring(%desc: !tt.tensordesc<64x64xf16>, %v: !tlx.buffer<[2] 64x64xf16, smem>, %m: !tlx.barrier<count = 1>, %i: i32) {
  // expected-error @below {{expects 'result' to be one buffer, but got a ring of 2}}
  tlx.async_descriptor_load %desc[%i, %i], %v, %m : !tt.tensordesc<64x64xf16>, !tlx.buffer<[2] 64x64xf16, smem>, !tlx.barrier<count = 1>
  return
}

// -----

func.func @async_descriptor_load_c3_array(%desc: !tt.tensordesc<64x64xf16>, %v: !tlx.buffer<64x64xf16, smem>, %m: !tlx.barrier<[2], count = 1>, %i: i32) {
  // expected-error @below {{expects 'barrier' to be one barrier, but got an array of 2}}
  tlx.async_descriptor_load %desc[%i, %i], %v, %m : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>, !tlx.barrier<[2], count = 1>
  return
}

// -----

func.func @async_descriptor_load_c4_row(%desc: !tt.tensordesc<64x4xf16>, %v: !tlx.buffer<64x4xf16, smem>, %m: !tlx.barrier<count = 1>, %i: i32) {
  // expected-error @below {{expects a row of the block to have at least 16 bytes, but got 8}}
  tlx.async_descriptor_load %desc[%i, %i], %v, %m : !tt.tensordesc<64x4xf16>, !tlx.buffer<64x4xf16, smem>, !tlx.barrier<count = 1>
  return
}

// -----

func.func @async_descriptor_store_c1_rank(%desc: !tt.tensordesc<1x1x1x1x1x16xf16>, %v: !tlx.buffer<1x1x1x1x1x16xf16, smem>, %i: i32) {
  // expected-error @below {{expects a descriptor of rank 1 to 5, but got 6}}
  tlx.async_descriptor_store %desc[%i, %i, %i, %i, %i, %i], %v : !tt.tensordesc<1x1x1x1x1x16xf16>, !tlx.buffer<1x1x1x1x1x16xf16, smem>
  return
}

// -----

func.func @async_descriptor_store_c2_tmem(%desc: !tt.tensordesc<64x64xf16>, %v: !tlx.buffer<64x64xf16, tmem>, %i: i32) {
  // expected-error @below {{expects 'source' to be in smem, but got tmem}}
  tlx.async_descriptor_store %desc[%i, %i], %v : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, tmem>
  return
}

// -----

func.func @async_descriptor_store_wait_c1_negative() {
  // expected-error @below {{attribute 'pendings' failed to satisfy constraint}}
  tlx.async_descriptor_store_wait -1
  return
}

// -----

func.func @async_descriptor_prefetch_c1_indices(%desc: !tt.tensordesc<64x64xf16>, %i: i32) {
  // expected-error @below {{expects one index for each of the 2 dimensions, but got 3}}
  tlx.async_descriptor_prefetch %desc[%i, %i, %i] : !tt.tensordesc<64x64xf16>
  return
}

// -----

func.func @make_tensor_descriptor_c1_storage(%x: !tt.ptr<f16>, %m: i32) {
  // expected-error @below {{expects 'desc_ptr' to point to 'i8', but got '!tt.ptr<f16>'}}
  %d = tlx.make_tensor_descriptor %x, %x, [%m], [] : !tt.ptr<f16>, !tt.ptr<f16> -> !tt.tensordesc<64xf16>
  return
}

// -----

func.func @make_tensor_descriptor_c1_base(%p: !tt.ptr<i8>, %m: i32) {
  // expected-error @below {{expects 'base' to point to 'f16', but got '!tt.ptr<i8>'}}
  %d = tlx.make_tensor_descriptor %p, %p, [%m], [] : !tt.ptr<i8>, !tt.ptr<i8> -> !tt.tensordesc<64xf16>
  return
}

// -----

func.func @make_tensor_descriptor_c2_strides(%p: !tt.ptr<i8>, %x: !tt.ptr<f16>, %m: i32, %s: i64) {
  // expected-error @below {{expects 2 extents and 1 strides, but got 2 and 2}}
  %d = tlx.make_tensor_descriptor %p, %x, [%m, %m], [%s, %s] : !tt.ptr<i8>, !tt.ptr<f16> -> !tt.tensordesc<16x64xf16>
  return
}

// -----

func.func @make_tensor_descriptor_c3_row(%p: !tt.ptr<i8>, %x: !tt.ptr<f16>, %m: i32) {
  // expected-error @below {{expects a row of the block to have at least 16 bytes, but got 8}}
  %d = tlx.make_tensor_descriptor %p, %x, [%m], [] : !tt.ptr<i8>, !tt.ptr<f16> -> !tt.tensordesc<4xf16>
  return
}

// -----

func.func @reinterpret_tensor_descriptor_c1_pointer(%x: !tt.ptr<f16>) {
  // expected-error @below {{expects 'desc_ptr' to point to 'i8', but got '!tt.ptr<f16>'}}
  %d = tlx.reinterpret_tensor_descriptor %x : !tt.ptr<f16> -> !tt.tensordesc<64xf16>
  return
}
