// What Triton 3.9 has and 3.8 has not.
// RUN: sed -e '/^\/\//d' -e '/^$/d' %s > %t
// RUN: tlx-opt %s | sed '/^$/d' | diff %t -
// RUN: tlx-opt %s --mlir-print-op-generic | tlx-opt | sed '/^$/d' | diff %t -

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 0]]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0], CGALayout = [[0, 0]]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 0]]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], CGALayout = [[0, 0]], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f(%arg0: tensor<64x64xf32, #blocked>, %arg1: tensor<64x64x!tt.ptr<f32>, #blocked>, %arg2: tensor<64x64xi1, #blocked>, %arg3: !tt.ptr<i32>, %arg4: i32, %arg5: i64, %arg6: i1, %arg7: !tt.ptr<f32, "constant">, %arg8: tensor<64x128xf32, #mma>, %arg9: !tt.tensordesc<64x64xf16, #shared>, %arg10: !tt.tensordesc<1x64xf16, #shared>, %arg11: tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>) attributes {noinline = false} {
    %0 = tt.approx_divf %arg0, %arg0 : tensor<64x64xf32, #blocked>
    %1 = tt.atomic_load acquire, gpu, %arg1, %arg2 : (tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi1, #blocked>) -> tensor<64x64xf32, #blocked>
    %2 = tt.atomic_load relaxed, sys, %arg3 : (!tt.ptr<i32>) -> i32
    tt.atomic_store release, gpu, %arg1, %arg0, %arg2 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %3 = tt.atomic_poll acquire, gpu, %arg3, %arg4 timeout %arg5 : !tt.ptr<i32>, i32 -> i1
    %4 = tt.atomic_poll acquire, gpu, %arg3, %arg4 : !tt.ptr<i32>, i32 -> i1
    %5 = tt.load %arg7 : !tt.ptr<f32, "constant">
    tt.grid_dependency_wait
    tt.grid_dependency_launch_dependents
    %6 = ttg.convert_layout %arg0 {force_warp_shuffle} : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked2>
    %7 = ttg.inline_asm "mov.u32 $0, $1;" {constraints = "=r,r", pure = false} %arg4 : (i32) -> i32
    ttg.inline_asm "nanosleep.u32 100;" {constraints = "", pure = false} : () -> ()
    %8 = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #shared1, #smem, mutable>
    ttng.init_barrier %8, 1 : !ttg.memdesc<2xi64, #shared1, #smem, mutable>
    ttng.arrive_barrier %8, 1, %arg6 {fromCTA = 1 : i32, multicastCTA = 1 : i32} : !ttg.memdesc<2xi64, #shared1, #smem, mutable>
    ttng.barrier_expect %8, 128 {fromCTA = 1 : i32}, %arg6 : !ttg.memdesc<2xi64, #shared1, #smem, mutable>
    %9 = ttng.warp_group_dot_wait %arg8 {pendings = 0 : i32, warpGroupLocal} : tensor<64x128xf32, #mma>
    %10 = ttng.clc_try_cancel_sync : tensor<2xi64, #blocked3>
    ttng.tmem_wait store
    ttng.tmem_wait load
    %11 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %12 = ttg.local_alloc : () -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_local_to_global %arg9[%arg4, %arg4] %11 {cachePolicy = #ttng.cache_policy<l2_primary = evict_first, l2_secondary = evict_unchanged, l2_fraction = 1.000000e+00 : f32>} : !tt.tensordesc<64x64xf16, #shared>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.async_tma_scatter %arg10[%arg11, %arg4] %12 {cachePolicy = #ttng.cache_policy<l2_primary = evict_first, l2_secondary = evict_unchanged, l2_fraction = 1.000000e+00 : f32>} : !tt.tensordesc<1x64xf16, #shared>, tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>, i32, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    ttng.async_tma_gather %arg10[%arg11, %arg4] %12, %8, %arg6 {cachePolicy = #ttng.cache_policy<l2_primary = evict_first, l2_secondary = evict_unchanged, l2_fraction = 1.000000e+00 : f32>} : !tt.tensordesc<1x64xf16, #shared>, tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>, i32, !ttg.memdesc<2xi64, #shared1, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, i1
    tt.return
  }
}
