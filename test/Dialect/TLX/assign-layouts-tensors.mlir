// RUN: tlx-opt %s --split-input-file --tlx-assign-layouts | FileCheck %s
// RUN: tlx-opt %s --split-input-file --tlx-assign-layouts --tlx-assign-layouts | FileCheck %s

// Each task has layouts for its own warps.

// CHECK-DAG: #[[$W1:.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
// CHECK-DAG: #[[$W2:.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
// CHECK-DAG: #[[$W4:.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[$W8:.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: tt.func @copy_in_tasks
tt.func @copy_in_tasks(%src: !tt.ptr<f32>, %dst: !tt.ptr<f32>) {
  // CHECK: tlx.async_task default
  // CHECK: tt.load {{.*}} : tensor<256x!tt.ptr<f32>, #[[$W4]]>
  // CHECK: tt.store {{.*}} : tensor<256x!tt.ptr<f32>, #[[$W4]]>
  // CHECK: tlx.async_task num_warps = 1
  // CHECK: tt.make_range {{.*}} : tensor<256xi32, #[[$W1]]>
  // CHECK: tt.load {{.*}} : tensor<256x!tt.ptr<f32>, #[[$W1]]>
  // CHECK: tlx.async_task num_warps = 2
  // CHECK: tt.load {{.*}} : tensor<256x!tt.ptr<f32>, #[[$W2]]>
  // CHECK: tlx.async_task num_warps = 8
  // CHECK: tt.load {{.*}} : tensor<256x!tt.ptr<f32>, #[[$W8]]>
  // CHECK-NOT: ttg.convert_layout
  tlx.async_tasks {
    tlx.async_task default {
      %range = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
      %srcs = tt.splat %src : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %p = tt.addptr %srcs, %range : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %x = tt.load %p : tensor<256x!tt.ptr<f32>>
      %dsts = tt.splat %dst : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %q = tt.addptr %dsts, %range : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      tt.store %q, %x : tensor<256x!tt.ptr<f32>>
    }
    tlx.async_task num_warps = 1 {
      %range = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
      %srcs = tt.splat %src : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %p = tt.addptr %srcs, %range : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %x = tt.load %p : tensor<256x!tt.ptr<f32>>
      tt.store %p, %x : tensor<256x!tt.ptr<f32>>
    }
    tlx.async_task num_warps = 2 {
      %range = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
      %srcs = tt.splat %src : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %p = tt.addptr %srcs, %range : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %x = tt.load %p : tensor<256x!tt.ptr<f32>>
      tt.store %p, %x : tensor<256x!tt.ptr<f32>>
    }
    tlx.async_task num_warps = 8 {
      %range = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
      %srcs = tt.splat %src : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %p = tt.addptr %srcs, %range : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %x = tt.load %p : tensor<256x!tt.ptr<f32>>
      tt.store %p, %x : tensor<256x!tt.ptr<f32>>
    }
  }
  tt.return
}
}

// -----

// A task may use tl.dot: blocked accumulators, operands for stock Triton's
// choice of instruction.

// CHECK-DAG: #[[$DOT:.*]] = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #[[$ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
module attributes {"ttg.num-warps" = 8 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: tt.func @dot_in_task
tt.func @dot_in_task(%p: !tt.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tlx.async_tasks {
    tlx.async_task default {
    }
    tlx.async_task num_warps = 4 {
      %zero = arith.constant dense<0.0> : tensor<64x64xf32>
      %ptrs = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
      // CHECK: scf.for {{.*}} -> (tensor<64x64xf32, #[[$DOT]]>)
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
        // CHECK: %[[X:.*]] = tt.load {{.*}} : tensor<64x64x!tt.ptr<f16>, #[[$ROWS]]>
        %x = tt.load %ptrs : tensor<64x64x!tt.ptr<f16>>
        // CHECK-DAG: %[[A:.*]] = ttg.convert_layout %[[X]] : {{.*}} -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #[[$DOT]]}>>
        // CHECK-DAG: %[[B:.*]] = ttg.convert_layout %[[X]] : {{.*}} -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #[[$DOT]]}>>
        // CHECK: tt.dot %[[A]], %[[B]]
        %d = tt.dot %x, %x, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
        // CHECK-NOT: ttg.convert_layout
        // CHECK: scf.yield
        scf.yield %d : tensor<64x64xf32>
      }
      %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
      tt.store %ptrs, %h : tensor<64x64x!tt.ptr<f16>>
    }
  }
  tt.return
}
}

// -----

// Reads of a buffer take the layout of their use; two uses mean two reads.

// CHECK-DAG: #[[$MMA:.*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
// CHECK-DAG: #[[$WIDE:.*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: tt.func @reads_follow_uses
tt.func @reads_follow_uses() {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %bs = tlx.local_alloc : !tlx.buffer<[2] 64x64xf16, smem>
  %b = tlx.local_view %bs[%c0] : !tlx.buffer<[2] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  %c1 = arith.constant 1 : i32
  %c = tlx.local_view %bs[%c1] : !tlx.buffer<[2] 64x64xf16, smem> -> !tlx.buffer<64x64xf16, smem>
  // CHECK-DAG: %[[BIAS:.*]] = tlx.local_load {{.*}} -> tensor<64x64xf16, #[[$MMA]]>
  // CHECK-DAG: %[[A:.*]] = tlx.local_load {{.*}} -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #[[$MMA]], kWidth = 2}>>
  %x = tlx.local_load %b : !tlx.buffer<64x64xf16, smem> -> tensor<64x64xf16>
  // CHECK: tlx.async_dot %[[A]]
  %d = tlx.async_dot %x, %b, %zero : tensor<64x64xf16>, !tlx.buffer<64x64xf16, smem> -> tensor<64x64xf32>
  %w = tlx.async_dot_wait 0, %d : tensor<64x64xf32>
  // CHECK: arith.extf %[[BIAS]]
  %e = arith.extf %x : tensor<64x64xf16> to tensor<64x64xf32>
  %s = arith.addf %w, %e : tensor<64x64xf32>
  %h = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
  // CHECK: tlx.local_store {{.*}} : tensor<64x64xf16, #[[$MMA]]>
  tlx.local_store %h, %b : tensor<64x64xf16> -> !tlx.buffer<64x64xf16, smem>
  // Nothing but buffers: accesses of 16 bytes.
  // CHECK: tlx.local_load {{.*}} -> tensor<64x64xf16, #[[$WIDE]]>
  %y = tlx.local_load %b : !tlx.buffer<64x64xf16, smem> -> tensor<64x64xf16>
  tlx.local_store %y, %c : tensor<64x64xf16> -> !tlx.buffer<64x64xf16, smem>
  // CHECK-NOT: ttg.convert_layout
  tt.return
}
}

// -----

// A user's layout flows on; release_layout ends it.

// CHECK-DAG: #[[$PIN:.*]] = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
// CHECK-DAG: #[[$ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#pin = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: tt.func @user_layout
tt.func @user_layout(%p: !tt.ptr<f32>) {
  %ptrs = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  // CHECK: %[[X:.*]] = tt.load {{.*}} : tensor<64x64x!tt.ptr<f32>, #[[$ROWS]]>
  %x = tt.load %ptrs : tensor<64x64x!tt.ptr<f32>>
  // CHECK: %[[Y:.*]] = ttg.convert_layout %[[X]] : {{.*}} -> tensor<64x64xf32, #[[$PIN]]>
  %y = tlx.require_layout %x {layout = #pin} : tensor<64x64xf32> -> tensor<64x64xf32>
  // CHECK: arith.addf %[[Y]], %[[Y]] : tensor<64x64xf32, #[[$PIN]]>
  %z = arith.addf %y, %x : tensor<64x64xf32>
  // CHECK: %[[FREE:.*]] = ttg.convert_layout {{.*}} : {{.*}} -> tensor<64x64xf32, #[[$ROWS]]>
  // CHECK: arith.addf %[[FREE]], %[[X]] : tensor<64x64xf32, #[[$ROWS]]>
  %r = tlx.release_layout %z : tensor<64x64xf32> -> tensor<64x64xf32>
  %s = arith.addf %r, %x : tensor<64x64xf32>
  tt.store %ptrs, %s : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
}

// -----

// Offsets used by accesses of two shapes are computed once for each.

// CHECK-DAG: #[[$LINE:.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[$ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: tt.func @offsets
tt.func @offsets(%p: !tt.ptr<f32>) {
  // CHECK-DAG: tt.make_range {{.*}} : tensor<64xi32, #[[$LINE]]>
  // CHECK-DAG: tt.make_range {{.*}} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #[[$ROWS]]}>>
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.return
  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %s1 = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p1 = tt.addptr %s1, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %p1 : tensor<64x!tt.ptr<f32>>
  tt.store %p1, %x : tensor<64x!tt.ptr<f32>>
  %e = tt.expand_dims %r {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %b = tt.broadcast %e : tensor<1x64xi32> -> tensor<64x64xi32>
  %s2 = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %p2 = tt.addptr %s2, %b : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  %y = tt.load %p2 : tensor<64x64x!tt.ptr<f32>>
  tt.store %p2, %y : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// Functions that are not inlined have a copy for each number of warps.

// CHECK: tt.func private @scale(%{{.*}}: tensor<256xf32, #[[$LINE]]>) -> tensor<256xf32, #[[$LINE]]>
// CHECK: tt.func private @scale__w8(%{{.*}}: tensor<256xf32, #[[$W8:.*]]>) -> tensor<256xf32, #[[$W8]]> attributes {noinline = true, "ttg.num-warps" = 8 : i32}
tt.func private @scale(%x: tensor<256xf32>) -> tensor<256xf32> attributes {noinline = true} {
  %y = arith.addf %x, %x : tensor<256xf32>
  tt.return %y : tensor<256xf32>
}
// CHECK-LABEL: tt.func @callers
tt.func @callers(%p: !tt.ptr<f32>) {
  tlx.async_tasks {
    tlx.async_task default {
      %ptrs = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %x = tt.load %ptrs : tensor<256x!tt.ptr<f32>>
      // CHECK: tt.call @scale(
      %y = tt.call @scale(%x) : (tensor<256xf32>) -> tensor<256xf32>
      tt.store %ptrs, %y : tensor<256x!tt.ptr<f32>>
    }
    tlx.async_task num_warps = 8 {
      %ptrs = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %x = tt.load %ptrs : tensor<256x!tt.ptr<f32>>
      // CHECK: tt.call @scale__w8(
      %y = tt.call @scale(%x) : (tensor<256xf32>) -> tensor<256xf32>
      tt.store %ptrs, %y : tensor<256x!tt.ptr<f32>>
    }
  }
  tt.return
}
}
