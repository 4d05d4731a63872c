// RUN: tlx-opt %s --split-input-file --tlx-assign-layouts --verify-diagnostics

module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @fp8_operand_along_n(%desc: !tt.tensordesc<64x128xf8E4M3FN>, %acc: tensor<64x128xf32>) {
  %c0 = arith.constant 0 : i32
  %bars = tlx.alloc_barriers : !tlx.barrier<[1], count = 1>
  %bar = tlx.barrier_view %bars[%c0] : !tlx.barrier<[1], count = 1> -> !tlx.barrier<count = 1>
  %as = tlx.local_alloc : !tlx.buffer<[1] 64x64xf8E4M3FN, smem>
  // expected-note @below {{the buffer is allocated here}}
  %bs = tlx.local_alloc : !tlx.buffer<[1] 64x128xf8E4M3FN, smem>
  %a = tlx.local_view %as[%c0] : !tlx.buffer<[1] 64x64xf8E4M3FN, smem> -> !tlx.buffer<64x64xf8E4M3FN, smem>
  %b = tlx.local_view %bs[%c0] : !tlx.buffer<[1] 64x128xf8E4M3FN, smem> -> !tlx.buffer<64x128xf8E4M3FN, smem>
  // expected-note @below {{the other use: the tile of this TMA copy}}
  tlx.async_descriptor_load %desc[%c0, %c0], %b, %bar : !tt.tensordesc<64x128xf8E4M3FN>, !tlx.buffer<64x128xf8E4M3FN, smem>, !tlx.barrier<count = 1>
  // expected-error @below {{operand 'b' of this product needs another contiguous dimension than an earlier use of the same buffer; 8-bit and 32-bit products read both operands along K, so let the rows of the buffer run along K and pass local_trans of it}}
  %d = tlx.async_dot %a, %b, %acc : !tlx.buffer<64x64xf8E4M3FN, smem>, !tlx.buffer<64x128xf8E4M3FN, smem> -> tensor<64x128xf32>
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @tiles_of_two_row_lengths(%wide: !tt.tensordesc<64x64xf16>, %narrow: !tt.tensordesc<64x16xf16>) {
  %c0 = arith.constant 0 : i32
  // expected-note @below {{the buffer is allocated here}}
  %bs = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem>
  %b = tlx.local_view %bs[%c0] : !tlx.buffer<[1] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  %s = tlx.local_slice %b {offsets = array<i32: 0, 16>} : !tlx.buffer<64x64xf16, smem> -> !tlx.buffer<64x16xf16, smem>
  // expected-note @below {{the other use: the tile of this TMA copy}}
  tlx.async_descriptor_store %wide[%c0, %c0], %b : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>
  // expected-error @below {{the tile of this TMA copy needs another swizzle than an earlier use of the same buffer; copy tiles with rows of the same length, or use a buffer for each of them}}
  tlx.async_descriptor_store %narrow[%c0, %c0], %s : !tt.tensordesc<64x16xf16>, !tlx.buffer<64x16xf16, smem>
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @pinned_plain_operand(%acc: tensor<64x64xf32>) {
  %c0 = arith.constant 0 : i32
  // expected-note @below {{the layout is asked for here}}
  %bs = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>>
  %b = tlx.local_view %bs[%c0] : !tlx.buffer<[1] 64x64xf16, smem, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>> -> !tlx.buffer<64x64xf16, smem, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>>
  // expected-error @below {{cannot use the layout #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}> that the buffer asks for in operand 'b' of this product; leave the layout to the compiler}}
  %d = tlx.async_dot %b, %b, %acc : !tlx.buffer<64x64xf16, smem, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>>, !tlx.buffer<64x64xf16, smem, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>> -> tensor<64x64xf32>
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @buffers_of_one_descriptor(%desc: !tt.tensordesc<64x64xf16>) {
  %c0 = arith.constant 0 : i32
  %as = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem>
  %a = tlx.local_view %as[%c0] : !tlx.buffer<[1] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  // expected-note @below {{the layout is asked for here}}
  %bs = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem, #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>>
  %b = tlx.local_view %bs[%c0] : !tlx.buffer<[1] 64x64xf16, smem, #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>> -> !tlx.buffer<64x64xf16, smem, #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>>
  tlx.async_descriptor_store %desc[%c0, %c0], %a : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>
  // expected-error @below {{cannot use the layout}}
  tlx.async_descriptor_store %desc[%c0, %c0], %b : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem, #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>>
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @product_in_two_warps(%acc: tensor<64x64xf32>) {
  %c0 = arith.constant 0 : i32
  %as = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  tlx.async_tasks {
    tlx.async_task default {
    }
    tlx.async_task num_warps = 2 {
      %a = tlx.local_view %as[%c0] : !tlx.buffer<[1] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
      // expected-error @below {{expects the task to have a multiple of 4 warps, but got 2}}
      %d = tlx.async_dot %a, %a, %zero : !tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x64xf16, smem> -> tensor<64x64xf32>
    }
  }
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @pin_for_other_warps(%x: tensor<64x64xf32>) {
  // expected-error @below {{expects 'layout' to be for the 4 warps of its task, but got one for 8}}
  %y = tlx.require_layout %x {layout = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>} : tensor<64x64xf32> -> tensor<64x64xf32>
  tt.return
}
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @two_pins(%x: tensor<64x64xf32>) {
  %y = tlx.require_layout %x {layout = #rows} : tensor<64x64xf32> -> tensor<64x64xf32>
  // expected-note @below {{the first one is made here}}
  %z = tlx.require_layout %x {layout = #columns} : tensor<64x64xf32> -> tensor<64x64xf32>
  // expected-error @below {{combines tensors for which two layouts are required}}
  %s = arith.addf %y, %z : tensor<64x64xf32>
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @product_in_flight(%p: !tt.ptr<f32>, %acc: tensor<64x64xf32>) {
  %c0 = arith.constant 0 : i32
  %as = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem>
  %a = tlx.local_view %as[%c0] : !tlx.buffer<[1] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  // expected-note @below {{the product is started here}}
  %d = tlx.async_dot %a, %a, %acc : !tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x64xf16, smem> -> tensor<64x64xf32>
  %ptrs = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  // expected-error @below {{uses a product that is not complete in another layout; wait for it first with async_dot_wait}}
  tt.store %ptrs, %d : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
tt.func @tensor_memory() {
  // expected-error @below {{expects a buffer in shared memory}}
  %b = tlx.local_alloc : !tlx.buffer<[1] 128x128xf32, tmem>
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @slice_of_a_pattern(%acc: tensor<64x64xf32>) {
  %c0 = arith.constant 0 : i32
  %bs = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem>
  %b = tlx.local_view %bs[%c0] : !tlx.buffer<[1] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  // expected-error @below {{expects a slice of a buffer that is a tile of TMA or wgmma to have a multiple of 8 rows, which are swizzled together; take a larger slice, or copy the buffer to one of its own}}
  %s = tlx.local_slice %b {offsets = array<i32: 4, 0>} : !tlx.buffer<64x64xf16, smem> -> !tlx.buffer<4x64xf16, smem>
  // expected-note @below {{this is operand 'b' of this product}}
  %d = tlx.async_dot %b, %b, %acc : !tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x64xf16, smem> -> tensor<64x64xf32>
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @permuted_tile(%desc: !tt.tensordesc<4x64x64xf16>) {
  %c0 = arith.constant 0 : i32
  %bs = tlx.local_alloc : !tlx.buffer<[1] 4x64x64xf16, smem>
  %b = tlx.local_view %bs[%c0] : !tlx.buffer<[1] 4x64x64xf16, smem> -> !tlx.buffer<4x64x64xf16, smem>
  // expected-note @below {{this is the tile of this TMA copy}}
  tlx.async_descriptor_store %desc[%c0, %c0, %c0], %b : !tt.tensordesc<4x64x64xf16>, !tlx.buffer<4x64x64xf16, smem>
  // expected-error @below {{expects no permutation of the dimensions of a buffer of rank 3 or more that is a tile of TMA or wgmma; select an entry first, or use a buffer of rank 2}}
  %t = tlx.local_trans %b {order = array<i32: 0, 2, 1>} : !tlx.buffer<4x64x64xf16, smem> -> !tlx.buffer<4x64x64xf16, smem>
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @tile_of_a_permutation(%desc: !tt.tensordesc<4x64x32xf16>) {
  %c0 = arith.constant 0 : i32
  %bs = tlx.local_alloc : !tlx.buffer<[1] 4x32x64xf16, smem>
  %b = tlx.local_view %bs[%c0] : !tlx.buffer<[1] 4x32x64xf16, smem> -> !tlx.buffer<4x32x64xf16, smem>
  %t = tlx.local_trans %b {order = array<i32: 0, 2, 1>} : !tlx.buffer<4x32x64xf16, smem> -> !tlx.buffer<4x64x32xf16, smem>
  // expected-error @below {{expects the contiguous dimension of the tile of this TMA copy to be the last one of the buffer, as it has rank 3, but got dimension 1; allocate it in the order of the copy}}
  tlx.async_descriptor_store %desc[%c0, %c0, %c0], %t : !tt.tensordesc<4x64x32xf16>, !tlx.buffer<4x64x32xf16, smem>
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @entry_across_messages(%desc: !tt.tensordesc<64x128xf16>) {
  %c0 = arith.constant 0 : i32
  %bs = tlx.local_alloc : !tlx.buffer<[1] 4x64x128xf16, smem>
  %b = tlx.local_view %bs[%c0] : !tlx.buffer<[1] 4x64x128xf16, smem> -> !tlx.buffer<4x64x128xf16, smem>
  // expected-note @below {{the layout is asked for here}}
  %e = tlx.local_index %b[%c0] : !tlx.buffer<4x64x128xf16, smem> -> !tlx.buffer<64x128xf16, smem>
  // expected-error @below {{in the tile of this TMA copy; make the first dimension of the buffer the number of a ring}}
  tlx.async_descriptor_store %desc[%c0, %c0], %e : !tt.tensordesc<64x128xf16>, !tlx.buffer<64x128xf16, smem>
  tt.return
}
}

// -----

// 256 elements would do.
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @few_bytes_for_each_thread(%p: tensor<128x!tt.ptr<f16>>, %q: tensor<256x!tt.ptr<f16>>) {
  %c0 = arith.constant 0 : i32
  %more = tlx.local_alloc : !tlx.buffer<[1] 256xf16, smem>
  %b = tlx.local_view %more[%c0] : !tlx.buffer<[1] 256xf16, smem> -> !tlx.buffer<256xf16, smem>
  %0 = tlx.async_load %q, %b : tensor<256x!tt.ptr<f16>> -> !tlx.buffer<256xf16, smem>
  %few = tlx.local_alloc : !tlx.buffer<[1] 128xf16, smem>
  %a = tlx.local_view %few[%c0] : !tlx.buffer<[1] 128xf16, smem> -> !tlx.buffer<128xf16, smem>
  // expected-error @below {{'tlx.async_load' op expects each thread to copy at least 4 bytes, but 128 elements of 'f16' give each of 128 threads 2; copy a larger buffer, or load a tensor and store it}}
  %1 = tlx.async_load %p, %a : tensor<128x!tt.ptr<f16>> -> !tlx.buffer<128xf16, smem>
  tt.return
}
}
