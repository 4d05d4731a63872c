// RUN: tlx-opt %s --convert-tlx-to-triton-gpu | FileCheck %s

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#four = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// CHECK-LABEL: tt.func @dot
// CHECK-SAME: (%[[A:[^:]*]]: !ttg.memdesc<64x64xf16, {{.*}}>, %[[R:[^:]*]]: tensor<64x64xf16, #{{.*}}>, %[[C:[^:]*]]: tensor<64x64xf32, #{{.*}}>, %[[U:.*]]: i1)
tt.func @dot(%a: !tlx.buffer<64x64xf16, smem, #shared>, %r: tensor<64x64xf16, #a>, %c: tensor<64x64xf32, #mma>, %u: i1) {
  // CHECK: %[[D:.*]] = ttng.warp_group_dot %[[A]], %[[A]], %[[C]] {
  // CHECK-SAME: inputPrecision = 0 : i32, isAsync = true
  %d = tlx.async_dot %a, %a, %c : !tlx.buffer<64x64xf16, smem, #shared>, !tlx.buffer<64x64xf16, smem, #shared> -> tensor<64x64xf32, #mma>
  // CHECK: %[[E:.*]] = ttng.warp_group_dot %[[R]], %[[A]], %[[D]], %[[U]] {
  // CHECK-SAME: isAsync = true, maxNumImpreciseAcc = 32 : i32
  %e = tlx.async_dot %r, %a, %d use_acc %u {max_num_imprecise_acc = 32 : i32} : tensor<64x64xf16, #a>, !tlx.buffer<64x64xf16, smem, #shared> -> tensor<64x64xf32, #mma>
  // CHECK: ttng.warp_group_dot_wait %[[E]] {pendings = 1 : i32}
  %w = tlx.async_dot_wait 1, %e : tensor<64x64xf32, #mma>
  // Nothing to tie the wait to.
  // CHECK: nvvm.wgmma.wait.group.sync.aligned 0
  tlx.async_dot_wait 0
  tt.return
}

// CHECK-LABEL: tt.func @layouts
// CHECK-SAME: %[[T:.*]]: tensor<64x64xf32, #{{.*}}>)
tt.func @layouts(%t: tensor<64x64xf32, #blocked>) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #blocked>) {
  // CHECK: %[[X:.*]] = ttg.convert_layout %[[T]] : tensor<64x64xf32, #{{.*}}> -> tensor<64x64xf32, #mma>
  %x = tlx.require_layout %t {layout = #mma} : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
  %y = tlx.release_layout %t : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked>
  // CHECK: tt.return %[[X]], %[[T]]
  tt.return %x, %y : tensor<64x64xf32, #mma>, tensor<64x64xf32, #blocked>
}

// CHECK-LABEL: tt.func @special_registers
tt.func @special_registers() -> (i32, i64) {
  // CHECK: nvvm.read.ptx.sreg.tid.x
  %x = tlx.thread_id x : i32
  // CHECK: llvm.inline_asm has_side_effects {{.*}}"mov.u64 $0, %clock64;", "=l,~{memory}" : () -> i64
  %t = tlx.clock64 : i64
  tt.return %x, %t : i32, i64
}
// The first half of the operands are the 4 elements of a thread.
// CHECK-LABEL: tt.func @votes
// CHECK-SAME: (%[[M:.*]]: i32, %[[P:.*]]: i1, %[[T:.*]]: tensor<512xi1, #{{.*}}>)
tt.func @votes(%mask: i32, %p: i1, %t: tensor<512xi1, #four>) -> (i32, tensor<512xi32, #four>) {
  // CHECK: llvm.call_intrinsic "llvm.nvvm.vote.ballot.sync"(%[[M]], %[[P]]) : (i32, i1) -> i32
  %0 = tlx.vote_ballot_sync %mask, %p : i1 -> i32
  // CHECK: %[[W:.*]] = arith.extui %[[T]]
  // CHECK: %[[A:.*]] = tt.splat %[[M]]
  // CHECK: tt.elementwise_inline_asm "{ .reg .pred p; .reg .b32 t; mov.b32 t, $4; or.b32 t, t, $5; or.b32 t, t, $6; or.b32 t, t, $7; setp.ne.u32 p, t, 0; vote.sync.ballot.b32 t, p, $8; mov.b32 $0, t; mov.b32 $1, t; mov.b32 $2, t; mov.b32 $3, t; }"
  // CHECK-SAME: constraints = "=r,=r,=r,=r,r,r,r,r,r,r,r,r", packed_element = 4 : i32, pure = false} %[[W]], %[[A]]
  %1 = tlx.vote_ballot_sync %mask, %t : tensor<512xi1, #four> -> tensor<512xi32, #four>
  tt.return %0, %1 : i32, tensor<512xi32, #four>
}
}
