// RUN: tlx-opt %s --tlx-lower-tasks --split-input-file --verify-diagnostics --allow-unregistered-dialect

module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @tensor() {
    // expected-note @below {{computed here}}
    %t = "test.load"() : () -> tensor<64xf32>
    tlx.async_tasks {
      tlx.async_task default {
        "test.use"(%t) : (tensor<64xf32>) -> ()
      }
      tlx.async_task num_warps = 4 {
        // expected-error @below {{expects a task not to use an outer tensor, but got 'tensor<64xf32>'}}
        "test.use"(%t) : (tensor<64xf32>) -> ()
      }
    }
    return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @registers() {
    // expected-error @below {{expects at most 64512 registers, but its tasks need 65536, 1024 too many}}
    tlx.async_tasks {
      // expected-note @below {{the default task asks for 32 registers}}
      tlx.async_task default num_regs = 32 {
      }
      // expected-note @below {{this task asks for 240 registers}}
      tlx.async_task num_warps = 4 num_regs = 240 {
      }
      // expected-note @below {{this task asks for 240 registers}}
      tlx.async_task num_warps = 4 num_regs = 240 {
      }
    }
    return
  }
}

// -----

// 256 + 216 registers would do if the kernel had 8 warps only.
module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @registers_of_two_regions() {
    // expected-error @below {{expects at most 65536 registers, but its tasks need 66560, 1024 too many}}
    // expected-note @below {{256 threads that other tasks of the kernel need idle here with 24 registers each}}
    tlx.async_tasks {
      // expected-note @below {{the default task asks for 216 registers}}
      tlx.async_task default num_regs = 216 {
      }
      // expected-note @below {{this task asks for 256 registers}}
      tlx.async_task num_warps = 4 num_regs = 256 {
      }
    }
    tlx.async_tasks {
      tlx.async_task default {
      }
      tlx.async_task num_warps = 8 {
      }
      tlx.async_task num_warps = 4 {
      }
    }
    return
  }
}
