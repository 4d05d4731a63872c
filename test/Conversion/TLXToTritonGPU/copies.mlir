// RUN: tlx-opt %s --convert-tlx-to-triton-gpu | FileCheck %s

#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#blocked = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// CHECK-LABEL: tt.func @groups
tt.func @groups(%p: tensor<1024x!tt.ptr<f16>, #blocked>, %m: tensor<1024xi1, #blocked>, %o: f16, %v: !tlx.buffer<1024xf16, smem, #flat>) {
  // CHECK: %[[A:.*]] = ttg.async_copy_global_to_local %{{.*}}, %{{.*}} :
  %a = tlx.async_load %p, %v : tensor<1024x!tt.ptr<f16>, #blocked> -> !tlx.buffer<1024xf16, smem, #flat>
  // CHECK: %[[O:.*]] = tt.splat %{{.*}} : f16 -> tensor<1024xf16, #{{.*}}>
  // CHECK: %[[B:.*]] = ttg.async_copy_global_to_local %{{.*}}, %{{.*}} mask %{{.*}} other %[[O]]
  // CHECK-SAME: eviction_policy = evict_first
  %b = tlx.async_load %p, %v mask %m : tensor<1024xi1, #blocked> other %o : f16 {eviction_policy = 2 : i32} : tensor<1024x!tt.ptr<f16>, #blocked> -> !tlx.buffer<1024xf16, smem, #flat>
  // CHECK: %[[G:.*]] = ttg.async_commit_group tokens %[[A]], %[[B]]
  %g = tlx.async_load_commit_group tokens %a, %b
  // CHECK: ttg.async_wait %[[G]] {num = 1 : i32}
  %w = tlx.async_load_wait_group 1 tokens %g
  tt.return
}

// One thread issues a bulk copy once all threads of the task have come.
// CHECK-LABEL: tt.func @bulk
// CHECK-SAME: (%[[P:.*]]: !tt.ptr<f16>, %[[V:[^:]*]]: !ttg.memdesc<1024xf16, {{.*}}>, %[[M:[^:]*]]: !ttg.memdesc<1xi64, {{.*}}>, %[[SIZE:.*]]: i32, %[[PRED:.*]]: i1)
tt.func @bulk(%p: !tt.ptr<f16>, %v: !tlx.buffer<1024xf16, smem, #flat>, %m: !tlx.barrier<count = 1>, %size: i32, %pred: i1) {
  // CHECK: ttg.barrier local
  // CHECK: %[[LANE:.*]] = nvvm.read.ptx.sreg.laneid
  // CHECK: %[[WARP:.*]] = ttg.warp_id
  // CHECK: %[[OR:.*]] = arith.ori %[[LANE]], %[[WARP]]
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[OR]],
  // CHECK: %[[ONE:.*]] = arith.andi %[[FIRST]], %[[PRED]]
  // CHECK: "@$4 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], $2, [$3];", "r,l,r,r,b,~{memory}" %{{.*}}, %{{.*}}, %[[SIZE]], %{{.*}}, %[[ONE]]
  tlx.async_bulk_load %p, %v, %size, %m pred %pred : !tt.ptr<f16>, !tlx.buffer<1024xf16, smem, #flat>, !tlx.barrier<count = 1>
  // CHECK: ttg.barrier local
  // CHECK: "@$3 cp.async.bulk.global.shared::cta.bulk_group [$1], [$0], $2;\0A@$3 cp.async.bulk.commit_group;", "r,l,r,b,~{memory}"
  tlx.async_bulk_store %v, %p, %size : !tlx.buffer<1024xf16, smem, #flat>, !tt.ptr<f16>
  tt.return
}

// The first pointer of a tensor is recomputed as a scalar.
// CHECK-LABEL: tt.func @first_pointer
// CHECK-SAME: (%[[P:.*]]: !tt.ptr<f16>, %[[N:.*]]: i32,
tt.func @first_pointer(%p: !tt.ptr<f16>, %n: i32, %v: !tlx.buffer<1024xf16, smem, #flat>, %m: !tlx.barrier<count = 1>, %size: i32) {
  %s = tt.splat %p : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked>
  %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<1024xi32, #blocked>
  %o = arith.addi %r, %ns : tensor<1024xi32, #blocked>
  %ps = tt.addptr %s, %o : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: %[[OFFSET:.*]] = arith.addi %[[ZERO]], %[[N]] : i32
  // CHECK: %[[FIRST:.*]] = tt.addptr %[[P]], %[[OFFSET]] : !tt.ptr<f16>, i32
  // CHECK: builtin.unrealized_conversion_cast %[[FIRST]] : !tt.ptr<f16> to !llvm.ptr<1>
  tlx.async_bulk_load %ps, %v, %size, %m : tensor<1024x!tt.ptr<f16>, #blocked>, !tlx.buffer<1024xf16, smem, #flat>, !tlx.barrier<count = 1>
  tt.return
}

// The base address of a slice leaves its offset out.
// CHECK-LABEL: tt.func @slice
// CHECK: %[[S:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !ttg.memdesc<256xf16, {{.*}}, 1024> to !llvm.struct<(ptr<3>, i32)>
// CHECK: %[[BASE:.*]] = llvm.extractvalue %[[S]][0]
// CHECK: %[[INDEX:.*]] = llvm.extractvalue %[[S]][1]
// CHECK: %[[C2:.*]] = arith.constant 2 : i32
// CHECK: %[[BYTES:.*]] = arith.muli %[[INDEX]], %[[C2]] : i32
// CHECK: %[[OFFSET:.*]] = arith.addi %{{.*}}, %[[BYTES]] : i32
// CHECK: %[[FIRST:.*]] = llvm.getelementptr %[[BASE]][%[[OFFSET]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
// CHECK: llvm.ptrtoint %[[FIRST]]
tt.func @slice(%p: !tt.ptr<f16>, %v: !tlx.buffer<1024xf16, smem, #flat>, %size: i32) {
  %part = tlx.local_slice %v {offsets = array<i32: 512>} : !tlx.buffer<1024xf16, smem, #flat> -> !tlx.buffer<256xf16, smem, #flat>
  tlx.async_bulk_store %part, %p, %size : !tlx.buffer<256xf16, smem, #flat>, !tt.ptr<f16>
  tt.return
}
