// RUN: tlx-opt %s --tlx-rematerialize-captures --split-input-file --verify-diagnostics --allow-unregistered-dialect

func.func @result_with_effects() {
  // expected-note @below {{computed here}}
  %l = "test.load"() : () -> tensor<64xf32>
  %t = arith.addf %l, %l : tensor<64xf32>
  tlx.async_tasks {
    tlx.async_task default {
    }
    tlx.async_task num_warps = 4 {
      // expected-error @below {{expects a task not to use an outer tensor, which lives in the registers of other warps, but got 'tensor<64xf32>'; compute it in the task or hand it over in a buffer}}
      "test.use"(%t) : (tensor<64xf32>) -> ()
    }
  }
  return
}

// -----

// expected-note @below {{computed here}}
func.func @argument(%t: tensor<64xf32>) {
  tlx.async_tasks {
    tlx.async_task default {
    }
    tlx.async_task num_warps = 4 {
      // expected-error @below {{expects a task not to use an outer tensor}}
      "test.use"(%t) : (tensor<64xf32>) -> ()
    }
  }
  return
}
