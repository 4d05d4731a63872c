// RUN: tlx-opt %s --split-input-file --verify-diagnostics

tt.func @f() {
  // expected-error @+1 {{expects 'partitionNumWarps' to hold powers of two, but got 3}}
  ttg.warp_specialize()
  default {
    ttg.warp_yield
  }
  partition0() num_warps(3) {
    ttg.warp_return
  } : () -> ()
  tt.return
}

// -----

tt.func @f(%x: i32) {
  // expected-error @+1 {{expects arguments of partition #0 to have the types of the captures ('i32'), but got ('i64')}}
  ttg.warp_specialize(%x)
  default {
    ttg.warp_yield
  }
  partition0(%y: i64) num_warps(4) {
    ttg.warp_return
  } : (i32) -> ()
  tt.return
}

// -----

tt.func @f() {
  // expected-error @+1 {{expects 'requestedRegisters' to have 1 entries, but got 2}}
  ttg.warp_specialize() attributes {requestedRegisters = array<i32: 24, 24>}
  default {
    ttg.warp_yield
  }
  partition0() num_warps(4) {
    ttg.warp_return
  } : () -> ()
  tt.return
}

// -----

tt.func @f(%x: i32) {
  %y = ttg.warp_specialize()
  default {
    // expected-error @+1 {{expects values of types ('i32'), but got ()}}
    ttg.warp_yield
  }
  partition0() num_warps(4) {
    ttg.warp_return
  } : () -> i32
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func @f() {
  // expected-error @+1 {{expects memory that is written to be mutable, but got '!ttg.memdesc<64xf32,}}
  %b = ttg.local_alloc : () -> !ttg.memdesc<64xf32, #shared, #smem>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func @f(%b: !ttg.memdesc<64xf32, #shared, #smem, mutable>) {
  // expected-error @+1 {{expects tensor to have shape and elements of '!ttg.memdesc<64xf32, #ttg.swizzled_shared<}}
  %x = ttg.local_load %b : !ttg.memdesc<64xf32, #shared, #smem, mutable> -> tensor<32xf32>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func @f(%b: !ttg.memdesc<64xf32, #shared, #smem>) {
  // expected-error @+1 {{expects view to be mutable only if its source is, but got '!ttg.memdesc<64xf32, #ttg.swizzled_shared<}}
  %x = ttg.memdesc_subslice %b[0] : !ttg.memdesc<64xf32, #shared, #smem> -> !ttg.memdesc<32xf32, #shared, #smem, mutable, 64>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func @f(%b: !ttg.memdesc<64xf32, #shared, #smem, mutable>) {
  // expected-error @+1 {{expects slice to lie within '!ttg.memdesc<64xf32, #ttg.swizzled_shared<}}
  %x = ttg.memdesc_subslice %b[48] : !ttg.memdesc<64xf32, #shared, #smem, mutable> -> !ttg.memdesc<32xf32, #shared, #smem, mutable, 64>
  tt.return
}

// -----

tt.func @f() {
  // expected-error @+1 {{expects an address space, but got 'shared'}}
  ttg.barrier shared
  tt.return
}
