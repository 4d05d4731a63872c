// RUN: tlx-opt %s --convert-tlx-to-triton-gpu | FileCheck %s

// CHECK-DAG: #[[$WORDS:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>

// Each slot is initialised; the array lives until the end.
// CHECK-LABEL: tt.func @alloc
tt.func @alloc(%i: i32) {
  // CHECK: %[[M:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #[[$WORDS]], #{{.*}}, mutable>
  // CHECK: %[[C0:.*]] = arith.constant 0 : i32
  // CHECK: %[[M0:.*]] = ttg.memdesc_index %[[M]][%[[C0]]]
  // CHECK: ttng.init_barrier %[[M0]], 3
  // CHECK: %[[C1:.*]] = arith.constant 1 : i32
  // CHECK: %[[M1:.*]] = ttg.memdesc_index %[[M]][%[[C1]]]
  // CHECK: ttng.init_barrier %[[M1]], 3
  // CHECK-NOT: ttng.init_barrier
  %m = tlx.alloc_barriers : !tlx.barrier<[2], count = 3>
  // CHECK: ttg.memdesc_index %[[M]][%{{.*}}] : {{.*}} -> !ttg.memdesc<1xi64, #[[$WORDS]], #{{.*}}, mutable>
  %s = tlx.barrier_view %m[%i] : !tlx.barrier<[2], count = 3> -> !tlx.barrier<count = 3>
  // CHECK: ttg.local_dealloc %[[M]]
  // CHECK-NEXT: tt.return
  tt.return
}

// CHECK-LABEL: tt.func @mbarrier
// CHECK-SAME: (%[[M:.*]]: !ttg.memdesc<1xi64, #[[$WORDS]], #{{.*}}, mutable>, %[[PHASE:.*]]: i32, %[[P:.*]]: i1)
tt.func @mbarrier(%m: !tlx.barrier<count = 2>, %phase: i32, %p: i1) {
  // CHECK: %[[TRUE:.*]] = arith.constant true
  // CHECK: ttng.barrier_expect %[[M]], 4096, %[[TRUE]]
  tlx.barrier_expect_bytes %m, 4096 : !tlx.barrier<count = 2>
  // CHECK: ttng.barrier_expect %[[M]], 16, %[[P]]
  tlx.barrier_expect_bytes %m, 16 pred %p : !tlx.barrier<count = 2>
  // CHECK: ttng.wait_barrier %[[M]], %[[PHASE]] :
  tlx.barrier_wait %m, %phase : !tlx.barrier<count = 2>
  // CHECK: ttng.wait_barrier %[[M]], %[[PHASE]], %[[P]]
  tlx.barrier_wait %m, %phase pred %p : !tlx.barrier<count = 2>
  // CHECK: ttng.arrive_barrier %[[M]], 2 :
  tlx.barrier_arrive %m, 2 : !tlx.barrier<count = 2>
  // CHECK: ttng.arrive_barrier %[[M]], 1, %[[P]]
  tlx.barrier_arrive %m, 1 pred %p : !tlx.barrier<count = 2>
  tt.return
}

// Every thread arrives.
// CHECK-LABEL: tt.func @warp_barrier
// CHECK-SAME: (%[[M:.*]]: !ttg.memdesc<1xi64,
tt.func @warp_barrier(%m: !tlx.barrier<count = 128, warp>, %p: i1) {
  // CHECK: %[[S:.*]] = builtin.unrealized_conversion_cast %[[M]] : {{.*}} to !llvm.struct<(ptr<3>, i32)>
  // CHECK: %[[PTR:.*]] = llvm.extractvalue %[[S]][0]
  // CHECK: %[[A:.*]] = llvm.ptrtoint %[[PTR]]
  // CHECK: llvm.inline_asm has_side_effects {{.*}}"mbarrier.arrive.shared::cta.b64 _, [$0];", "r,~{memory}" %[[A]]
  tlx.barrier_arrive %m, 1 : !tlx.barrier<count = 128, warp>
  // CHECK: llvm.inline_asm has_side_effects {{.*}}"@$1 mbarrier.arrive.shared::cta.b64 _, [$0];", "r,b,~{memory}" %{{.*}}, %{{.*}} : (i32, i1)
  tlx.barrier_arrive %m, 1 pred %p : !tlx.barrier<count = 128, warp>
  // CHECK-NOT: ttng.arrive_barrier
  tt.return
}

// CHECK-LABEL: tt.func @named
// CHECK-SAME: (%[[ID:.*]]: i32, %[[N:.*]]: i32)
tt.func @named(%id: i32, %n: i32) {
  // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.count"(%[[ID]], %[[N]])
  tlx.named_barrier_wait %id, %n : i32, i32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.arrive.aligned.count"(%[[ID]], %[[N]])
  tlx.named_barrier_arrive %id, %n : i32, i32
  tt.return
}

// CHECK-LABEL: tt.func @fences
tt.func @fences() {
  // CHECK: ttng.fence_async_shared {bCluster = false}
  tlx.fence async_shared
  // CHECK: llvm.inline_asm has_side_effects {{.*}}"fence.acq_rel.gpu;", "~{memory}"
  tlx.fence gpu
  // CHECK: llvm.inline_asm has_side_effects {{.*}}"fence.acq_rel.sys;", "~{memory}"
  tlx.fence sys
  tt.return
}
