// RUN: tlx-opt --verify-roundtrip %s | FileCheck %s

// CHECK-LABEL: func.func @clock64
func.func @clock64() -> i64 {
  // CHECK: tlx.clock64 : i64
  %t = tlx.clock64 : i64
  return %t : i64
}
