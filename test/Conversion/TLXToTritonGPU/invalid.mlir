// RUN: tlx-opt %s --convert-tlx-to-triton-gpu --split-input-file --verify-diagnostics

tt.func @no_layout() {
  // expected-error @below {{'tlx.local_alloc' op expects a buffer in shared memory with a layout, but got '!tlx.buffer<[1] 64xf16, smem>'}}
  %b = tlx.local_alloc : !tlx.buffer<[1] 64xf16, smem>
  tt.return
}

// -----

// expected-error @below {{expects a buffer in shared memory with a layout, but got '!tlx.buffer<64xf16, smem>'}}
tt.func @no_layout_of_argument(%v: !tlx.buffer<64xf16, smem>) {
  tt.return
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @tasks() {
    // expected-error @below {{'tlx.async_tasks' op expects to be lowered before this pass}}
    tlx.async_tasks {
      tlx.async_task default {
      }
    }
    tt.return
  }
}

// -----

#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#blocked = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @unknown_pointer(%p: tensor<64x!tt.ptr<f16>, #blocked>, %v: !tlx.buffer<64xf16, smem, #flat>, %m: !tlx.barrier<count = 1>, %n: i32) {
  // expected-error @below {{'tlx.async_bulk_load' op expects the first pointer of 'src' to follow from elementwise ops}}
  tlx.async_bulk_load %p, %v, %n, %m : tensor<64x!tt.ptr<f16>, #blocked>, !tlx.buffer<64xf16, smem, #flat>, !tlx.barrier<count = 1>
  tt.return
}

// -----

#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
tt.func @reshape_of_slice(%v: !tlx.buffer<64x64xf16, smem, #plain>) {
  %s = tlx.local_slice %v {offsets = array<i32: 0, 0>} : !tlx.buffer<64x64xf16, smem, #plain> -> !tlx.buffer<64x32xf16, smem, #plain>
  // expected-error @below {{'tlx.local_reshape' op expects 'source' to be a whole buffer, but got a slice of one}}
  %r = tlx.local_reshape %s : !tlx.buffer<64x32xf16, smem, #plain> -> !tlx.buffer<2048xf16, smem, #flat>
  tt.return
}

// -----

#columns = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
tt.func @entry_of_columns(%v: !tlx.buffer<64x64xf16, smem, #columns>, %i: i32) {
  // expected-error @below {{'tlx.local_index' op expects the entries of 'source' to follow one another in memory, but got the layout #ttg.swizzled_shared}}
  %w = tlx.local_index %v[%i] : !tlx.buffer<64x64xf16, smem, #columns> -> !tlx.buffer<64xf16, smem, #flat>
  tt.return
}

// -----

#other = #ttg.linear<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], block = []}>
tt.func @vote_in_another_layout(%mask: i32, %t: tensor<128xi1, #other>) {
  // expected-error @below {{'tlx.vote_ballot_sync' op expects one blocked layout, but got}}
  %b = tlx.vote_ballot_sync %mask, %t : tensor<128xi1, #other> -> tensor<128xi32, #other>
  tt.return
}

// -----

#long = #ttg.blocked<{sizePerThread = [128], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @vote_of_many(%mask: i32, %t: tensor<16384xi1, #long>) {
  // expected-error @below {{'tlx.vote_ballot_sync' op expects at most 64 elements in each thread, but got 128}}
  %b = tlx.vote_ballot_sync %mask, %t : tensor<16384xi1, #long> -> tensor<16384xi32, #long>
  tt.return
}

// -----

tt.func @descriptor_without_layout(%p: !tt.ptr<i8>, %x: !tt.ptr<f16>, %m: i32) {
  // expected-error @below {{'tlx.make_tensor_descriptor' op expects a descriptor with elements of 8, 16 or 32 bits and a layout, but got '!tt.tensordesc<64xf16>'}}
  %d = tlx.make_tensor_descriptor %p, %x, [%m], [] : !tt.ptr<i8>, !tt.ptr<f16> -> !tt.tensordesc<64xf16>
  tt.return
}
