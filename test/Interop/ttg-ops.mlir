// The ttg operations, as Triton 3.9 prints them.
// RUN: sed -e '/^\/\//d' -e '/^$/d' %s > %t
// RUN: tlx-opt %s | sed '/^$/d' | diff %t -
// RUN: tlx-opt %s --mlir-print-op-generic | tlx-opt | sed '/^$/d' | diff %t -

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#shared2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#shared3 = #ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]}, alignment = 16>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f(%arg0: tensor<64x64xf16, #blocked>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: tensor<64x64xi1, #blocked>, %arg3: i32, %arg4: tensor<64x64xi32, #blocked>, %arg5: i1, %arg6: tensor<64x64xi8, #blocked>, %arg7: !tt.ptr<i8>) attributes {noinline = false} {
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %1 = ttg.local_alloc %arg0 {alignment = 128 : i32} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %2 = ttg.memdesc_index %0[%arg3] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %3 = ttg.memdesc_trans %2 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
    %4 = ttg.memdesc_subslice %2[32, 0] : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable, 64x64>
    %5 = ttg.memdesc_reinterpret %2 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
    %6 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>
    %7 = ttg.memdesc_reshape %6 : !ttg.memdesc<64x64xf16, #shared2, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared3, #smem, mutable>
    %8 = ttg.async_copy_global_to_local %arg1, %6 mask %arg2 other %arg0 {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_last>, contiguity = 2 : i32, isVolatile = true} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared2, #smem, mutable>
    %9 = ttg.async_copy_global_to_local %arg1, %6 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared2, #smem, mutable>
    %10 = ttg.async_commit_group tokens %8, %9
    %11 = ttg.async_commit_group
    %12 = ttg.async_wait %10 {num = 1 : i32}
    %13 = ttg.local_load %6 token %12 : !ttg.memdesc<64x64xf16, #shared2, #smem, mutable> -> tensor<64x64xf16, #blocked>
    %14 = ttg.local_load %6 : !ttg.memdesc<64x64xf16, #shared2, #smem, mutable> -> tensor<64x64xf16, #blocked>
    ttg.local_store %13, %6 : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>
    %15 = ttg.local_gather %6[%arg4] {axis = 0 : i32} : !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>, tensor<64x64xi32, #blocked> -> tensor<64x64xf16, #blocked>
    %16 = ttg.local_gather %6[%arg4] token %12 {axis = 0 : i32} : !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>, tensor<64x64xi32, #blocked> -> tensor<64x64xf16, #blocked>
    ttg.local_scatter %6[%arg4], %15 {axis = 0 : i32} : !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xf16, #blocked>
    %17 = ttg.local_alloc : () -> !ttg.memdesc<64x64xi32, #shared2, #smem, mutable>
    %18 = ttg.local_atomic_scatter_rmw add, %17[%arg4], %arg4, %arg2 {axis = 0 : i32} : (!ttg.memdesc<64x64xi32, #shared2, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xi32, #blocked>, tensor<64x64xi1, #blocked>) -> tensor<64x64xi32, #blocked>
    ttg.local_dealloc %6 : !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>
    %19 = ttg.fp4_to_fp %arg6 {axis = 1 : i32} : tensor<64x64xi8, #blocked> -> tensor<64x128xf16, #blocked1>
    %20 = ttg.convert_layout %arg0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #mma>
    ttg.barrier local
    ttg.barrier all
    ttg.barrier local|global_read|global_write
    %21 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    %22 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32, shared_cluster_state, third_party_allocation} : !tt.ptr<i8>
    %23 = "ttg.mask"(%arg5) ({
      ttg.mask.return %arg3 : i32
    }) : (i1) -> i32
    %24 = ttg.predicate_stage %arg3, %arg3, %arg3 maxStage 2 stage 1 : i32 -> i1
    %25 = ttg.warp_id
    %26 = ttg.warp_id {omitUniformHint}
    %27 = ttg.warp_specialize(%arg3, %0) attributes {actualRegisters = array<i32: 40, 24, 24>, requestedRegisters = array<i32: 40, 24>, warpGroupStartIds = array<i32: 4, 8>}
    default {
      ttg.warp_yield %arg3 : i32
    }
    partition0(%arg8: i32, %arg9: !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>) num_warps(4) {
      ttg.warp_return
    }
    partition1(%arg8: i32, %arg9: !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>) num_warps(1) {
      ttg.warp_return
    } : (i32, !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>) -> i32
    tt.return
  }
}
