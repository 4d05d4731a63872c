// RUN: tlx-opt %s --tlx-check-resources --split-input-file | FileCheck %s

// All 227 KiB of shared memory.
// CHECK-LABEL: module
// CHECK: tlx.local_alloc
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  func.func @all_bytes() {
    %a = tlx.local_alloc : !tlx.buffer<[3] 65536xi8, smem>
    %b = tlx.local_alloc : !tlx.buffer<[17] 2048xi8, smem>
    %c = tlx.local_alloc : !tlx.buffer<[1] 1024xi8, smem>
    return
  }
}

// -----

// All 32 warps; the last group of four is shared by two tasks.
// CHECK-LABEL: module
// CHECK: tlx.async_tasks
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  func.func @all_warps() {
    tlx.async_tasks {
      tlx.async_task default {
      }
      tlx.async_task num_warps = 16 {
      }
      tlx.async_task num_warps = 8 {
      }
      tlx.async_task num_warps = 2 {
      }
      tlx.async_task num_warps = 1 {
      }
    }
    return
  }
}

// -----

// All registers that 12 warps start with: 168 for each thread.
// CHECK-LABEL: module
// CHECK: tlx.async_tasks
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  func.func @all_registers() {
    tlx.async_tasks {
      tlx.async_task default num_regs = 24 {
      }
      tlx.async_task num_warps = 4 num_regs = 240 {
      }
      tlx.async_task num_warps = 4 num_regs = 240 {
      }
    }
    return
  }
}

// -----

// An exclusive region alone; others may be as many as there are.
// CHECK-LABEL: module
// CHECK: tlx.async_tasks exclusive
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  func.func @one_exclusive() {
    tlx.async_tasks exclusive {
      tlx.async_task default {
      }
    }
    return
  }
}

// -----

// CHECK-LABEL: module
// CHECK-COUNT-2: tlx.async_tasks {
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  func.func @two_regions() {
    tlx.async_tasks {
      tlx.async_task default {
      }
    }
    tlx.async_tasks {
      tlx.async_task default {
      }
    }
    return
  }
}
