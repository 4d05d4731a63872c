// RUN: tlx-opt %s --split-input-file --verify-diagnostics

func.func @async_dot_c1_ring(%a: !tlx.buffer<[2] 64x64xf16, smem>, %b: !tlx.buffer<64x64xf16, smem>, %c: tensor<64x64xf32>) {
  // expected-error @below {{'tlx.async_dot' op expects 'a' to be one buffer, but got a ring of 2}}
  %d = tlx.async_dot %a, %b, %c : !tlx.buffer<[2] 64x64xf16, smem>, !tlx.buffer<64x64xf16, smem> -> tensor<64x64xf32>
  return
}

// -----

func.func @async_dot_c1_tmem(%a: tensor<64x64xf16>, %b: !tlx.buffer<64x64xf16, tmem>, %c: tensor<64x64xf32>) {
  // expected-error @below {{expects 'b' to be in smem, but got tmem}}
  %d = tlx.async_dot %a, %b, %c : tensor<64x64xf16>, !tlx.buffer<64x64xf16, tmem> -> tensor<64x64xf32>
  return
}

// -----

func.func @async_dot_c2_k(%a: tensor<64x64xf16>, %b: !tlx.buffer<32x64xf16, smem>, %c: tensor<64x64xf32>) {
  // expected-error @below {{expects shapes M x K, K x N and M x N, but got 'tensor<64x64xf16>', '!tlx.buffer<32x64xf16, smem>' and 'tensor<64x64xf32>'}}
  %d = tlx.async_dot %a, %b, %c : tensor<64x64xf16>, !tlx.buffer<32x64xf16, smem> -> tensor<64x64xf32>
  return
}

// -----

func.func @async_dot_c3_operands_differ(%a: tensor<64x64xf16>, %b: !tlx.buffer<64x64xbf16, smem>, %c: tensor<64x64xf32>) {
  // expected-error @below {{expects element types that the tensor core multiplies (f16, bf16, f32, f8E4M3FN, f8E5M2 or i8), but got 'f16', 'bf16' and 'f32'}}
  %d = tlx.async_dot %a, %b, %c : tensor<64x64xf16>, !tlx.buffer<64x64xbf16, smem> -> tensor<64x64xf32>
  return
}

// -----

func.func @async_dot_c3_accumulator(%a: tensor<64x64xbf16>, %b: !tlx.buffer<64x64xbf16, smem>, %c: tensor<64x64xf16>) {
  // expected-error @below {{but got 'bf16', 'bf16' and 'f16'}}
  %d = tlx.async_dot %a, %b, %c : tensor<64x64xbf16>, !tlx.buffer<64x64xbf16, smem> -> tensor<64x64xf16>
  return
}

// -----

func.func @async_dot_c4_m(%a: tensor<32x64xf16>, %b: !tlx.buffer<64x64xf16, smem>, %c: tensor<32x64xf32>) {
  // expected-error @below {{expects M to be a multiple of 64, but got 32}}
  %d = tlx.async_dot %a, %b, %c : tensor<32x64xf16>, !tlx.buffer<64x64xf16, smem> -> tensor<32x64xf32>
  return
}

// -----

func.func @async_dot_c4_n_small(%a: tensor<64x64xf16>, %b: !tlx.buffer<64x4xf16, smem>, %c: tensor<64x4xf32>) {
  // expected-error @below {{expects N to be a multiple of 8 in [8, 256], but got 4}}
  %d = tlx.async_dot %a, %b, %c : tensor<64x64xf16>, !tlx.buffer<64x4xf16, smem> -> tensor<64x4xf32>
  return
}

// -----

func.func @async_dot_c4_n_large(%a: tensor<64x64xf16>, %b: !tlx.buffer<64x512xf16, smem>, %c: tensor<64x512xf32>) {
  // expected-error @below {{but got 512}}
  %d = tlx.async_dot %a, %b, %c : tensor<64x64xf16>, !tlx.buffer<64x512xf16, smem> -> tensor<64x512xf32>
  return
}

// -----

func.func @async_dot_c4_k(%a: tensor<64x16xi8>, %b: !tlx.buffer<16x64xi8, smem>, %c: tensor<64x64xi32>) {
  // expected-error @below {{expects K to be a multiple of 32 for 'i8', but got 16}}
  %d = tlx.async_dot %a, %b, %c : tensor<64x16xi8>, !tlx.buffer<16x64xi8, smem> -> tensor<64x64xi32>
  return
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @async_dot_c5_warps(%a: tensor<64x64xf16>, %b: !tlx.buffer<64x64xf16, smem>, %c: tensor<64x64xf32>) {
    tlx.async_tasks {
      tlx.async_task default {
      }
      tlx.async_task num_warps = 2 {
        // expected-error @below {{expects the task to have a multiple of 4 warps, but got 2}}
        %d = tlx.async_dot %a, %b, %c : tensor<64x64xf16>, !tlx.buffer<64x64xf16, smem> -> tensor<64x64xf32>
      }
    }
    return
  }
}

// -----

func.func @async_dot_wait_c1_negative() {
  // expected-error @below {{attribute 'pendings' failed to satisfy constraint}}
  tlx.async_dot_wait -1
  return
}
