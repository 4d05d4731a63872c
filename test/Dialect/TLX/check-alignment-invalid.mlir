// RUN: tlx-opt %s --tlx-check-alignment --split-input-file --verify-diagnostics

#plain = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16, rank = 1}>
module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @slots(%desc: !tt.tensordesc<32xf16, #plain>, %bar: !tlx.barrier<count = 1>, %i: i32) {
    %ring = tlx.local_alloc : !tlx.buffer<[3] 32xf16, smem, #plain>
    // expected-note @below {{the view is made here}}
    %slot = tlx.local_view %ring[%i] : !tlx.buffer<[3] 32xf16, smem, #plain> -> !tlx.buffer<32xf16, smem, #plain>
    // expected-error @below {{'tlx.async_descriptor_load' op expects 'result' to start at a multiple of 128 bytes, but got a view that starts at a multiple of 64; let a slot of the ring have a multiple of 128 bytes}}
    tlx.async_descriptor_load %desc[%i], %slot, %bar : !tt.tensordesc<32xf16, #plain>, !tlx.buffer<32xf16, smem, #plain>, !tlx.barrier<count = 1>
    return
  }
}

// -----

// A loop hands on the slot.
#plain = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16, rank = 1}>
module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @carried(%desc: !tt.tensordesc<8xf16, #plain>, %i: i32, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = tlx.local_alloc : !tlx.buffer<[3] 8xf16, smem, #plain>
    %first = tlx.local_view %ring[%c0] : !tlx.buffer<[3] 8xf16, smem, #plain> -> !tlx.buffer<8xf16, smem, #plain>
    // expected-note @below {{the view is made here}}
    %second = tlx.local_view %ring[%c1] : !tlx.buffer<[3] 8xf16, smem, #plain> -> !tlx.buffer<8xf16, smem, #plain>
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%slot = %first) -> !tlx.buffer<8xf16, smem, #plain> : i32 {
      // expected-error @below {{'tlx.async_descriptor_store' op expects 'source' to start at a multiple of 128 bytes, but got a view that starts at a multiple of 16}}
      tlx.async_descriptor_store %desc[%i], %slot : !tt.tensordesc<8xf16, #plain>, !tlx.buffer<8xf16, smem, #plain>
      scf.yield %second : !tlx.buffer<8xf16, smem, #plain>
    }
    return
  }
}

// -----

// Columns inside of the swizzle.
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @slice(%desc: !tt.tensordesc<64x32xf16, #tile>, %bar: !tlx.barrier<count = 1>, %i: i32) {
    %c0 = arith.constant 0 : i32
    %ring = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem, #tile>
    %b = tlx.local_view %ring[%c0] : !tlx.buffer<[1] 64x64xf16, smem, #tile> -> !tlx.buffer<64x64xf16, smem, #tile>
    // expected-note @below {{the view is made here}}
    %half = tlx.local_slice %b {offsets = array<i32: 0, 32>} : !tlx.buffer<64x64xf16, smem, #tile> -> !tlx.buffer<64x32xf16, smem, #tile>
    // expected-error @below {{expects 'result' to start at a multiple of 1024 bytes, but got a view that starts at a multiple of 64}}
    tlx.async_descriptor_load %desc[%i, %i], %half, %bar : !tt.tensordesc<64x32xf16, #tile>, !tlx.buffer<64x32xf16, smem, #tile>, !tlx.barrier<count = 1>
    return
  }
}
