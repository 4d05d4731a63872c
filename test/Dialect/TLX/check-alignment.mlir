// RUN: tlx-opt %s --tlx-check-alignment --split-input-file | FileCheck %s

#plain = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16, rank = 1}>

// Slots of 128 bytes, and the first slot of a ring of smaller ones.
// CHECK-LABEL: module
// CHECK: tlx.async_descriptor_load
// CHECK: tlx.async_descriptor_load
module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @slots(%desc: !tt.tensordesc<64xf16, #plain>, %small: !tt.tensordesc<8xf16, #plain>,
                   %bar: !tlx.barrier<count = 1>, %i: i32) {
    %c0 = arith.constant 0 : i32
    %ring = tlx.local_alloc : !tlx.buffer<[3] 64xf16, smem, #plain>
    %slot = tlx.local_view %ring[%i] : !tlx.buffer<[3] 64xf16, smem, #plain> -> !tlx.buffer<64xf16, smem, #plain>
    tlx.async_descriptor_load %desc[%i], %slot, %bar : !tt.tensordesc<64xf16, #plain>, !tlx.buffer<64xf16, smem, #plain>, !tlx.barrier<count = 1>
    %short = tlx.local_alloc : !tlx.buffer<[3] 8xf16, smem, #plain>
    %first = tlx.local_view %short[%c0] : !tlx.buffer<[3] 8xf16, smem, #plain> -> !tlx.buffer<8xf16, smem, #plain>
    tlx.async_descriptor_load %small[%i], %first, %bar : !tt.tensordesc<8xf16, #plain>, !tlx.buffer<8xf16, smem, #plain>, !tlx.barrier<count = 1>
    return
  }
}

// -----

#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>

// Half of a swizzled tile.
// CHECK-LABEL: module
// CHECK: tlx.async_descriptor_load
module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @slice(%desc: !tt.tensordesc<64x64xf16, #tile>, %bar: !tlx.barrier<count = 1>, %i: i32) {
    %ring = tlx.local_alloc : !tlx.buffer<[2] 64x128xf16, smem, #tile>
    %slot = tlx.local_view %ring[%i] : !tlx.buffer<[2] 64x128xf16, smem, #tile> -> !tlx.buffer<64x128xf16, smem, #tile>
    %half = tlx.local_slice %slot {offsets = array<i32: 0, 64>} : !tlx.buffer<64x128xf16, smem, #tile> -> !tlx.buffer<64x64xf16, smem, #tile>
    tlx.async_descriptor_load %desc[%i, %i], %half, %bar : !tt.tensordesc<64x64xf16, #tile>, !tlx.buffer<64x64xf16, smem, #tile>, !tlx.barrier<count = 1>
    return
  }
}
