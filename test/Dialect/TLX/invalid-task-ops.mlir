// RUN: tlx-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

func.func @async_tasks_c1_foreign_op() {
  // expected-error @below {{'tlx.async_tasks' op expects only 'tlx.async_task' ops in its body, but found 'test.op'}}
  tlx.async_tasks {
    // expected-note @below {{see this op}}
    "test.op"() : () -> ()
  }
  return
}

// -----

func.func @async_tasks_c2_no_default() {
  // expected-error @below {{expects one of its tasks to be the default task}}
  tlx.async_tasks {
    tlx.async_task num_warps = 4 {
    }
  }
  return
}

// -----

func.func @async_tasks_c2_two_defaults() {
  tlx.async_tasks {
    // expected-note @below {{see the other default task}}
    tlx.async_task default {
    }
    // expected-error @below {{expects to be the only default task}}
    tlx.async_task default {
    }
  }
  return
}

// -----

func.func @async_tasks_c3_nested() {
  // expected-note @below {{see the outer op}}
  tlx.async_tasks {
    tlx.async_task default {
      // expected-error @below {{expects not to be inside another 'tlx.async_tasks'}}
      tlx.async_tasks {
        tlx.async_task default {
        }
      }
    }
  }
  return
}

// -----

func.func @async_tasks_c4_some_first_warps() {
  tlx.async_tasks {
    tlx.async_task default {
    }
    // expected-note @below {{this task has it}}
    tlx.async_task num_warps = 4 first_warp = 4 {
    }
    // expected-error @below {{expects 'first_warp' because another task has it; set it on all tasks but the default, or on none}}
    tlx.async_task num_warps = 4 {
    }
  }
  return
}

// -----

func.func @async_tasks_c5_shared_warp() {
  tlx.async_tasks {
    tlx.async_task default {
    }
    // expected-note @below {{this task has warps 4 to 7}}
    tlx.async_task num_warps = 4 first_warp = 4 {
    }
    // expected-error @below {{expects its warps 7 to 7 to be its own}}
    tlx.async_task num_warps = 1 first_warp = 7 {
    }
  }
  return
}

// -----

module attributes {"ttg.num-warps" = 8 : i32} {
  func.func @async_tasks_c5_warp_of_the_default_task() {
    tlx.async_tasks {
      tlx.async_task default {
      }
      // expected-error @below {{expects 'first_warp' to be at least 8, the warps of the default task, but got 4}}
      tlx.async_task num_warps = 4 first_warp = 4 {
      }
    }
    return
  }
}

// -----

func.func @async_tasks_c6_some_registers() {
  tlx.async_tasks {
    tlx.async_task default num_regs = 240 {
    }
    // expected-error @below {{expects 'num_regs' because another task has it}}
    tlx.async_task num_warps = 4 {
    }
    // expected-note @below {{this task has it}}
    tlx.async_task num_warps = 1 num_regs = 24 {
    }
  }
  return
}

// -----

func.func @async_task_c1_missing() {
  tlx.async_tasks {
    tlx.async_task default {
    }
    // expected-error @below {{expects 'num_warps' as it is not the default task}}
    tlx.async_task {
    }
  }
  return
}

// -----

func.func @async_task_c1_on_default() {
  tlx.async_tasks {
    // expected-error @below {{expects no 'num_warps' on the default task}}
    tlx.async_task default num_warps = 4 {
    }
  }
  return
}

// -----

func.func @async_task_c1_not_a_power_of_two() {
  tlx.async_tasks {
    tlx.async_task default {
    }
    // expected-error @below {{expects 'num_warps' to be 1, 2, 4, 8 or 16, but got 3}}
    tlx.async_task num_warps = 3 {
    }
  }
  return
}

// -----

func.func @async_task_c1_too_many() {
  tlx.async_tasks {
    tlx.async_task default {
    }
    // expected-error @below {{but got 32}}
    tlx.async_task num_warps = 32 {
    }
  }
  return
}

// -----

func.func @async_task_c2_too_few() {
  tlx.async_tasks {
    // expected-error @below {{expects 'num_regs' to be a multiple of 8 in [24, 256], but got 16}}
    tlx.async_task default num_regs = 16 {
    }
  }
  return
}

// -----

func.func @async_task_c2_too_many() {
  tlx.async_tasks {
    // expected-error @below {{but got 264}}
    tlx.async_task default num_regs = 264 {
    }
  }
  return
}

// -----

func.func @async_task_c2_not_a_multiple_of_8() {
  tlx.async_tasks {
    // expected-error @below {{but got 100}}
    tlx.async_task default num_regs = 100 {
    }
  }
  return
}

// -----

func.func @async_task_c3_negative_replica() {
  tlx.async_tasks {
    // expected-error @below {{attribute 'replica' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
    tlx.async_task default replica = -1 {
    }
  }
  return
}

// -----

func.func @async_task_c4_negative_warp() {
  tlx.async_tasks {
    tlx.async_task default {
    }
    // expected-error @below {{attribute 'first_warp' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
    tlx.async_task num_warps = 4 first_warp = -4 {
    }
  }
  return
}

// -----

func.func @async_task_c4_on_default() {
  tlx.async_tasks {
    // expected-error @below {{expects no 'first_warp' on the default task}}
    tlx.async_task default first_warp = 0 {
    }
  }
  return
}

// -----

tt.func @async_task_c5_return() {
  tlx.async_tasks {
    // expected-error @below {{expects its body not to return from the function}}
    tlx.async_task default {
      // expected-note @below {{see this op}}
      tt.return
    }
  }
  tt.return
}
