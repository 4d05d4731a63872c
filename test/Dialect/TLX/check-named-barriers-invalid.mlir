// RUN: tlx-opt %s --tlx-check-named-barriers --split-input-file --verify-diagnostics

module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @reserved() {
    %id = arith.constant 2 : i32
    %n = arith.constant 256 : i32
    tlx.async_tasks {
      tlx.async_task default {
        // expected-error @below {{expects 'barrier_id' to be one that Triton does not use in this kernel, such as 3, but got 2}}
        tlx.named_barrier_arrive %id, %n : i32, i32
      }
      tlx.async_task num_warps = 4 {
        tlx.named_barrier_wait %id, %n : i32, i32
      }
    }
    return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @reserved_without_tasks() {
    %id = arith.constant 0 : i32
    %n = arith.constant 128 : i32
    // expected-error @below {{such as 1, but got 0}}
    tlx.named_barrier_wait %id, %n : i32, i32
    return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @two_counts() {
    %id = arith.constant 9 : i32
    %n = arith.constant 256 : i32
    %m = arith.constant 128 : i32
    tlx.async_tasks {
      tlx.async_task default {
        // expected-note @below {{see the other use}}
        tlx.named_barrier_arrive %id, %n : i32, i32
      }
      tlx.async_task num_warps = 4 {
        // expected-error @below {{expects all uses of barrier 9 to name the same number of threads, but got 128 and 256}}
        tlx.named_barrier_wait %id, %m : i32, i32
      }
    }
    return
  }
}

// -----

// The code around the tasks and the default task are the same warps.
module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @too_many() {
    %id = arith.constant 9 : i32
    %n = arith.constant 192 : i32
    // expected-error @below {{expects 'num_threads' to be at most 160, the threads of all tasks that use barrier 9, but got 192}}
    tlx.named_barrier_arrive %id, %n : i32, i32
    tlx.async_tasks {
      tlx.async_task default {
        tlx.named_barrier_arrive %id, %n : i32, i32
      }
      tlx.async_task num_warps = 1 {
        tlx.named_barrier_wait %id, %n : i32, i32
      }
    }
    return
  }
}
