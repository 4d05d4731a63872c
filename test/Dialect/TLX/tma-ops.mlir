// RUN: tlx-opt --verify-roundtrip %s | FileCheck %s

// CHECK-LABEL: func.func @tiles
func.func @tiles(%desc: !tt.tensordesc<64x64xf16>, %v: !tlx.buffer<64x64xf16, smem>, %m: !tlx.barrier<count = 1>, %i: i32, %p: i1) {
  // CHECK: tlx.async_descriptor_load %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}}, %{{.*}} : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>, !tlx.barrier<count = 1>
  tlx.async_descriptor_load %desc[%i, %i], %v, %m : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>, !tlx.barrier<count = 1>
  // CHECK: tlx.async_descriptor_load %{{.*}} pred %{{.*}} {eviction_policy = 2 : i32}
  tlx.async_descriptor_load %desc[%i, %i], %v, %m pred %p {eviction_policy = 2 : i32} : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>, !tlx.barrier<count = 1>
  // CHECK: tlx.async_descriptor_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>
  tlx.async_descriptor_store %desc[%i, %i], %v : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>
  // CHECK: tlx.async_descriptor_store %{{.*}} {reduce = 1 : i32}
  tlx.async_descriptor_store %desc[%i, %i], %v {reduce = 1 : i32} : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>
  // CHECK: tlx.async_descriptor_store_wait 0
  tlx.async_descriptor_store_wait 0
  // CHECK: tlx.async_descriptor_prefetch %{{.*}}[%{{.*}}, %{{.*}}] : !tt.tensordesc<64x64xf16>
  tlx.async_descriptor_prefetch %desc[%i, %i] : !tt.tensordesc<64x64xf16>
  // CHECK: tlx.async_descriptor_prefetch %{{.*}} pred %{{.*}} :
  tlx.async_descriptor_prefetch %desc[%i, %i] pred %p : !tt.tensordesc<64x64xf16>
  return
}

// Buffers do not say how integers are signed.
// CHECK-LABEL: func.func @signed
func.func @signed(%d: !tt.tensordesc<64x64xsi8>, %v: !tlx.buffer<64x64xi8, smem>, %i: i32) {
  // CHECK: tlx.async_descriptor_store
  tlx.async_descriptor_store %d[%i, %i], %v : !tt.tensordesc<64x64xsi8>, !tlx.buffer<64x64xi8, smem>
  return
}

// The smallest row, the lowest and the highest rank.
// CHECK-LABEL: func.func @limits
func.func @limits(%d1: !tt.tensordesc<16xi8>, %b1: !tlx.buffer<16xi8, smem>, %d5: !tt.tensordesc<1x1x1x1x4xf32>, %b5: !tlx.buffer<1x1x1x1x4xf32, smem>, %i: i32) {
  // CHECK-COUNT-2: tlx.async_descriptor_store
  tlx.async_descriptor_store %d1[%i], %b1 : !tt.tensordesc<16xi8>, !tlx.buffer<16xi8, smem>
  tlx.async_descriptor_store %d5[%i, %i, %i, %i, %i], %b5 : !tt.tensordesc<1x1x1x1x4xf32>, !tlx.buffer<1x1x1x1x4xf32, smem>
  return
}

// CHECK-LABEL: func.func @descriptors
func.func @descriptors(%p: !tt.ptr<i8>, %x: !tt.ptr<f16>, %y: !tt.ptr<i32>, %m: i32, %s: i64) {
  // CHECK: tlx.make_tensor_descriptor %{{.*}}, %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}] {padding = 2 : i32} : !tt.ptr<i8>, !tt.ptr<f16> -> !tt.tensordesc<16x64xf16>
  %d = tlx.make_tensor_descriptor %p, %x, [%m, %m], [%s] {padding = 2 : i32} : !tt.ptr<i8>, !tt.ptr<f16> -> !tt.tensordesc<16x64xf16>
  // CHECK: tlx.make_tensor_descriptor %{{.*}}, %{{.*}}, [%{{.*}}], [] : !tt.ptr<i8>, !tt.ptr<i32> -> !tt.tensordesc<4xui32>
  %e = tlx.make_tensor_descriptor %p, %y, [%m], [] : !tt.ptr<i8>, !tt.ptr<i32> -> !tt.tensordesc<4xui32>
  // CHECK: tlx.reinterpret_tensor_descriptor %{{.*}} : !tt.ptr<i8> -> !tt.tensordesc<16x64xf16>
  %r = tlx.reinterpret_tensor_descriptor %p : !tt.ptr<i8> -> !tt.tensordesc<16x64xf16>
  // CHECK: tlx.prefetch_descriptor %{{.*}} : !tt.tensordesc<16x64xf16>
  tlx.prefetch_descriptor %r : !tt.tensordesc<16x64xf16>
  return
}
