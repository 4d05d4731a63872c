// RUN: tlx-opt %s --tlx-lower-tasks --split-input-file --allow-unregistered-dialect | FileCheck %s

// Arguments are captured, each once; constants and special registers are
// computed in the partition. The default region uses outer values.
module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: func.func @captures
  // CHECK-SAME: (%[[N:.*]]: i32, %[[B:.*]]: !tlx.buffer<[2] 64xf16, smem>)
  func.func @captures(%n: i32, %b: !tlx.buffer<[2] 64xf16, smem>) {
    %c = arith.constant 7 : i32
    %tid = tlx.thread_id x : i32
    %sum = arith.addi %tid, %c : i32
    // CHECK: ttg.warp_specialize(%[[N]], %[[B]])
    // CHECK-SAME: warpGroupStartIds = array<i32: 4>
    tlx.async_tasks {
      // CHECK: default
      tlx.async_task default {
        // CHECK: "test.use"(%[[N]])
        "test.use"(%n) : (i32) -> ()
        // CHECK: ttg.warp_yield
      }
      // CHECK: partition0(%[[PN:.*]]: i32, %[[PB:.*]]: !tlx.buffer<[2] 64xf16, smem>) num_warps(1)
      tlx.async_task num_warps = 1 {
        // CHECK-DAG: %[[C:.*]] = arith.constant 7
        // CHECK-DAG: %[[TID:.*]] = tlx.thread_id x
        // CHECK: %[[SUM:.*]] = arith.addi %[[TID]], %[[C]]
        // CHECK: "test.use"(%[[PN]], %[[PB]], %[[SUM]], %[[PN]])
        "test.use"(%n, %b, %sum, %n) : (i32, !tlx.buffer<[2] 64xf16, smem>, i32, i32) -> ()
        // CHECK: ttg.warp_return
      }
    }
    return
  }
}

// -----

// Partitions come from the largest to the smallest; equal ones keep their
// order.
module attributes {"ttg.num-warps" = 8 : i32} {
  // CHECK-LABEL: func.func @order
  func.func @order() {
    // CHECK: ttg.warp_specialize() attributes
    // CHECK-SAME: requestedRegisters = array<i32: 96, 40, 24>
    // CHECK-SAME: warpGroupStartIds = array<i32: 8, 12, 13>
    tlx.async_tasks {
      tlx.async_task default {
      }
      tlx.async_task num_warps = 1 num_regs = 40 {
        "test.first"() : () -> ()
      }
      tlx.async_task num_warps = 4 num_regs = 96 {
        "test.large"() : () -> ()
      }
      tlx.async_task num_warps = 1 num_regs = 24 {
        "test.second"() : () -> ()
      }
    }
    // CHECK: partition0() num_warps(4)
    // CHECK: "test.large"
    // CHECK: partition1() num_warps(1)
    // CHECK: "test.first"
    // CHECK: partition2() num_warps(1)
    // CHECK: "test.second"
    return
  }
}

// -----

// The user's warps, with idle ones between.
module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: func.func @first_warp
  func.func @first_warp() {
    // CHECK: ttg.warp_specialize() attributes {warpGroupStartIds = array<i32: 4, 8, 9, 10>}
    tlx.async_tasks {
      tlx.async_task default {
      }
      tlx.async_task num_warps = 1 first_warp = 10 {
        "test.copy"() : () -> ()
      }
      tlx.async_task num_warps = 4 first_warp = 4 {
        "test.mma"() : () -> ()
      }
    }
    // CHECK: partition0() num_warps(4)
    // CHECK-NEXT: "test.mma"
    // CHECK: partition1() num_warps(1)
    // CHECK-NEXT: ttg.warp_return
    // CHECK: partition2() num_warps(1)
    // CHECK-NEXT: ttg.warp_return
    // CHECK: partition3() num_warps(1)
    // CHECK-NEXT: "test.copy"
    return
  }
}

// -----

// A request of the default task alone: the others share the rest, which is
// (12 * 32 * 168 - 232 * 128) / 256.
module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: func.func @default_registers
  func.func @default_registers() {
    // CHECK: requestedRegisters = array<i32: 136, 136>
    tlx.async_tasks {
      tlx.async_task default num_regs = 232 {
      }
      tlx.async_task num_warps = 4 {
      }
      tlx.async_task num_warps = 1 {
      }
    }
    return
  }
}

// -----

// The warps of the larger region idle with 24 registers in the smaller one:
// (16 * 32 * 128 - 208 * 128 - 24 * 256) / 128.
module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: func.func @two_regions
  func.func @two_regions() {
    // CHECK: requestedRegisters = array<i32: 256>
    tlx.async_tasks {
      tlx.async_task default num_regs = 208 {
      }
      tlx.async_task num_warps = 4 {
      }
    }
    // CHECK: requestedRegisters = array<i32: 40, 40>
    tlx.async_tasks {
      tlx.async_task default {
      }
      tlx.async_task num_warps = 8 num_regs = 40 {
      }
      tlx.async_task num_warps = 4 num_regs = 40 {
      }
    }
    return
  }
}

// -----

// With the default task alone there is nothing to specialize.
module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: func.func @only_default
  func.func @only_default(%n: i32) {
    // CHECK-NEXT: "test.use"
    // CHECK-NEXT: return
    tlx.async_tasks {
      tlx.async_task default num_regs = 240 {
        "test.use"(%n) : (i32) -> ()
      }
    }
    return
  }
}
