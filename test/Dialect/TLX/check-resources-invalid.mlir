// RUN: tlx-opt %s --tlx-check-resources --split-input-file --verify-diagnostics

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  func.func @shared_memory() {
    // expected-note @below {{35840 bytes for '!tlx.buffer<[35] 1024xi8, smem>'}}
    %b = tlx.local_alloc : !tlx.buffer<[35] 1024xi8, smem>
    // expected-error @below {{expects at most 232448 bytes of shared memory on sm_90, but the kernel allocates 232456, 8 too many}}
    // expected-note @below {{196608 bytes for '!tlx.buffer<[3] 65536xi8, smem>'}}
    %a = tlx.local_alloc : !tlx.buffer<[3] 65536xi8, smem>
    // expected-note @below {{8 bytes for '!tlx.barrier<[1], count = 1>'}}
    %m = tlx.alloc_barriers : !tlx.barrier<[1], count = 1>
    return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  func.func @threads() {
    // expected-error @below {{expects at most 1024 threads, but its tasks need 1152 (36 warps, of which the default task has 4)}}
    tlx.async_tasks {
      tlx.async_task default {
      }
      // expected-note @below {{this task has 16 warps}}
      tlx.async_task num_warps = 16 {
      }
      // expected-note @below {{this task has 16 warps}}
      tlx.async_task num_warps = 16 {
      }
    }
    return
  }
}

// -----

// Without tasks, and without a target.
module attributes {"ttg.num-warps" = 64 : i32} {
  // expected-error @below {{expects at most 1024 threads, but the kernel has 2048 (64 warps)}}
  func.func @threads_without_tasks() {
    return
  }
}

// -----

// 29 + 1 warps would fit, but they fill groups of four.
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  func.func @threads_of_whole_groups() {
    // expected-error @below {{but its tasks need 1152 (36 warps}}
    tlx.async_tasks {
      tlx.async_task default {
      }
      // expected-note @below {{this task has 16 warps}}
      tlx.async_task num_warps = 16 {
      }
      // expected-note @below {{this task has 8 warps}}
      tlx.async_task num_warps = 8 {
      }
      // expected-note @below {{this task has 4 warps}}
      tlx.async_task num_warps = 4 {
      }
      // expected-note @below {{this task has 1 warps}}
      tlx.async_task num_warps = 1 {
      }
    }
    return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  func.func @registers() {
    // expected-error @below {{expects at most 65536 registers, but its tasks need 98304, 32768 too many}}
    tlx.async_tasks {
      // expected-note @below {{the default task needs at least 24 registers for each of its 128 threads}}
      tlx.async_task default {
      }
      // expected-note @below {{this task asks for 248 registers for each of its 128 threads}}
      tlx.async_task num_warps = 4 num_regs = 248 {
      }
      // expected-note @below {{this task asks for 248 registers}}
      tlx.async_task num_warps = 4 num_regs = 248 {
      }
      // expected-note @below {{this task asks for 248 registers}}
      tlx.async_task num_warps = 4 num_regs = 248 {
      }
    }
    return
  }
}

// -----

// The user's limit counts, and what the default task asks for.
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", ttg.maxnreg = 64 : i32} {
  func.func @registers_of_the_user() {
    // expected-error @below {{expects at most 16384 registers, but its tasks need 23552, 7168 too many}}
    tlx.async_tasks {
      // expected-note @below {{the default task asks for 160 registers for each of its 128 threads}}
      tlx.async_task default num_regs = 160 {
      }
      // expected-note @below {{this task asks for 24 registers for each of its 32 threads}}
      tlx.async_task num_warps = 1 num_regs = 24 {
      }
    }
    return
  }
}

// -----

// 12 warps of 248 registers could not be launched.
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", ttg.maxnreg = 248 : i32} {
  func.func @registers_at_launch() {
    // expected-error @below {{expects at most 65536 registers at launch, but 'ttg.maxnreg' is 248 for each of 384 threads}}
    tlx.async_tasks {
      tlx.async_task default num_regs = 240 {
      }
      tlx.async_task num_warps = 8 num_regs = 24 {
      }
    }
    return
  }
}

// -----

module attributes {"ttg.num-warps" = 2 : i32, ttg.target = "cuda:90"} {
  func.func @registers_of_half_a_group() {
    // expected-error @below {{expects the kernel to have a multiple of 4 warps when tasks ask for registers, but got 2}}
    tlx.async_tasks {
      tlx.async_task default num_regs = 160 {
      }
      tlx.async_task num_warps = 1 {
      }
    }
    return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  func.func @order_of_first_warps() {
    tlx.async_tasks {
      tlx.async_task default {
      }
      tlx.async_task num_warps = 1 first_warp = 4 {
      }
      // expected-error @below {{expects tasks with 'first_warp' to come from the largest to the smallest, each a multiple of its 4 warps after the previous one, but got warp 8 after warp 4}}
      tlx.async_task num_warps = 4 first_warp = 8 {
      }
    }
    return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
  func.func @barriers_on_ampere() {
    // expected-error @below {{'tlx.alloc_barriers' op expects a target of at least sm_90, but got sm_80}}
    %m = tlx.alloc_barriers : !tlx.barrier<[1], count = 1>
    return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  func.func @tensor_memory_on_hopper() {
    // expected-error @below {{'tlx.local_alloc' op expects a target of sm_100 or sm_103 for tensor memory, but got sm_90}}
    %b = tlx.local_alloc : !tlx.buffer<[1] 128x64xf32, tmem>
    return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  func.func @wgmma_on_blackwell(%a: !tlx.buffer<64x64xf16, smem>, %b: !tlx.buffer<64x64xf16, smem>, %c: tensor<64x64xf32>) {
    // expected-error @below {{'tlx.async_dot' op expects an accumulator in tensor memory except on sm_90, but the target is sm_100}}
    %d = tlx.async_dot %a, %b, %c : !tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x64xf16, smem> -> tensor<64x64xf32>
    return
  }
}

// -----

module {
  func.func @no_warps() {
    // expected-error @below {{expects the module to have 'ttg.num-warps'}}
    tlx.async_tasks {
      tlx.async_task default {
      }
    }
    return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  func.func @exclusive_first() {
    // expected-note @below {{the first one is here}}
    tlx.async_tasks exclusive {
      tlx.async_task default {
      }
    }
    // expected-error @below {{'tlx.async_tasks' op expects to be the only one of the kernel, as another one is exclusive, but got 2 of them}}
    tlx.async_tasks {
      tlx.async_task default {
      }
    }
    return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  func.func @exclusive_second() {
    // expected-note @below {{the first one is here}}
    tlx.async_tasks {
      tlx.async_task default {
      }
    }
    // expected-error @below {{expects to be the only one of the kernel, as it is exclusive}}
    tlx.async_tasks exclusive {
      tlx.async_task default {
      }
    }
    return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
  func.func @descriptors_on_ampere(%p: !tt.ptr<i8>) {
    // expected-error @below {{'tlx.reinterpret_tensor_descriptor' op expects a target of at least sm_90, but got sm_80}}
    %d = tlx.reinterpret_tensor_descriptor %p : !tt.ptr<i8> -> !tt.tensordesc<64x64xf16>
    return
  }
}
