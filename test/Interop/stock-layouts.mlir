// What stock Triton prints: a view that may not be written of a buffer that may, and
// two layouts of a broadcast that agree where the source has elements.
// RUN: sed -e '/^\/\//d' -e '/^$/d' %s > %t
// RUN: tlx-opt %s | sed '/^$/d' | diff %t -

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f(%arg0: !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>, %arg1: i32, %arg2: tensor<1x2xi32, #blocked>) attributes {noinline = false} {
    %0 = ttg.memdesc_index %arg0[%arg1] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %1 = tt.broadcast %arg2 : tensor<1x2xi32, #blocked> -> tensor<2x2xi32, #blocked1>
    tt.return
  }
}
