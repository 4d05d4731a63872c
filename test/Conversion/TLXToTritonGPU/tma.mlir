// RUN: tlx-opt %s --convert-tlx-to-triton-gpu | FileCheck %s

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>

// CHECK-LABEL: tt.func @tiles
// CHECK-SAME: (%[[D:.*]]: !tt.tensordesc<64x64xf16, #{{.*}}>, %[[V:[^:]*]]: !ttg.memdesc<64x64xf16, {{.*}}>, %[[M:[^:]*]]: !ttg.memdesc<1xi64, {{.*}}>, %[[I:[^:]*]]: i32, %[[J:[^:]*]]: i32, %[[P:.*]]: i1)
tt.func @tiles(%d: !tt.tensordesc<64x64xf16, #shared>, %v: !tlx.buffer<64x64xf16, smem, #shared>, %m: !tlx.barrier<count = 1>, %i: i32, %j: i32, %p: i1) {
  // CHECK: %[[TRUE:.*]] = arith.constant true
  // CHECK: ttng.async_tma_copy_global_to_local %[[D]][%[[I]], %[[J]]] %[[V]], %[[M]], %[[TRUE]] :
  tlx.async_descriptor_load %d[%i, %j], %v, %m : !tt.tensordesc<64x64xf16, #shared>, !tlx.buffer<64x64xf16, smem, #shared>, !tlx.barrier<count = 1>
  // CHECK: ttng.async_tma_copy_global_to_local %[[D]][%[[I]], %[[J]]] %[[V]], %[[M]], %[[P]]
  // CHECK-SAME: eviction_policy = evict_last
  tlx.async_descriptor_load %d[%i, %j], %v, %m pred %p {eviction_policy = 3 : i32} : !tt.tensordesc<64x64xf16, #shared>, !tlx.buffer<64x64xf16, smem, #shared>, !tlx.barrier<count = 1>
  // CHECK: ttng.async_tma_copy_local_to_global %[[D]][%[[I]], %[[J]]] %[[V]]
  tlx.async_descriptor_store %d[%i, %j], %v : !tt.tensordesc<64x64xf16, #shared>, !tlx.buffer<64x64xf16, smem, #shared>
  // CHECK: ttng.async_tma_reduce add, %[[D]][%[[I]], %[[J]]] %[[V]]
  tlx.async_descriptor_store %d[%i, %j], %v {reduce = 1 : i32} : !tt.tensordesc<64x64xf16, #shared>, !tlx.buffer<64x64xf16, smem, #shared>
  // CHECK: ttng.async_tma_store_wait {pendings = 1 : i32, read_only}
  tlx.async_descriptor_store_wait 1
  tt.return
}

// A block wider than the swizzle takes two messages; PTX wants the innermost
// index first.
// CHECK-LABEL: tt.func @prefetch
// CHECK-SAME: (%[[D:.*]]: !tt.tensordesc<64x128xf16, #{{.*}}>, %[[I:[^:]*]]: i32, %[[J:[^:]*]]: i32)
tt.func @prefetch(%d: !tt.tensordesc<64x128xf16, #shared>, %i: i32, %j: i32) {
  // CHECK: llvm.inline_asm {{.*}}"@$3 cp.async.bulk.prefetch.tensor.2d.L2.global [$0, {$1, $2}];", "l,r,r,b,~{memory}" %{{.*}}, %[[J]], %[[I]], %{{.*}} :
  // CHECK: %[[C:.*]] = arith.constant 64 : i32
  // CHECK: %[[J64:.*]] = arith.addi %[[J]], %[[C]]
  // CHECK: llvm.inline_asm {{.*}}cp.async.bulk.prefetch.tensor.2d{{.*}} %{{.*}}, %[[J64]], %[[I]], %{{.*}} :
  // CHECK-NOT: cp.async.bulk.prefetch
  tlx.async_descriptor_prefetch %d[%i, %j] : !tt.tensordesc<64x128xf16, #shared>
  tt.return
}

// A message covers at most 256 elements in each dimension.
// CHECK-LABEL: tt.func @prefetch_tall
// CHECK-SAME: (%{{.*}}: !tt.tensordesc<512x64xf16, #{{.*}}>, %[[I:[^:]*]]: i32, %[[J:[^:]*]]: i32)
tt.func @prefetch_tall(%d: !tt.tensordesc<512x64xf16, #shared>, %i: i32, %j: i32) {
  // CHECK: llvm.inline_asm {{.*}}cp.async.bulk.prefetch.tensor.2d{{.*}} %{{.*}}, %[[J]], %[[I]], %{{.*}} :
  // CHECK: %[[C:.*]] = arith.constant 256 : i32
  // CHECK: %[[I256:.*]] = arith.addi %[[I]], %[[C]]
  // CHECK: llvm.inline_asm {{.*}}cp.async.bulk.prefetch.tensor.2d{{.*}} %{{.*}}, %[[J]], %[[I256]], %{{.*}} :
  // CHECK-NOT: cp.async.bulk.prefetch
  tlx.async_descriptor_prefetch %d[%i, %j] : !tt.tensordesc<512x64xf16, #shared>
  tt.return
}

// The box is what one message covers, innermost dimension first; strides are in
// bytes.
// CHECK-LABEL: tt.func @make
// CHECK-SAME: (%[[P:[^:]*]]: !tt.ptr<i8>, %[[X:[^:]*]]: !tt.ptr<bf16>, %[[M:[^:]*]]: i32, %[[N:[^:]*]]: i32, %[[S:[^:]*]]: i64)
tt.func @make(%p: !tt.ptr<i8>, %x: !tt.ptr<bf16>, %m: i32, %n: i32, %s: i64) -> !tt.tensordesc<512x128xbf16, #shared> {
  // CHECK-DAG: %[[C64:.*]] = arith.constant 64 : i32
  // CHECK-DAG: %[[C256:.*]] = arith.constant 256 : i32
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i64
  // CHECK-DAG: %[[BYTES:.*]] = arith.muli %[[S]], %[[TWO]] : i64
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK: ttng.tensormap_create %[[P]], %[[X]], [%[[C64]], %[[C256]]], [%[[N]], %[[M]]], [%[[BYTES]]], [%[[ONE]], %[[ONE]]] {elem_type = 10 : i32, fill_mode = 1 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32}
  // CHECK: ttng.tensormap_fenceproxy_acquire %[[P]]
  // CHECK: %[[D:.*]] = ttng.reinterpret_tensor_descriptor %[[P]]
  %d = tlx.make_tensor_descriptor %p, %x, [%m, %n], [%s] {padding = 2 : i32} : !tt.ptr<i8>, !tt.ptr<bf16> -> !tt.tensordesc<512x128xbf16, #shared>
  // CHECK: tt.return %[[D]]
  tt.return %d : !tt.tensordesc<512x128xbf16, #shared>
}

// CHECK-LABEL: tt.func @reinterpret
// CHECK-SAME: (%[[P:.*]]: !tt.ptr<i8>)
tt.func @reinterpret(%p: !tt.ptr<i8>) {
  // CHECK: ttng.tensormap_fenceproxy_acquire %[[P]]
  // CHECK: %[[D:.*]] = ttng.reinterpret_tensor_descriptor %[[P]]
  %d = tlx.reinterpret_tensor_descriptor %p : !tt.ptr<i8> -> !tt.tensordesc<64x64xf16, #shared>
  // CHECK: builtin.unrealized_conversion_cast %[[D]]
  // CHECK: llvm.inline_asm {{.*}}"@$1 prefetch.tensormap [$0];", "l,b,~{memory}"
  tlx.prefetch_descriptor %d : !tt.tensordesc<64x64xf16, #shared>
  tt.return
}
