// RUN: tlx-opt %s --split-input-file --tlx-assign-layouts | FileCheck %s

// The accumulator stays in registers of wgmma through the loop.

// CHECK-DAG: #[[$MMA:.*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
// CHECK-DAG: #[[$TILE:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #[[$ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: tt.func public @pipelined_gemm
tt.func public @pipelined_gemm(%out: !tt.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #[[$MMA]]>
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  // CHECK: tlx.local_alloc : !tlx.buffer<[3] 64x64xf16, smem, #[[$TILE]]>
  %as = tlx.local_alloc : !tlx.buffer<[3] 64x64xf16, smem>
  %bs = tlx.local_alloc : !tlx.buffer<[3] 64x128xf16, smem>
  // CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]])
  // CHECK-NOT: ttg.convert_layout
  // CHECK: scf.yield
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%prev = %zero) -> (tensor<64x128xf32>) : i32 {
    %a = tlx.local_view %as[%k] : !tlx.buffer<[3] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
    %b = tlx.local_view %bs[%k] : !tlx.buffer<[3] 64x128xf16, smem> -> !tlx.buffer<64x128xf16, smem>
    %d = tlx.async_dot %a, %b, %prev : !tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x128xf16, smem> -> tensor<64x128xf32>
    %w = tlx.async_dot_wait 1, %d : tensor<64x128xf32>
    scf.yield %w : tensor<64x128xf32>
  }
  // CHECK: tlx.async_dot_wait 0, {{.*}} : tensor<64x128xf32, #[[$MMA]]>
  %done = tlx.async_dot_wait 0, %acc : tensor<64x128xf32>
  // CHECK: arith.truncf {{.*}} : tensor<64x128xf32, #[[$MMA]]> to tensor<64x128xf16, #[[$MMA]]>
  %half = arith.truncf %done : tensor<64x128xf32> to tensor<64x128xf16>
  %ptrs = tt.splat %out : !tt.ptr<f16> -> tensor<64x128x!tt.ptr<f16>>
  // CHECK: %[[HALF:.*]] = ttg.convert_layout {{.*}} -> tensor<64x128xf16, #[[$ROWS]]>
  // CHECK: tt.store {{.*}}, %[[HALF]]
  tt.store %ptrs, %half : tensor<64x128x!tt.ptr<f16>>
  tt.return
}
}

// -----

// Warps split rows as far as there are 64 for each warpgroup, then columns. The
// largest instruction that divides the columns is taken; integer ones have at
// most 128 in Triton's backend.

// CHECK-DAG: #[[$ROWS:.*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 256, 16]}>
// CHECK-DAG: #[[$BOTH:.*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 128, 16]}>
// CHECK-DAG: #[[$TF32:.*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 8]}>
// CHECK-DAG: #[[$INT:.*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 32]}>
module attributes {"ttg.num-warps" = 8 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: tt.func @instructions
tt.func @instructions() {
  %c0 = arith.constant 0 : i32
  %f256 = arith.constant dense<0.0> : tensor<128x256xf32>
  %f64 = arith.constant dense<0.0> : tensor<64x256xf32>
  %f32 = arith.constant dense<0.0> : tensor<128x64xf32>
  %int = arith.constant dense<0> : tensor<128x256xi32>
  %0 = tlx.local_alloc : !tlx.buffer<[1] 128x64xf16, smem>
  %1 = tlx.local_alloc : !tlx.buffer<[1] 64x256xf16, smem>
  %2 = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem>
  %3 = tlx.local_alloc : !tlx.buffer<[1] 128x32xf32, smem>
  %4 = tlx.local_alloc : !tlx.buffer<[1] 32x64xf32, smem>
  %5 = tlx.local_alloc : !tlx.buffer<[1] 128x64xi8, smem>
  %6 = tlx.local_alloc : !tlx.buffer<[1] 64x256xi8, smem>
  %a = tlx.local_view %0[%c0] : !tlx.buffer<[1] 128x64xf16, smem> -> !tlx.buffer<128x64xf16, smem>
  %b = tlx.local_view %1[%c0] : !tlx.buffer<[1] 64x256xf16, smem> -> !tlx.buffer<64x256xf16, smem>
  %c = tlx.local_view %2[%c0] : !tlx.buffer<[1] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  %d = tlx.local_view %3[%c0] : !tlx.buffer<[1] 128x32xf32, smem> -> !tlx.buffer<128x32xf32, smem>
  %e = tlx.local_view %4[%c0] : !tlx.buffer<[1] 32x64xf32, smem> -> !tlx.buffer<32x64xf32, smem>
  %f = tlx.local_view %5[%c0] : !tlx.buffer<[1] 128x64xi8, smem> -> !tlx.buffer<128x64xi8, smem>
  %g = tlx.local_view %6[%c0] : !tlx.buffer<[1] 64x256xi8, smem> -> !tlx.buffer<64x256xi8, smem>
  // CHECK: tlx.async_dot {{.*}} -> tensor<128x256xf32, #[[$ROWS]]>
  %rows = tlx.async_dot %a, %b, %f256 : !tlx.buffer<128x64xf16, smem>, !tlx.buffer<64x256xf16, smem> -> tensor<128x256xf32>
  // CHECK: tlx.async_dot {{.*}} -> tensor<64x256xf32, #[[$BOTH]]>
  %both = tlx.async_dot %c, %b, %f64 : !tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x256xf16, smem> -> tensor<64x256xf32>
  // CHECK: tlx.async_dot {{.*}} -> tensor<128x64xf32, #[[$TF32]]>
  %tf32 = tlx.async_dot %d, %e, %f32 : !tlx.buffer<128x32xf32, smem>, !tlx.buffer<32x64xf32, smem> -> tensor<128x64xf32>
  // CHECK: tlx.async_dot {{.*}} -> tensor<128x256xi32, #[[$INT]]>
  %i8 = tlx.async_dot %f, %g, %int : !tlx.buffer<128x64xi8, smem>, !tlx.buffer<64x256xi8, smem> -> tensor<128x256xi32>
  tt.return
}
}
