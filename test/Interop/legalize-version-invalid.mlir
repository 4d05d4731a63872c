// RUN: tlx-opt %s --split-input-file --verify-diagnostics \
// RUN:   --triton-legalize-version="version=3.8"
// RUN: not tlx-opt %s --triton-legalize-version="version=3.7" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: expects 'version' to be one of 3.8, 3.9, but got '3.7'

tt.func @operation() {
  // expected-error @+1 {{'tt.grid_dependency_wait' op expects Triton 3.9 or newer, but got 3.8}}
  tt.grid_dependency_wait
  tt.return
}

// -----

tt.func @attribute(%x: tensor<8xf32>) {
  // expected-error @+1 {{expects Triton 3.9 or newer for 'force_warp_shuffle', but got 3.8}}
  %y = ttg.convert_layout %x {force_warp_shuffle} : tensor<8xf32> -> tensor<8xf32>
  tt.return
}

// -----

tt.func @policy(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{expects 'cachePolicy' to be #tt.cache_policy for Triton 3.8, but got #ttng.cache_policy<l1 = no_allocate>}}
  %x = tt.load %p {cachePolicy = #ttng.cache_policy<l1 = no_allocate>} : !tt.ptr<f32>
  tt.return
}

// -----

// expected-error @+1 {{expects an address space that Triton 3.8 has, but got '!tt.ptr<f32, "shared">'}}
module {
  tt.func private @space(!tt.ptr<f32, "shared">)
}

// -----

tt.func @tlx_left() {
  // expected-error @+1 {{'tlx.fence' op expects to be lowered before it goes to Triton}}
  tlx.fence gpu
  tt.return
}
