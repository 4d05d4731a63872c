// The ttng operations of clusters, as Triton 3.9 prints them.
// RUN: sed -e '/^\/\//d' -e '/^$/d' %s > %t
// RUN: tlx-opt %s | sed '/^$/d' | diff %t -
// RUN: tlx-opt %s --mlir-print-op-generic | tlx-opt | sed '/^$/d' | diff %t -

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f(%arg0: tensor<256xf32, #blocked>, %arg1: i1) attributes {noinline = false} {
    %0 = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #shared, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<256xf32, #shared, #smem, mutable>
    ttng.async_shared_store %arg0, %1, %0 : tensor<256xf32, #blocked> -> !ttg.memdesc<256xf32, #shared, #smem, mutable>, !ttg.memdesc<2xi64, #shared, #smem, mutable>
    ttng.cluster_barrier {relaxed = true}
    ttng.cluster_barrier
    ttng.fence_mbarrier_init_release_cluster
    tt.return
  }
}
