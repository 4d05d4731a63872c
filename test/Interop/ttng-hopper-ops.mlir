// The ttng operations of sm_90, as Triton 3.9 prints them.
// RUN: sed -e '/^\/\//d' -e '/^$/d' %s > %t
// RUN: tlx-opt %s | sed '/^$/d' | diff %t -
// RUN: tlx-opt %s --mlir-print-op-generic | tlx-opt | sed '/^$/d' | diff %t -

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f(%arg0: !tt.tensordesc<64x64xf16, #shared>, %arg1: i32, %arg2: i1, %arg3: tensor<64x128xf32, #mma>, %arg4: tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg5: !tt.ptr<i8>, %arg6: i64, %arg7: !tt.tensordesc<1x64xf16, #shared>, %arg8: tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>, %arg9: tensor<128x128xf32, #blocked1>, %arg10: i16, %arg11: !ttng.tensordesc_im2col<64x64xf16, #shared>) attributes {noinline = false} {
    %0 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %2 = ttg.local_alloc : () -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    %3 = ttg.local_alloc : () -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    ttng.init_barrier %0, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.barrier_expect %0, 128, %arg2 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.wait_barrier %0, %arg1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.wait_barrier %0, %arg1, %arg2 deps %1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.wait_barrier %0, %arg1 deps %1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.arrive_barrier %0, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.arrive_barrier %0, 1, %arg2 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %0 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_copy_mbarrier_arrive %0 {noIncrement} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_global_to_local %arg0[%arg1, %arg1] %1, %0, %arg2 {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_first>} : !tt.tensordesc<64x64xf16, #shared>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg11[%arg1, %arg1, %arg1, %arg1] offsets = [%arg10, %arg10] %1, %0, %arg2 : !ttng.tensordesc_im2col<64x64xf16, #shared>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_local_to_global %arg0[%arg1, %arg1] %1 : !tt.tensordesc<64x64xf16, #shared>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.async_tma_reduce add, %arg0[%arg1, %arg1] %1 : !tt.tensordesc<64x64xf16, #shared>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.async_tma_gather %arg7[%arg8, %arg1] %3, %0, %arg2 : !tt.tensordesc<1x64xf16, #shared>, tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>, i32, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, i1
    ttng.async_tma_scatter %arg7[%arg8, %arg1] %3 : !tt.tensordesc<1x64xf16, #shared>, tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>, i32, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttng.async_tma_store_wait {pendings = 0 : i32}
    %4 = ttng.warp_group_dot %1, %2, %arg3, %arg2 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x128xf16, #shared, #smem, mutable> -> tensor<64x128xf32, #mma>
    %5 = ttng.warp_group_dot %arg4, %2, %arg3 {maxNumImpreciseAcc = 32 : i32} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x128xf16, #shared, #smem, mutable> -> tensor<64x128xf32, #mma>
    %6:2 = ttng.warp_group_dot_wait %4, %1 {pendings = 0 : i32} : tensor<64x128xf32, #mma>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.tensormap_create %arg5, %arg5, [%arg1, %arg1], [%arg1, %arg1], [%arg6], [%arg1, %arg1] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %arg5 : !tt.ptr<i8>
    %7 = ttng.reinterpret_tensor_descriptor %arg5 : !tt.ptr<i8> to !tt.tensordesc<64x64xf16, #shared>
    tt.return
  }
}
