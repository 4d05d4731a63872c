// RUN: tlx-opt %s --triton-legalize-version="version=3.8" | FileCheck %s
// RUN: not tlx-opt %s --triton-legalize-version="version=3.9" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NAMED

// A release that counts address spaces reads any number; one that names them
// does not know them all.

// CHECK-LABEL: tt.func @numbered(
// CHECK-SAME:    !tt.ptr<f32, 3>
// CHECK:       tt.splat %{{.*}} : !tt.ptr<f32, 3> -> tensor<8x!tt.ptr<f32, 3>>
// NAMED: error: expects an address space that Triton 3.9 has, but got '!tt.ptr<f32, 3>'
tt.func @numbered(%p: !tt.ptr<f32, 3>) {
  %x = tt.splat %p : !tt.ptr<f32, 3> -> tensor<8x!tt.ptr<f32, 3>>
  tt.return
}
