// RUN: tlx-opt %s --split-input-file --tlx-assign-layouts | FileCheck %s

// K is stored row by row and read by the product as its transpose: the view is
// transposed, the buffer that TMA fills is not.

// CHECK-DAG: #[[$ROWS:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #[[$COLUMNS:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
// CHECK-DAG: #[[$HALF:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK: tt.func @transposed_operand(%{{.*}}: !tt.tensordesc<128x64xf16, #[[$ROWS]]>
tt.func @transposed_operand(%desc: !tt.tensordesc<128x64xf16>) {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %bars = tlx.alloc_barriers : !tlx.barrier<[1], count = 1>
  %bar = tlx.barrier_view %bars[%c0] : !tlx.barrier<[1], count = 1> -> !tlx.barrier<count = 1>
  // CHECK: tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem, #[[$ROWS]]>
  %qs = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem>
  // CHECK: tlx.local_alloc : !tlx.buffer<[2] 128x64xf16, smem, #[[$ROWS]]>
  %ks = tlx.local_alloc : !tlx.buffer<[2] 128x64xf16, smem>
  %q = tlx.local_view %qs[%c0] : !tlx.buffer<[1] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  %k = tlx.local_view %ks[%c0] : !tlx.buffer<[2] 128x64xf16, smem> -> !tlx.buffer<128x64xf16, smem>
  tlx.async_descriptor_load %desc[%c0, %c0], %k, %bar : !tt.tensordesc<128x64xf16>, !tlx.buffer<128x64xf16, smem>, !tlx.barrier<count = 1>
  // CHECK: tlx.local_trans {{.*}} -> !tlx.buffer<64x128xf16, smem, #[[$COLUMNS]]>
  %kt = tlx.local_trans %k {order = array<i32: 1, 0>} : !tlx.buffer<128x64xf16, smem> -> !tlx.buffer<64x128xf16, smem>
  %d = tlx.async_dot %q, %kt, %zero : !tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x128xf16, smem> -> tensor<64x128xf32>
  tt.return
}

// The swizzle follows the rows of the tile that TMA copies.

// CHECK: tt.func @slice_of_half_a_row(%{{.*}}: !tt.tensordesc<64x32xf16, #[[$HALF]]>
tt.func @slice_of_half_a_row(%desc: !tt.tensordesc<64x32xf16>) {
  %c0 = arith.constant 0 : i32
  // CHECK: tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem, #[[$HALF]]>
  %bs = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem>
  %b = tlx.local_view %bs[%c0] : !tlx.buffer<[1] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  %s = tlx.local_slice %b {offsets = array<i32: 0, 32>} : !tlx.buffer<64x64xf16, smem> -> !tlx.buffer<64x32xf16, smem>
  tlx.async_descriptor_store %desc[%c0, %c0], %s : !tt.tensordesc<64x32xf16>, !tlx.buffer<64x32xf16, smem>
  tt.return
}
}

// -----

// 8-bit operands are read along K: a 64x128 operand b that no copy fixes is
// stored column by column.

// CHECK-DAG: #[[$ALONG_K:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>
// CHECK-DAG: #[[$ROWS:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: tt.func @int8_product
tt.func @int8_product(%x: tensor<64x128xi8>, %acc: tensor<64x128xi32>) {
  %c0 = arith.constant 0 : i32
  // CHECK: tlx.local_alloc : !tlx.buffer<[1] 64x64xi8, smem, #[[$ROWS]]>
  %as = tlx.local_alloc : !tlx.buffer<[1] 64x64xi8, smem>
  // CHECK: tlx.local_alloc : !tlx.buffer<[1] 64x128xi8, smem, #[[$ALONG_K]]>
  %bs = tlx.local_alloc : !tlx.buffer<[1] 64x128xi8, smem>
  %a = tlx.local_view %as[%c0] : !tlx.buffer<[1] 64x64xi8, smem> -> !tlx.buffer<64x64xi8, smem>
  %b = tlx.local_view %bs[%c0] : !tlx.buffer<[1] 64x128xi8, smem> -> !tlx.buffer<64x128xi8, smem>
  tlx.local_store %x, %b : tensor<64x128xi8> -> !tlx.buffer<64x128xi8, smem>
  %d = tlx.async_dot %a, %b, %acc : !tlx.buffer<64x64xi8, smem>, !tlx.buffer<64x128xi8, smem> -> tensor<64x128xi32>
  tt.return
}
}

// -----

// Buffers that loops carry and tasks capture belong to the family of their
// allocation. Kernels without TMA or products get the same defaults.

// CHECK-DAG: #[[$TILE:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #[[$PLAIN:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
// CHECK-DAG: #[[$NARROW:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #[[$WIDE:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: tt.func @carried_and_captured
tt.func @carried_and_captured(%n: i32, %acc: tensor<64x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tlx.local_alloc : !tlx.buffer<[2] 64x64xf16, smem, #[[$TILE]]>
  %bs = tlx.local_alloc : !tlx.buffer<[2] 64x64xf16, smem>
  tlx.async_tasks {
    tlx.async_task default {
    }
    tlx.async_task num_warps = 4 {
      %v0 = tlx.local_view %bs[%c0] : !tlx.buffer<[2] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
      %v1 = tlx.local_view %bs[%c1] : !tlx.buffer<[2] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
      // CHECK: scf.for {{.*}} -> (!tlx.buffer<64x64xf16, smem, #[[$TILE]]>, !tlx.buffer<64x64xf16, smem, #[[$TILE]]>)
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v0, %b = %v1) -> (!tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x64xf16, smem>) : i32 {
        %d = tlx.async_dot %a, %b, %zero : !tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x64xf16, smem> -> tensor<64x64xf32>
        scf.yield %b, %a : !tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x64xf16, smem>
      }
    }
  }
  tt.return
}

// CHECK-LABEL: tt.func @defaults
tt.func @defaults() {
  // CHECK-NEXT: tlx.local_alloc : !tlx.buffer<[2] 64x64xf16, smem, #[[$TILE]]>
  %tile = tlx.local_alloc : !tlx.buffer<[2] 64x64xf16, smem>
  // CHECK-NEXT: tlx.local_alloc : !tlx.buffer<[2] 128xf16, smem, #[[$PLAIN]]>
  %vector = tlx.local_alloc : !tlx.buffer<[2] 128xf16, smem>
  // CHECK-NEXT: tlx.local_alloc : !tlx.buffer<[2] 64x8xf16, smem, #[[$NARROW]]>
  %narrow = tlx.local_alloc : !tlx.buffer<[2] 64x8xf16, smem>
  // CHECK-NEXT: tlx.local_alloc : !tlx.buffer<[2] 64x64xf64, smem, #[[$WIDE]]>
  %wide = tlx.local_alloc : !tlx.buffer<[2] 64x64xf64, smem>
  tt.return
}
}

// -----

// A reshape of whole rows keeps a tile; others, and bulk copies, need
// consecutive elements. A user's choice is kept.

// CHECK-DAG: #[[$TILE:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #[[$TILE3:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 3}>
// CHECK-DAG: #[[$PLAIN1:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
// CHECK-DAG: #[[$PLAIN2:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
// CHECK-DAG: #[[$ROTATED:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0, 2]}>
// CHECK-DAG: #[[$PIN:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: tt.func @reshapes
tt.func @reshapes() {
  %c0 = arith.constant 0 : i32
  %bs = tlx.local_alloc : !tlx.buffer<[1] 128x64xf16, smem>
  %b = tlx.local_view %bs[%c0] : !tlx.buffer<[1] 128x64xf16, smem> -> !tlx.buffer<128x64xf16, smem>
  // CHECK: tlx.local_reshape {{.*}} : !tlx.buffer<128x64xf16, smem, #[[$TILE]]> -> !tlx.buffer<2x64x64xf16, smem, #[[$TILE3]]>
  %r = tlx.local_reshape %b : !tlx.buffer<128x64xf16, smem> -> !tlx.buffer<2x64x64xf16, smem>
  %cs = tlx.local_alloc : !tlx.buffer<[1] 128x64xf16, smem>
  %c = tlx.local_view %cs[%c0] : !tlx.buffer<[1] 128x64xf16, smem> -> !tlx.buffer<128x64xf16, smem>
  // CHECK: tlx.local_reshape {{.*}} : !tlx.buffer<128x64xf16, smem, #[[$PLAIN2]]> -> !tlx.buffer<8192xf16, smem, #[[$PLAIN1]]>
  %f = tlx.local_reshape %c : !tlx.buffer<128x64xf16, smem> -> !tlx.buffer<8192xf16, smem>
  tt.return
}

// Neither a single row nor a rotation of three dimensions is a tile.

// CHECK-LABEL: tt.func @views_that_are_no_tiles
tt.func @views_that_are_no_tiles() {
  %c0 = arith.constant 0 : i32
  %bs = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem>
  %b = tlx.local_view %bs[%c0] : !tlx.buffer<[1] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  // CHECK: tlx.local_slice {{.*}} -> !tlx.buffer<1x64xf16, smem, #[[$PLAIN2]]>
  %row = tlx.local_slice %b {offsets = array<i32: 3, 0>} : !tlx.buffer<64x64xf16, smem> -> !tlx.buffer<1x64xf16, smem>
  %cs = tlx.local_alloc : !tlx.buffer<[1] 2x64x64xf16, smem>
  %c = tlx.local_view %cs[%c0] : !tlx.buffer<[1] 2x64x64xf16, smem> -> !tlx.buffer<2x64x64xf16, smem>
  // CHECK: tlx.local_trans {{.*}} -> !tlx.buffer<64x64x2xf16, smem, #[[$ROTATED]]>
  %r = tlx.local_trans %c {order = array<i32: 1, 2, 0>} : !tlx.buffer<2x64x64xf16, smem> -> !tlx.buffer<64x64x2xf16, smem>
  tt.return
}

// CHECK-LABEL: tt.func @pinned
tt.func @pinned(%acc: tensor<64x64xf32>) {
  %c0 = arith.constant 0 : i32
  // CHECK: tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem, #[[$PIN]]>
  %bs = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem, #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>>
  %b = tlx.local_view %bs[%c0] : !tlx.buffer<[1] 64x64xf16, smem, #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>> -> !tlx.buffer<64x64xf16, smem, #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>>
  // CHECK: tlx.async_dot {{.*}} : !tlx.buffer<64x64xf16, smem, #[[$PIN]]>, !tlx.buffer<64x64xf16, smem, #[[$PIN]]>
  %d = tlx.async_dot %b, %b, %acc : !tlx.buffer<64x64xf16, smem, #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>>, !tlx.buffer<64x64xf16, smem, #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>> -> tensor<64x64xf32>
  tt.return
}
}

// -----

// Entries that are whole patterns of a tile are tiles, others are plain.

// CHECK-DAG: #[[$TILE3:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 3}>
// CHECK-DAG: #[[$TILE:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #[[$PLAIN1:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
// CHECK-DAG: #[[$PLAIN2:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
// CHECK-DAG: #[[$PLAIN3:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [2, 1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: tt.func @entries
tt.func @entries(%desc: !tt.tensordesc<64x64xf16>, %i: i32) {
  %c0 = arith.constant 0 : i32
  %as = tlx.local_alloc : !tlx.buffer<[1] 4x64x64xf16, smem>
  %a = tlx.local_view %as[%c0] : !tlx.buffer<[1] 4x64x64xf16, smem> -> !tlx.buffer<4x64x64xf16, smem>
  // CHECK: tlx.local_index {{.*}} : !tlx.buffer<4x64x64xf16, smem, #[[$TILE3]]> -> !tlx.buffer<64x64xf16, smem, #[[$TILE]]>
  %tile = tlx.local_index %a[%i] : !tlx.buffer<4x64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  tlx.async_descriptor_store %desc[%c0, %c0], %tile : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>
  %bs = tlx.local_alloc : !tlx.buffer<[1] 4x64x128xf16, smem>
  %b = tlx.local_view %bs[%c0] : !tlx.buffer<[1] 4x64x128xf16, smem> -> !tlx.buffer<4x64x128xf16, smem>
  // CHECK: tlx.local_index {{.*}} : !tlx.buffer<4x64x128xf16, smem, #[[$PLAIN3]]> -> !tlx.buffer<64x128xf16, smem, #[[$PLAIN2]]>
  %wide = tlx.local_index %b[%i] : !tlx.buffer<4x64x128xf16, smem> -> !tlx.buffer<64x128xf16, smem>
  // CHECK: tlx.local_index {{.*}} : !tlx.buffer<64x128xf16, smem, #[[$PLAIN2]]> -> !tlx.buffer<128xf16, smem, #[[$PLAIN1]]>
  %row = tlx.local_index %wide[%i] : !tlx.buffer<64x128xf16, smem> -> !tlx.buffer<128xf16, smem>
  %cs = tlx.local_alloc : !tlx.buffer<[1] 4x4x64xf16, smem>
  %c = tlx.local_view %cs[%c0] : !tlx.buffer<[1] 4x4x64xf16, smem> -> !tlx.buffer<4x4x64xf16, smem>
  // CHECK: tlx.local_index {{.*}} : !tlx.buffer<4x4x64xf16, smem, #[[$PLAIN3]]> -> !tlx.buffer<4x64xf16, smem, #[[$PLAIN2]]>
  %low = tlx.local_index %c[%i] : !tlx.buffer<4x4x64xf16, smem> -> !tlx.buffer<4x64xf16, smem>
  tt.return
}

// A slice that keeps the pattern leaves the buffer a tile: 4 rows of each of 2
// entries are 8 rows.

// CHECK-LABEL: tt.func @slices
tt.func @slices() {
  %c0 = arith.constant 0 : i32
  %as = tlx.local_alloc : !tlx.buffer<[1] 4x4x64xf16, smem>
  %a = tlx.local_view %as[%c0] : !tlx.buffer<[1] 4x4x64xf16, smem> -> !tlx.buffer<4x4x64xf16, smem>
  // CHECK: tlx.local_slice {{.*}} -> !tlx.buffer<2x4x8xf16, smem, #[[$TILE3]]>
  %v = tlx.local_slice %a {offsets = array<i32: 2, 0, 8>} : !tlx.buffer<4x4x64xf16, smem> -> !tlx.buffer<2x4x8xf16, smem>
  tt.return
}

// The layout of a descriptor in memory follows from its block.

// CHECK-LABEL: tt.func @stored_descriptors
tt.func @stored_descriptors(%p: !tt.ptr<i8>, %x: !tt.ptr<f16>, %m: i32, %s: i64) {
  // CHECK: tlx.make_tensor_descriptor {{.*}} -> !tt.tensordesc<64x64xf16, #[[$TILE]]>
  %d = tlx.make_tensor_descriptor %p, %x, [%m, %m], [%s] : !tt.ptr<i8>, !tt.ptr<f16> -> !tt.tensordesc<64x64xf16>
  // CHECK: tlx.reinterpret_tensor_descriptor {{.*}} -> !tt.tensordesc<64x64xf16, #[[$TILE]]>
  %r = tlx.reinterpret_tensor_descriptor %p : !tt.ptr<i8> -> !tt.tensordesc<64x64xf16>
  tt.return
}
}
