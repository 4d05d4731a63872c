// RUN: tlx-opt %s --tlx-check-divergence --split-input-file --verify-diagnostics

module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @arrive(%n: i32, %bar: !tlx.barrier<count = 1>) {
    // expected-note @below {{it differs by thread as it follows from this}}
    %t = tlx.thread_id x : i32
    %first = arith.cmpi eq, %t, %n : i32
    // expected-note @below {{the condition is tested here}}
    scf.if %first {
      // expected-error @below {{'tlx.barrier_arrive' op expects all threads of its task to reach it, but it is under a condition that differs by thread}}
      tlx.barrier_arrive %bar, 1 : !tlx.barrier<count = 1>
    }
    return
  }
}

// -----

// A loop whose trip count differs by thread, and a condition inside of it that
// does not.
module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @loop(%n: i32, %same: i1) {
    %c0 = arith.constant 0 : i32
    // expected-note @below {{it differs by thread as it follows from this}}
    %t = tlx.thread_id x : i32
    // expected-note @below {{the condition is tested here}}
    scf.for %i = %c0 to %t step %n : i32 {
      scf.if %same {
        // expected-error @below {{'tlx.local_alloc' op expects all threads of its task to reach it}}
        %b = tlx.local_alloc : !tlx.buffer<[1] 64xf16, smem>
      }
    }
    return
  }
}

// -----

// Through a conditional whose values are the same on each side.
module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @selected(%n: i32, %bar: !tlx.barrier<count = 1>) {
    %c0 = arith.constant 0 : i32
    // expected-note @below {{it differs by thread as it follows from this}}
    %t = tlx.clock64 : i64
    %c = arith.constant 4 : i64
    %late = arith.cmpi slt, %c, %t : i64
    %x = scf.if %late -> i32 {
      scf.yield %c0 : i32
    } else {
      scf.yield %n : i32
    }
    // expected-note @below {{the condition is tested here}}
    %r = scf.while (%i = %x) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      // expected-error @below {{'tlx.barrier_wait' op expects all threads of its task to reach it}}
      tlx.barrier_wait %bar, %c0 : !tlx.barrier<count = 1>
      scf.yield %i : i32
    }
    return
  }
}

// -----

// Tensors: the layout decides who has which element.
module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @tensor(%p: tensor<64x!tt.ptr<f32>>, %x: tensor<64xf32>, %n: i32) {
    // expected-note @below {{it differs by thread as it follows from this}}
    %lane = tt.elementwise_inline_asm "mov.u32 $0, %laneid;" {constraints = "=r", packed_element = 1 : i32, pure = true} -> i32
    %first = arith.cmpi eq, %lane, %n : i32
    // expected-note @below {{the condition is tested here}}
    scf.if %first {
      // expected-error @below {{'tt.store' op expects all threads of its task to reach it}}
      tt.store %p, %x : tensor<64x!tt.ptr<f32>>
    }
    return
  }
}

// -----

// An atomic whose result is used, after a branch between blocks.
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @blocks(%n: i32, %p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
    %true = arith.constant true
    // expected-note @below {{it differs by thread as it follows from this}}
    %t = tlx.thread_id x : i32
    %few = arith.cmpi slt, %t, %n : i32
    // expected-note @below {{the condition is tested here}}
    cf.cond_br %few, ^some, ^after
  ^some:
    // expected-error @below {{'tt.atomic_rmw' op expects all threads of its task to reach it}}
    %old = tt.atomic_rmw add, acq_rel, gpu, %p, %n, %true : (!tt.ptr<i32>, i32, i1) -> i32
    tt.store %q, %old : !tt.ptr<i32>
    cf.br ^after
  ^after:
    tt.return
  }
}

// -----

// A function that waits.
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func private @wait_for(%bar: !tlx.barrier<count = 1>, %phase: i32) attributes {noinline = true} {
    tlx.barrier_wait %bar, %phase : !tlx.barrier<count = 1>
    tt.return
  }
  tt.func private @outer(%bar: !tlx.barrier<count = 1>, %phase: i32) attributes {noinline = true} {
    tt.call @wait_for(%bar, %phase) : (!tlx.barrier<count = 1>, i32) -> ()
    tt.return
  }
  tt.func @call(%n: i32, %bar: !tlx.barrier<count = 1>) {
    // expected-note @below {{it differs by thread as it follows from this}}
    %t = tlx.thread_id x : i32
    %few = arith.cmpi slt, %t, %n : i32
    // expected-note @below {{the condition is tested here}}
    scf.if %few {
      // expected-error @below {{'tt.call' op expects all threads of its task to reach it}}
      tt.call @outer(%bar, %n) : (!tlx.barrier<count = 1>, i32) -> ()
    }
    tt.return
  }
}
