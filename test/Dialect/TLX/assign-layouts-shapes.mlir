// RUN: tlx-opt %s --tlx-assign-layouts | FileCheck %s
// RUN: tlx-opt %s --tlx-assign-layouts --tlx-assign-layouts | FileCheck %s

// Ops that move dimensions about; each of these layouts is what the op computes
// from the layout of its operand, so no conversion is needed but where noted.

// CHECK-DAG: #[[$LINE:.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[$PAIR:.*]] = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[$ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
// CHECK-DAG: #[[$COLUMNS:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [2, 2], order = [0, 1]}>
// CHECK-DAG: #[[$LONG:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
// CHECK-DAG: #[[$JOINED:.*]] = #ttg.blocked<{sizePerThread = [1, 1, 2], threadsPerWarp = [1, 32, 1], warpsPerCTA = [2, 2, 1], order = [2, 1, 0]}>
// CHECK-DAG: #[[$CUBE:.*]] = #ttg.blocked<{sizePerThread = [1, 1, 1], threadsPerWarp = [1, 1, 32], warpsPerCTA = [1, 2, 2], order = [2, 1, 0]}>
// CHECK-DAG: #[[$INDICES:.*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: tt.func @shapes
tt.func @shapes(%p: !tt.ptr<f16>) {
  %ptrs = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %x = tt.load %ptrs : tensor<64x64x!tt.ptr<f16>>
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.join {{.*}} : tensor<64x64xf16, #[[$ROWS]]> -> tensor<64x64x2xf16, #[[$JOINED]]>
  %join = tt.join %x, %x : tensor<64x64xf16> -> tensor<64x64x2xf16>
  // CHECK-NEXT: tt.split {{.*}} : tensor<64x64x2xf16, #[[$JOINED]]> -> tensor<64x64xf16, #[[$ROWS]]>
  %left, %right = tt.split %join : tensor<64x64x2xf16> -> tensor<64x64xf16>
  // CHECK-NEXT: tt.reshape {{.*}} : tensor<64x64xf16, #[[$ROWS]]> -> tensor<16x256xf16, #[[$LONG]]>
  %long = tt.reshape %left : tensor<64x64xf16> -> tensor<16x256xf16>
  // CHECK-NEXT: tt.reshape {{.*}} : tensor<64x64xf16, #[[$ROWS]]> -> tensor<32x2x64xf16, #[[$CUBE]]>
  %cube = tt.reshape %right : tensor<64x64xf16> -> tensor<32x2x64xf16>
  // CHECK-NEXT: tt.reshape {{.*}} allow_reorder : tensor<32x2x64xf16, #[[$CUBE]]> -> tensor<4096xf16, #[[$LINE]]>
  %any = tt.reshape %cube allow_reorder : tensor<32x2x64xf16> -> tensor<4096xf16>
  // CHECK-NEXT: tt.trans {{.*}} : tensor<64x64xf16, #[[$ROWS]]> -> tensor<64x64xf16, #[[$COLUMNS]]>
  %trans = tt.trans %left {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
  // A store in rows needs the transpose converted.
  // CHECK-NEXT: ttg.convert_layout {{.*}} : tensor<64x64xf16, #[[$COLUMNS]]> -> tensor<64x64xf16, #[[$ROWS]]>
  tt.store %ptrs, %trans : tensor<64x64x!tt.ptr<f16>>
  tt.print "x" {hex = false, isSigned = array<i32: 0, 0>} : %long, %any : tensor<16x256xf16>, tensor<4096xf16>
  tt.return
}

// CHECK-LABEL: tt.func @vectors
tt.func @vectors(%p: !tt.ptr<f16>, %desc: !tt.tensordesc<1x64xf16>) {
  %c0 = arith.constant 0 : i32
  %ptrs = tt.splat %p : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
  %x = tt.load %ptrs : tensor<64x!tt.ptr<f16>>
  // CHECK: tt.cat {{.*}} : tensor<64xf16, #[[$LINE]]> -> tensor<128xf16, #[[$PAIR]]>
  %cat = tt.cat %x, %x : tensor<64xf16> -> tensor<128xf16>
  // The rows that a gather loads: four consecutive indices in each thread.
  // CHECK-DAG: tt.make_range {{.*}} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #[[$INDICES]]}>>
  // CHECK-DAG: tt.make_range {{.*}} : tensor<32xi32, #[[$LINE]]>
  %r = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %rows = tt.descriptor_gather %desc[%r, %c0] : (!tt.tensordesc<1x64xf16>, tensor<32xi32>, i32) -> tensor<32x64xf16>
  // CHECK: tt.histogram {{.*}} : tensor<32xi32, #[[$LINE]]> -> tensor<16xi32, #[[$LINE]]>
  %h = tt.histogram %r : tensor<32xi32> -> tensor<16xi32>
  // CHECK: "tt.reduce"
  // CHECK: (tensor<32x64xf16, #[[$ROWS]]>) -> tensor<32xf16, #ttg.slice<{dim = 1, parent = #[[$ROWS]]}>>
  %s = "tt.reduce"(%rows) <{axis = 1 : i32}> ({
  ^bb0(%a: f16, %b: f16):
    %c = arith.addf %a, %b : f16
    tt.reduce.return %c : f16
  }) : (tensor<32x64xf16>) -> tensor<32xf16>
  // Scans are implemented on blocked layouts.
  // CHECK: ttg.convert_layout {{.*}} -> tensor<32xf16, #[[$LINE]]>
  // CHECK: "tt.scan"
  // CHECK: (tensor<32xf16, #[[$LINE]]>) -> tensor<32xf16, #[[$LINE]]>
  %scan = "tt.scan"(%s) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f16, %b: f16):
    %c = arith.addf %a, %b : f16
    tt.scan.return %c : f16
  }) : (tensor<32xf16>) -> tensor<32xf16>
  tt.print "x" {hex = false, isSigned = array<i32: 0, 0, 0>} : %cat, %h, %scan : tensor<128xf16>, tensor<16xi32>, tensor<32xf16>
  tt.return
}
}
