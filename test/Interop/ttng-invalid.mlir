// RUN: tlx-opt %s --split-input-file --verify-diagnostics

#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func @f(%b: !ttg.memdesc<1xi32, #bar, #smem, mutable>) {
  // expected-error @+1 {{expects barrier to be mutable i64 in shared memory, one for each CTA, but got '!ttg.memdesc<1xi32,}}
  ttng.init_barrier %b, 1 : !ttg.memdesc<1xi32, #bar, #smem, mutable>
  tt.return
}

// -----

#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func @f(%b: !ttg.memdesc<1xi64, #bar, #smem, mutable>) {
  // expected-error @+1 {{expects 'count' to be positive, but got 0}}
  ttng.init_barrier %b, 0 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
  tt.return
}

// -----

#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func @f(%d: !tt.tensordesc<64x64xf16, #shared>, %t: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %i: i32) {
  // expected-error @+1 {{expects tile to be a block of '!tt.tensordesc<64x64xf16, #ttg.nvmma_shared<}}
  ttng.async_tma_copy_local_to_global %d[%i, %i] %t : !tt.tensordesc<64x64xf16, #shared>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func @f(%a: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %c: tensor<64x64xf32, #blocked>) {
  // expected-error @+1 {{expects accumulator to have a version 3 MMA layout, but got #ttg.blocked<}}
  %d = ttng.warp_group_dot %a, %a, %c : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #blocked>
  tt.return
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
tt.func @f(%t: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>) {
  // expected-error @+1 {{expects one of 'offset' and 'N' to be set}}
  %u = ttng.tmem_subslice %t : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>
  tt.return
}
