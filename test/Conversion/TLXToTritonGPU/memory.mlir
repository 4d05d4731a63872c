// RUN: tlx-opt %s --convert-tlx-to-triton-gpu --split-input-file | FileCheck %s

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#sharedT = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #[[$SHARED:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #[[$SHARED_T:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
// CHECK-DAG: #[[$PLAIN:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>

// CHECK-LABEL: tt.func @load_store
tt.func @load_store(%i: i32, %tok: !tlx.token) {
  // CHECK: %[[B:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #[[$SHARED]], #{{.*}}, mutable>
  %b = tlx.local_alloc : !tlx.buffer<[3] 64x64xf16, smem, #shared>
  // CHECK: %[[V:.*]] = ttg.memdesc_index %[[B]][%{{.*}}] : !ttg.memdesc<3x64x64xf16, {{.*}}> -> !ttg.memdesc<64x64xf16, #[[$SHARED]], #{{.*}}, mutable>
  %v = tlx.local_view %b[%i] : !tlx.buffer<[3] 64x64xf16, smem, #shared> -> !tlx.buffer<64x64xf16, smem, #shared>
  // CHECK: %[[T:.*]] = ttg.local_load %[[V]] token %{{.*}} : {{.*}} -> tensor<64x64xf16, #{{.*}}>
  %t = tlx.local_load %v token %tok : !tlx.buffer<64x64xf16, smem, #shared> -> tensor<64x64xf16, #blocked>
  // CHECK: ttg.local_store %[[T]], %[[V]]
  tlx.local_store %t, %v : tensor<64x64xf16, #blocked> -> !tlx.buffer<64x64xf16, smem, #shared>
  // CHECK: ttg.local_dealloc %[[B]]
  // CHECK-NEXT: tt.return
  tt.return
}

// A slice remembers the shape of its allocation, also when transposed.
// CHECK-LABEL: tt.func @views
// CHECK-SAME: %[[V:.*]]: !ttg.memdesc<64x128xf16, #[[$SHARED]], #{{.*}}, mutable>
tt.func @views(%v: !tlx.buffer<64x128xf16, smem, #shared>, %p: !tlx.buffer<64x128xf16, smem, #plain>) {
  // CHECK: ttg.memdesc_trans %[[V]] {order = array<i32: 1, 0>} : {{.*}} -> !ttg.memdesc<128x64xf16, #[[$SHARED_T]], #{{.*}}, mutable>
  %0 = tlx.local_trans %v {order = array<i32: 1, 0>} : !tlx.buffer<64x128xf16, smem, #shared> -> !tlx.buffer<128x64xf16, smem, #sharedT>
  // CHECK: %[[S:.*]] = ttg.memdesc_subslice %[[V]][0, 64] : {{.*}} -> !ttg.memdesc<64x64xf16, #[[$SHARED]], #{{.*}}, mutable, 64x128>
  %1 = tlx.local_slice %v {offsets = array<i32: 0, 64>} : !tlx.buffer<64x128xf16, smem, #shared> -> !tlx.buffer<64x64xf16, smem, #shared>
  // CHECK: ttg.memdesc_trans %[[S]] {order = array<i32: 1, 0>} : {{.*}} -> !ttg.memdesc<64x64xf16, #[[$SHARED_T]], #{{.*}}, mutable, 128x64>
  %2 = tlx.local_trans %1 {order = array<i32: 1, 0>} : !tlx.buffer<64x64xf16, smem, #shared> -> !tlx.buffer<64x64xf16, smem, #sharedT>
  // CHECK: ttg.memdesc_reshape %{{.*}} : {{.*}} -> !ttg.memdesc<8192xf16, #{{.*}}, #{{.*}}, mutable>
  %3 = tlx.local_reshape %p : !tlx.buffer<64x128xf16, smem, #plain> -> !tlx.buffer<8192xf16, smem, #flat>
  // CHECK: ttg.memdesc_reinterpret %{{.*}} : {{.*}} -> !ttg.memdesc<64x64xf32, #[[$PLAIN]], #{{.*}}, mutable>
  %4 = tlx.local_reinterpret %p : !tlx.buffer<64x128xf16, smem, #plain> -> !tlx.buffer<64x64xf32, smem, #plain>
  tt.return
}

// Buffers that a loop carries and that a partition captures change their type;
// an allocation in a region is freed where the region ends.
// CHECK-LABEL: tt.func @control_flow
tt.func @control_flow(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %b = tlx.local_alloc : !tlx.buffer<[2] 64x64xf16, smem, #shared>
  // CHECK: %[[V:.*]] = ttg.memdesc_index
  %v = tlx.local_view %b[%c0] : !tlx.buffer<[2] 64x64xf16, smem, #shared> -> !tlx.buffer<64x64xf16, smem, #shared>
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[V]]) -> (!ttg.memdesc<64x64xf16, {{.*}}>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%w = %v) -> (!tlx.buffer<64x64xf16, smem, #shared>) : i32 {
    %x = tlx.local_view %b[%i] : !tlx.buffer<[2] 64x64xf16, smem, #shared> -> !tlx.buffer<64x64xf16, smem, #shared>
    scf.yield %x : !tlx.buffer<64x64xf16, smem, #shared>
  }
  ttg.warp_specialize(%b) attributes {warpGroupStartIds = array<i32: 4>}
  default {
    ttg.warp_yield
  }
  // CHECK: partition0(%[[P:.*]]: !ttg.memdesc<2x64x64xf16, {{.*}}>) num_warps(1)
  partition0(%p: !tlx.buffer<[2] 64x64xf16, smem, #shared>) num_warps(1) {
    // CHECK: %[[A:.*]] = ttg.local_alloc
    %a = tlx.local_alloc : !tlx.buffer<[1] 64xf16, smem, #flat>
    // CHECK: ttg.memdesc_index %[[P]]
    %z = arith.constant 0 : i32
    %y = tlx.local_view %p[%z] : !tlx.buffer<[2] 64x64xf16, smem, #shared> -> !tlx.buffer<64x64xf16, smem, #shared>
    // CHECK: ttg.local_dealloc %[[A]]
    // CHECK-NEXT: ttg.warp_return
    ttg.warp_return
  } : (!tlx.buffer<[2] 64x64xf16, smem, #shared>) -> ()
  tt.return
}

// Each return of a function frees what was allocated before it.
// CHECK-LABEL: tt.func @two_returns
tt.func @two_returns(%c: i1) {
  %b = tlx.local_alloc : !tlx.buffer<[1] 64xf16, smem, #flat>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  // CHECK: ttg.local_dealloc
  // CHECK-NEXT: tt.return
  tt.return
^bb2:
  // CHECK: ttg.local_dealloc
  // CHECK-NEXT: tt.return
  tt.return
}

// -----

#tile3 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 3}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#indices = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: #[[$TILE:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>

// An entry is one of a ring with the layout of the entry.
// CHECK-LABEL: tt.func @entries
// CHECK-SAME: (%[[V:.*]]: !ttg.memdesc<4x64x64xf16, #{{.*}}, %[[I:.*]]: i32)
tt.func @entries(%v: !tlx.buffer<4x64x64xf16, smem, #tile3>, %i: i32) {
  // CHECK: %[[R:.*]] = ttg.memdesc_reinterpret %[[V]] : {{.*}} -> !ttg.memdesc<4x64x64xf16, #[[$TILE]], #{{.*}}, mutable>
  // CHECK: ttg.memdesc_index %[[R]][%[[I]]] : {{.*}} -> !ttg.memdesc<64x64xf16, #[[$TILE]], #{{.*}}, mutable>
  %w = tlx.local_index %v[%i] : !tlx.buffer<4x64x64xf16, smem, #tile3> -> !tlx.buffer<64x64xf16, smem, #tile>
  tt.return
}

// CHECK-LABEL: tt.func @selections
// CHECK-SAME: (%[[V:.*]]: !ttg.memdesc<64x64xf16, #{{.*}}, %[[I:.*]]: tensor<16x64xi32, #{{.*}}>)
tt.func @selections(%v: !tlx.buffer<64x64xf16, smem, #tile>, %i: tensor<16x64xi32, #indices>) {
  // CHECK: %[[T:.*]] = ttg.local_gather %[[V]][%[[I]]] {axis = 0 : i32}
  %t = tlx.local_gather %v[%i] {axis = 0 : i32} : !tlx.buffer<64x64xf16, smem, #tile>, tensor<16x64xi32, #indices> -> tensor<16x64xf16, #indices>
  // CHECK: ttg.local_scatter %[[V]][%[[I]]], %[[T]] {axis = 0 : i32}
  tlx.local_scatter %t, %v[%i] {axis = 0 : i32} : tensor<16x64xf16, #indices>, tensor<16x64xi32, #indices> -> !tlx.buffer<64x64xf16, smem, #tile>
  tt.return
}

// -----

#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#row = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16, rank = 1}>

// Bytes that are used as tiles are aligned as tiles: 8 rows of the swizzle, or
// 128 bytes. Triton aligns a buffer for its own layout.
// CHECK-LABEL: tt.func @alignment
tt.func @alignment(%i: i32) {
  // CHECK: ttg.local_alloc {alignment = 1024 : i32}
  %a = tlx.local_alloc : !tlx.buffer<[2] 8192xi8, smem, #flat>
  %av = tlx.local_view %a[%i] : !tlx.buffer<[2] 8192xi8, smem, #flat> -> !tlx.buffer<8192xi8, smem, #flat>
  %at = tlx.local_reinterpret %av : !tlx.buffer<8192xi8, smem, #flat> -> !tlx.buffer<64x64xf16, smem, #tile>
  // CHECK: ttg.local_alloc {alignment = 128 : i32}
  %b = tlx.local_alloc : !tlx.buffer<[2] 8192xi8, smem, #flat>
  %bv = tlx.local_view %b[%i] : !tlx.buffer<[2] 8192xi8, smem, #flat> -> !tlx.buffer<8192xi8, smem, #flat>
  %bt = tlx.local_reinterpret %bv : !tlx.buffer<8192xi8, smem, #flat> -> !tlx.buffer<64xf16, smem, #row>
  // CHECK: ttg.local_alloc :
  %c = tlx.local_alloc : !tlx.buffer<[2] 64x64xf16, smem, #tile>
  tt.return
}
