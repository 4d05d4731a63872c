// RUN: tlx-opt %s --tlx-spread-descriptors --split-input-file | FileCheck %s

// Two loops: the count goes on in the next iteration of the outer one. Two
// slots, so three places.
// CHECK-LABEL: tt.func @nested_loops
// CHECK: %[[PLACES:.*]] = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 384 : i32}
// CHECK: %[[START:.*]] = arith.constant 0 : i32
// CHECK: scf.for {{.*}} iter_args(%[[OUTER:.*]] = %[[START]])
// CHECK:   %[[INNER_END:.*]] = scf.for {{.*}} iter_args(%[[USE:.*]] = %[[OUTER]])
// CHECK:     %[[OFFSET:.*]] = arith.muli %[[USE]], %{{.*}} : i32
// CHECK:     %[[PLACE:.*]] = tt.addptr %[[PLACES]], %[[OFFSET]]
// CHECK:     tlx.make_tensor_descriptor %[[PLACE]], %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}] :
// CHECK:     %[[MORE:.*]] = arith.addi %[[USE]], %{{.*}} : i32
// CHECK:     %[[NEXT:.*]] = arith.remui %[[MORE]], %{{.*}} : i32
// CHECK:     scf.yield %[[NEXT]]
// CHECK:   scf.yield %[[INNER_END]]
tt.func @nested_loops(%base: !tt.ptr<f16>, %n: i32, %s: i64, %bar: !tlx.barrier<count = 1>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %ring = tlx.local_alloc : !tlx.buffer<[2] 64x64xf16, smem>
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %i step %c1 : i32 {
      %p = tt.addptr %base, %j : !tt.ptr<f16>, i32
      %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %one] : <f16>, <64x64xf16>
      %v = tlx.local_view %ring[%j] : !tlx.buffer<[2] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
      tlx.async_descriptor_load %d[%i, %c0], %v, %bar : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>, !tlx.barrier<count = 1>
    }
  }
  tt.return
}

// -----

// Made on one side of a conditional, and used later.
// CHECK-LABEL: tt.func @conditional
// CHECK: ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 256 : i32}
// CHECK: scf.while (%[[I:.*]] = %{{.*}}, %[[OLD:.*]] = %{{.*}}, %[[BEFORE:.*]] = %{{.*}}) :
// CHECK:   scf.condition(%{{.*}}) %[[I]], %[[OLD]], %[[BEFORE]]
// CHECK: ^bb0(%{{.*}}: i32, %{{.*}}: !tt.tensordesc<64x64xf16>, %[[USE:.*]]: i32):
// CHECK:   %[[IF:.*]]:2 = scf.if %{{.*}} -> (!tt.tensordesc<64x64xf16>, i32)
// CHECK:     %[[NEXT:.*]] = arith.remui
// CHECK:     scf.yield %{{.*}}, %[[NEXT]]
// CHECK:     scf.yield %{{.*}}, %[[USE]]
// CHECK:   scf.yield %{{.*}}, %[[IF]]#0, %[[IF]]#1
tt.func @conditional(%base: !tt.ptr<f16>, %n: i32, %s: i64, %bar: !tlx.barrier<count = 1>, %first: !tt.tensordesc<64x64xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %ring = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem>
  %v = tlx.local_view %ring[%c0] : !tlx.buffer<[1] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  %r:2 = scf.while (%i = %c0, %old = %first) : (i32, !tt.tensordesc<64x64xf16>) -> (i32, !tt.tensordesc<64x64xf16>) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %old : i32, !tt.tensordesc<64x64xf16>
  } do {
  ^bb0(%i: i32, %old: !tt.tensordesc<64x64xf16>):
    %bit = arith.andi %i, %c1 : i32
    %odd = arith.cmpi eq, %bit, %c1 : i32
    %d = scf.if %odd -> !tt.tensordesc<64x64xf16> {
      %p = tt.addptr %base, %i : !tt.ptr<f16>, i32
      %new = tt.make_tensor_descriptor %p, [%n, %n], [%s, %one] : <f16>, <64x64xf16>
      scf.yield %new : !tt.tensordesc<64x64xf16>
    } else {
      scf.yield %old : !tt.tensordesc<64x64xf16>
    }
    tlx.async_descriptor_load %d[%i, %c0], %v, %bar : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>, !tlx.barrier<count = 1>
    %next = arith.addi %i, %c1 : i32
    scf.yield %next, %d : i32, !tt.tensordesc<64x64xf16>
  }
  tt.return
}

// -----

// Outside of loops one place is enough; Triton waits for its own loads.
// CHECK-LABEL: tt.func @one_place
// CHECK: tt.make_tensor_descriptor
// CHECK: tt.make_tensor_descriptor
// CHECK-NOT: global_scratch_alloc
tt.func @one_place(%base: !tt.ptr<f16>, %n: i32, %s: i64, %bar: !tlx.barrier<count = 1>, %q: tensor<64x64x!tt.ptr<f16>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %ring = tlx.local_alloc : !tlx.buffer<[1] 64x64xf16, smem>
  %v = tlx.local_view %ring[%c0] : !tlx.buffer<[1] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  %d = tt.make_tensor_descriptor %base, [%n, %n], [%s, %one] : <f16>, <64x64xf16>
  scf.for %i = %c0 to %n step %c1 : i32 {
    tlx.async_descriptor_load %d[%i, %c0], %v, %bar : !tt.tensordesc<64x64xf16>, !tlx.buffer<64x64xf16, smem>, !tlx.barrier<count = 1>
    %p = tt.addptr %base, %i : !tt.ptr<f16>, i32
    %e = tt.make_tensor_descriptor %p, [%n, %n], [%s, %one] : <f16>, <64x64xf16>
    %x = tt.descriptor_load %e[%i, %c0] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16>
    tt.store %q, %x : tensor<64x64x!tt.ptr<f16>>
  }
  tt.return
}
