// RUN: tlx-opt %s --tlx-check-divergence --split-input-file | FileCheck %s

// Conditions that are the same in all threads.
// CHECK-LABEL: module
// CHECK: tlx.barrier_arrive
// CHECK: tlx.barrier_arrive
module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @uniform(%n: i32, %bar: !tlx.barrier<count = 1>, %p: !tt.ptr<i32>) {
    %t = tlx.thread_id x : i32
    %i = tt.get_program_id x : i32
    %same = arith.cmpi eq, %n, %i : i32
    scf.if %same {
      tlx.barrier_arrive %bar, 1 : !tlx.barrier<count = 1>
    }
    // The first thread hands the result to all.
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %old = tt.atomic_rmw add, acq_rel, gpu, %p, %t, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %first = arith.cmpi eq, %old, %one : i32
    scf.if %first {
      tlx.barrier_arrive %bar, 1 : !tlx.barrier<count = 1>
    }
    return
  }
}

// -----

// What single threads and warps may do.
// CHECK-LABEL: module
// CHECK: tt.store
module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @single_threads(%n: i32, %p: !tt.ptr<i32>, %q: !tt.ptr<i64>, %warps: !tlx.barrier<count = 64, warp>) {
    %t = tlx.thread_id x : i32
    %id = arith.constant 9 : i32
    %threads = arith.constant 64 : i32
    %mask = arith.constant -1 : i32
    %true = arith.constant true
    %few = arith.cmpi slt, %t, %threads : i32
    scf.if %few {
      %c = tlx.clock64 : i64
      tlx.barrier_arrive %warps, 1 : !tlx.barrier<count = 64, warp>
      tt.store %q, %c : !tt.ptr<i64>
      tlx.named_barrier_wait %id, %threads : i32, i32
      %b = tlx.vote_ballot_sync %mask, %few : i1 -> i32
      %old = tt.atomic_rmw add, acq_rel, gpu, %p, %b, %true : (!tt.ptr<i32>, i32, i1) -> i32
      %x = tt.load %p : !tt.ptr<i32>
      tt.store %p, %x : !tt.ptr<i32>
    }
    return
  }
}

// -----

// The threads meet again before the task goes on.
// CHECK-LABEL: module
// CHECK: tlx.barrier_arrive
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @meet(%n: i32, %bar: !tlx.barrier<count = 1>, %p: !tt.ptr<i32>) {
    %t = tlx.thread_id x : i32
    %few = arith.cmpi slt, %t, %n : i32
    cf.cond_br %few, ^store, ^after
  ^store:
    tt.store %p, %t : !tt.ptr<i32>
    cf.br ^after
  ^after:
    tlx.barrier_arrive %bar, 1 : !tlx.barrier<count = 1>
    tt.return
  }
}
