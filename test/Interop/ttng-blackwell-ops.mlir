// The ttng operations of sm_100, as Triton 3.9 prints them.
// RUN: sed -e '/^\/\//d' -e '/^$/d' %s > %t
// RUN: tlx-opt %s | sed '/^$/d' | diff %t -
// RUN: tlx-opt %s --mlir-print-op-generic | tlx-opt | sed '/^$/d' | diff %t -

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#shared3 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#tmem_scales = #ttng.tensor_memory_scales_encoding<>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f(%arg0: !tt.tensordesc<64x64xf16, #shared>, %arg1: i32, %arg2: i1, %arg3: tensor<64x128xf32, #mma>, %arg4: tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg5: !tt.ptr<i8>, %arg6: i64, %arg7: !tt.tensordesc<1x64xf16, #shared>, %arg8: tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>, %arg9: tensor<128x128xf32, #blocked1>, %arg10: i16, %arg11: !ttng.tensordesc_im2col<64x64xf16, #shared>) attributes {noinline = false} {
    %0 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    %2 = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %3 = ttg.local_alloc : () -> !ttg.memdesc<128x128xf8E4M3FN, #shared2, #smem, mutable>
    %4 = ttg.local_alloc : () -> !ttg.memdesc<128x128xf32, #shared3, #smem, mutable>
    %result = ttng.tmem_alloc : () -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    %result_0, %token = ttng.tmem_alloc %arg9 : (tensor<128x128xf32, #blocked1>) -> (!ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %result_1 = ttng.tmem_load %result : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #blocked1>
    %result_2, %token_3 = ttng.tmem_load %result_0[%token] : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #blocked1>
    ttng.tmem_store %arg9, %result, %arg2 : tensor<128x128xf32, #blocked1> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    %5 = ttng.tmem_store %arg9, %result_0[%token_3], %arg2 : tensor<128x128xf32, #blocked1> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    %6 = ttng.tmem_subslice %result {offset = 64 : i32} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable, 128x128>
    ttng.tmem_copy %4, %result : !ttg.memdesc<128x128xf32, #shared3, #smem, mutable>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    %result_4, %red = ttng.tmem_load %result {NaN = false, abs = true, redOp = #ttng.redOp<max>} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #blocked1>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    ttng.tc_gen5_mma %2, %1, %result, %arg2, %arg2 : !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x128xf16, #shared, #smem, mutable>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    %7 = ttng.tc_gen5_mma %2, %1, %result_0[%5], %arg2, %arg2, %0[%arg2] {is_async, multicast} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x128xf16, #shared, #smem, mutable>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %result_5 = ttng.tmem_alloc : () -> !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory, mutable>
    ttng.tc_gen5_mma_scaled %3, %3, %result, %result_5, %result_5, %arg2, %arg2 lhs = e4m3 rhs = e4m3, %0[%arg2] {is_async} : !ttg.memdesc<128x128xf8E4M3FN, #shared2, #smem, mutable>, !ttg.memdesc<128x128xf8E4M3FN, #shared2, #smem, mutable>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.tc_gen5_commit %0 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.tc_gen5_commit %0, %arg2 descs %2 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %8 = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #shared1, #smem, mutable>
    ttng.clc_try_cancel %8, %0 : !ttg.memdesc<2xi64, #shared1, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %9 = ttng.clc_load_result %8 : !ttg.memdesc<2xi64, #shared1, #smem, mutable> -> i128
    %10 = ttng.clc_is_canceled %9 : i128 -> i1
    %11 = ttng.clc_get_program_id %9, y : i128 -> i32
    %12 = ttng.packed_arith fma %arg9, %arg9, %arg9 : (tensor<128x128xf32, #blocked1>, tensor<128x128xf32, #blocked1>, tensor<128x128xf32, #blocked1>) -> tensor<128x128xf32, #blocked1>
    tt.return
  }
}
