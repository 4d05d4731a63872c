// RUN: tlx-opt --verify-roundtrip --allow-unregistered-dialect %s | FileCheck %s

// CHECK-LABEL: func.func @tasks
func.func @tasks(%n: i32) {
  // CHECK: tlx.async_tasks exclusive {
  tlx.async_tasks exclusive {
    // CHECK: tlx.async_task default num_regs = 256 {
    tlx.async_task default num_regs = 256 {
      "test.use"(%n) : (i32) -> ()
    }
    // CHECK: tlx.async_task num_warps = 16 num_regs = 24 replica = 1 first_warp = 4 {
    tlx.async_task num_warps = 16 num_regs = 24 replica = 1 first_warp = 4 {
    }
    // CHECK: tlx.async_task num_warps = 1 num_regs = 24 first_warp = 20 {
    tlx.async_task num_warps = 1 num_regs = 24 first_warp = 20 {
    }
  }
  return
}

// Neither registers nor warps need to be given.
// CHECK-LABEL: func.func @plain
func.func @plain() {
  // CHECK: tlx.async_tasks {
  tlx.async_tasks {
    // CHECK: tlx.async_task default {
    tlx.async_task default {
    }
    // CHECK: tlx.async_task num_warps = 2 {
    tlx.async_task num_warps = 2 {
    }
  }
  return
}
