// RUN: tlx-opt --verify-roundtrip --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @dot
func.func @dot(%a: !tlx.buffer<64x64xf16, smem>, %b: !tlx.buffer<64x256xf16, smem>, %c: tensor<64x256xf32>, %u: i1) {
  // CHECK: %[[D:.*]] = tlx.async_dot %{{.*}}, %{{.*}}, %{{.*}} use_acc %{{.*}} : !tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x256xf16, smem> -> tensor<64x256xf32>
  %d = tlx.async_dot %a, %b, %c use_acc %u : !tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x256xf16, smem> -> tensor<64x256xf32>
  // CHECK: tlx.async_dot_wait 0, %[[D]] : tensor<64x256xf32>
  %r = tlx.async_dot_wait 0, %d : tensor<64x256xf32>
  // CHECK: %{{.*}}:2 = tlx.async_dot_wait 1, %[[D]], %[[D]] : tensor<64x256xf32>, tensor<64x256xf32>
  %s:2 = tlx.async_dot_wait 1, %d, %d : tensor<64x256xf32>, tensor<64x256xf32>
  // CHECK: tlx.async_dot_wait 0{{$}}
  tlx.async_dot_wait 0
  return
}

// A from registers, each family of element types, the smallest N and K.
// CHECK-LABEL: func.func @elements
func.func @elements(%f32: tensor<64x8xf32>, %bf16: tensor<64x16xbf16>, %e4: tensor<64x32xf8E4M3FN>, %i8: tensor<64x32xi8>,
                    %f32b: !tlx.buffer<8x8xf32, smem>, %bf16b: !tlx.buffer<16x8xbf16, smem>, %e5b: !tlx.buffer<32x8xf8E5M2, smem>, %i8b: !tlx.buffer<32x8xi8, smem>,
                    %c: tensor<64x8xf32>, %ci: tensor<64x8xi32>, %ch: tensor<64x8xf16>) {
  // CHECK-COUNT-4: tlx.async_dot
  %0 = tlx.async_dot %f32, %f32b, %c : tensor<64x8xf32>, !tlx.buffer<8x8xf32, smem> -> tensor<64x8xf32>
  %1 = tlx.async_dot %bf16, %bf16b, %c : tensor<64x16xbf16>, !tlx.buffer<16x8xbf16, smem> -> tensor<64x8xf32>
  %2 = tlx.async_dot %e4, %e5b, %ch : tensor<64x32xf8E4M3FN>, !tlx.buffer<32x8xf8E5M2, smem> -> tensor<64x8xf16>
  %3 = tlx.async_dot %i8, %i8b, %ci : tensor<64x32xi8>, !tlx.buffer<32x8xi8, smem> -> tensor<64x8xi32>
  return
}

// -----

// The warps of the task count, not those of the kernel.
// CHECK-LABEL: module
module attributes {"ttg.num-warps" = 1 : i32} {
  func.func @warps(%a: !tlx.buffer<64x64xf16, smem>, %b: !tlx.buffer<64x64xf16, smem>, %c: tensor<64x64xf32>) {
    tlx.async_tasks {
      tlx.async_task default {
      }
      tlx.async_task num_warps = 4 {
        // CHECK: tlx.async_dot
        %d = tlx.async_dot %a, %b, %c : !tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x64xf16, smem> -> tensor<64x64xf32>
      }
    }
    return
  }
}
