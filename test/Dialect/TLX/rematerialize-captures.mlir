// RUN: tlx-opt %s --tlx-rematerialize-captures --split-input-file --allow-unregistered-dialect | FileCheck %s

// The default task uses the outer tensor; each other task computes its own,
// from scalars that it may capture.
// CHECK-LABEL: func.func @pure
// CHECK-SAME: %[[N:.*]]: f32
func.func @pure(%n: f32) {
  // CHECK: %[[OUTER:.*]] = arith.addf
  %c = arith.constant dense<1.0> : tensor<64xf32>
  %t = arith.addf %c, %c : tensor<64xf32>
  // CHECK: tlx.async_task default
  tlx.async_tasks {
    tlx.async_task default {
      // CHECK-NEXT: "test.use"(%[[OUTER]], %[[N]])
      "test.use"(%t, %n) : (tensor<64xf32>, f32) -> ()
    }
    // CHECK: tlx.async_task num_warps = 1
    tlx.async_task num_warps = 1 {
      // CHECK-NEXT: %[[C:.*]] = arith.constant
      // CHECK-NEXT: %[[T:.*]] = arith.addf %[[C]], %[[C]]
      // CHECK-NEXT: "test.use"(%[[T]], %[[N]])
      "test.use"(%t, %n) : (tensor<64xf32>, f32) -> ()
      // CHECK: scf.if
      %p = "test.pred"() : () -> i1
      scf.if %p {
        // CHECK-NEXT: "test.use"(%[[T]])
        "test.use"(%t) : (tensor<64xf32>) -> ()
      }
    }
  }
  return
}
