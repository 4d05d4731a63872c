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

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{expects 'cache_modifier' or 'l1', but got both}}
  %x = tt.load %p {cachePolicy = #ttng.cache_policy<cache_modifier = cg, l1 = evict_first>} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{expects 'l2_primary', 'l2_secondary' and 'l2_fraction' to come together}}
  %x = tt.load %p {cachePolicy = #ttng.cache_policy<l2_primary = evict_last, l2_secondary = evict_first>} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{expects 'l2_primary', 'l2_secondary' and 'l2_fraction' to come together}}
  %x = tt.load %p {cachePolicy = #ttng.cache_policy<l2_fraction = 5.000000e-01 : f32>} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{expects 'l2_primary' to be another priority than no_allocate}}
  %x = tt.load %p {cachePolicy = #ttng.cache_policy<l2_primary = no_allocate, l2_secondary = evict_first, l2_fraction = 5.000000e-01 : f32>} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{expects 'l2_secondary' to be evict_first or evict_unchanged, but got evict_last}}
  %x = tt.load %p {cachePolicy = #ttng.cache_policy<l2_primary = evict_last, l2_secondary = evict_last, l2_fraction = 5.000000e-01 : f32>} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{expects 'l2_fraction' to be an f32 in (0, 1], but got 0.000000e+00 : f32}}
  %x = tt.load %p {cachePolicy = #ttng.cache_policy<l2_primary = evict_last, l2_secondary = evict_first, l2_fraction = 0.000000e+00 : f32>} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{expects 'l2_prefetch_size' to be an i32, 64, 128 or 256, but got 512 : i32}}
  %x = tt.load %p {cachePolicy = #ttng.cache_policy<l2_prefetch_size = 512 : i32>} : !tt.ptr<f32>
  tt.return
}
