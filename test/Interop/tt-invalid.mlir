// RUN: tlx-opt %s --split-input-file --verify-diagnostics

tt.func @f(%x: i32) -> i64 {
  // expected-error @+1 {{expects values of types ('i64'), but got ('i32')}}
  tt.return %x : i32
}

// -----

tt.func private @g(i32) -> i32
tt.func @f(%x: i64) {
  // expected-error @+1 {{expects operands of types ('i32'), but got ('i64')}}
  %y = tt.call @g(%x) : (i64) -> i32
  tt.return
}

// -----

tt.func @f() {
  // expected-error @+1 {{expects 'callee' to be a tt.func, but got @nowhere}}
  tt.call @nowhere() : () -> ()
  tt.return
}

// -----

tt.func @f(%x: i32) {
  // expected-error @+1 {{expects 'isSigned' to have 1 entries, but got 2}}
  tt.print "x" {hex = false, isSigned = array<i32: 1, 1>} : %x : i32
  tt.return
}

// -----

tt.func @f() {
  // expected-error @+1 {{expects result to have 64 elements in one dimension, but got 'tensor<32xi32>'}}
  %x = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<32xi32>
  tt.return
}

// -----

tt.func @f(%x: tensor<64xf32>) {
  // expected-error @+2 {{expects 'axis' to be from 0 to 1, but got 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = "tt.expand_dims"(%x) <{axis = 2 : i32}> : (tensor<64xf32>) -> tensor<64x1xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<64x2xf32>) {
  // expected-error @+1 {{expects repeated dimensions to have extent 1, but got 'tensor<64x2xf32>' and 'tensor<64x64xf32>'}}
  %y = tt.broadcast %x : tensor<64x2xf32> -> tensor<64x64xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<64xf32>) {
  // expected-error @+1 {{expects region arguments of types ('f32', 'f32'), but got ('f32', 'i32')}}
  %y = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: i32):
    tt.reduce.return %a : f32
  }) : (tensor<64xf32>) -> f32
  tt.return
}

// -----

tt.func @f(%a: tensor<16x32xf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{expects shapes m x k, k x n and m x n, but got 'tensor<16x32xf16>', 'tensor<16x32xf16>', 'tensor<16x16xf32>'}}
  %d = tt.dot %a, %a, %c : tensor<16x32xf16> * tensor<16x32xf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %x: f16) {
  // expected-error @+1 {{expects value to be what the pointer '!tt.ptr<f32>' points to, but got 'f16'}}
  %y = tt.atomic_rmw fadd, acq_rel, gpu, %p, %x : (!tt.ptr<f32>, f16) -> f16
  tt.return
}

// -----

tt.func @f(%d: !tt.tensordesc<64x64xf16>, %i: i32) {
  // expected-error @+1 {{expects one index for each of 2 dimensions, but got 1}}
  %x = tt.descriptor_load %d[%i] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16>
  tt.return
}

// -----

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @f(%x: tensor<64xf32, #a>) {
  // expected-error @+1 {{expects all tensors to have layout #ttg.blocked<}}
  %y = tt.bitcast %x : tensor<64xf32, #a> -> tensor<64xi32, #b>
  tt.return
}
