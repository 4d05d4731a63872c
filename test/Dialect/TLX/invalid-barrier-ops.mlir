// RUN: tlx-opt %s --split-input-file --verify-diagnostics

func.func @alloc_barriers_c1_one() {
  // expected-error @below {{'tlx.alloc_barriers' op expects the result to be an array, but got '!tlx.barrier<count = 1>'}}
  %m = tlx.alloc_barriers : !tlx.barrier<count = 1>
  return
}

// -----

func.func @barrier_view_c1_one(%m: !tlx.barrier<count = 1>, %i: i32) {
  // expected-error @below {{expects 'source' to be an array, but got '!tlx.barrier<count = 1>'}}
  %v = tlx.barrier_view %m[%i] : !tlx.barrier<count = 1> -> !tlx.barrier<count = 1>
  return
}

// -----

func.func @barrier_view_c2_outside(%m: !tlx.barrier<[2], count = 1>) {
  %i = arith.constant 7 : i32
  // expected-error @below {{expects 'index' to be in [0, 1], but got 7}}
  %v = tlx.barrier_view %m[%i] : !tlx.barrier<[2], count = 1> -> !tlx.barrier<count = 1>
  return
}

// -----

func.func @barrier_view_c3_count(%m: !tlx.barrier<[2], count = 1>, %i: i32) {
  // expected-error @below {{expects the result to be '!tlx.barrier<count = 1>', but got '!tlx.barrier<count = 2>'}}
  %v = tlx.barrier_view %m[%i] : !tlx.barrier<[2], count = 1> -> !tlx.barrier<count = 2>
  return
}

// -----

func.func @barrier_expect_bytes_c1_array(%m: !tlx.barrier<[2], count = 1>) {
  // expected-error @below {{expects 'barrier' to be one barrier, but got an array of 2; select one by its index}}
  tlx.barrier_expect_bytes %m, 16 : !tlx.barrier<[2], count = 1>
  return
}

// -----

func.func @barrier_expect_bytes_c2_negative(%m: !tlx.barrier<count = 1>) {
  // expected-error @below {{expects 'size' to be in [0, 1048575] bytes, but got -16}}
  tlx.barrier_expect_bytes %m, -16 : !tlx.barrier<count = 1>
  return
}

// -----

func.func @barrier_expect_bytes_c2_too_large(%m: !tlx.barrier<count = 1>) {
  // expected-error @below {{but got 1048576}}
  tlx.barrier_expect_bytes %m, 1048576 : !tlx.barrier<count = 1>
  return
}

// -----

func.func @barrier_wait_c1_array(%m: !tlx.barrier<[2], count = 1>, %phase: i32) {
  // expected-error @below {{expects 'barrier' to be one barrier, but got an array of 2}}
  tlx.barrier_wait %m, %phase : !tlx.barrier<[2], count = 1>
  return
}

// -----

func.func @barrier_wait_c2_phase(%m: !tlx.barrier<count = 1>) {
  %phase = arith.constant 2 : i32
  // expected-error @below {{expects 'phase' to be 0 or 1, but got 2}}
  tlx.barrier_wait %m, %phase : !tlx.barrier<count = 1>
  return
}

// -----

func.func @barrier_arrive_c1_array(%m: !tlx.barrier<[2], count = 1>) {
  // expected-error @below {{expects 'barrier' to be one barrier, but got an array of 2}}
  tlx.barrier_arrive %m, 1 : !tlx.barrier<[2], count = 1>
  return
}

// -----

func.func @barrier_arrive_c2_zero(%m: !tlx.barrier<count = 2>) {
  // expected-error @below {{expects 'count' to be in [1, 2], the arrivals of a phase of this barrier, but got 0}}
  tlx.barrier_arrive %m, 0 : !tlx.barrier<count = 2>
  return
}

// -----

func.func @barrier_arrive_c2_too_many(%m: !tlx.barrier<count = 2>) {
  // expected-error @below {{but got 3}}
  tlx.barrier_arrive %m, 3 : !tlx.barrier<count = 2>
  return
}

// -----

func.func @barrier_arrive_c3_warp_barrier(%m: !tlx.barrier<count = 128, warp>) {
  // expected-error @below {{expects 'count' to be 1 on a warp barrier, where every thread arrives, but got 2}}
  tlx.barrier_arrive %m, 2 : !tlx.barrier<count = 128, warp>
  return
}

// -----

func.func @named_barrier_wait_c1_id(%n: i32) {
  %id = arith.constant 99 : i32
  // expected-error @below {{'tlx.named_barrier_wait' op expects 'barrier_id' to be in [0, 15], but got 99}}
  tlx.named_barrier_wait %id, %n : i32, i32
  return
}

// -----

func.func @named_barrier_arrive_c1_negative(%n: i32) {
  %id = arith.constant -1 : i32
  // expected-error @below {{'tlx.named_barrier_arrive' op expects 'barrier_id' to be in [0, 15], but got -1}}
  tlx.named_barrier_arrive %id, %n : i32, i32
  return
}

// -----

func.func @named_barrier_wait_c2_part_of_a_warp(%id: i32) {
  %n = arith.constant 100 : i32
  // expected-error @below {{expects 'num_threads' to be a multiple of 32 in [32, 1024], but got 100}}
  tlx.named_barrier_wait %id, %n : i32, i32
  return
}

// -----

func.func @named_barrier_arrive_c2_too_many(%id: i32) {
  %n = arith.constant 1056 : i32
  // expected-error @below {{but got 1056}}
  tlx.named_barrier_arrive %id, %n : i32, i32
  return
}
