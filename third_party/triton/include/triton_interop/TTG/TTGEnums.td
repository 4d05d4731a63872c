//===- TTGEnums.td - Enums of the ttg dialect ------------ -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTG_TTGENUMS_TD
#define TRITON_INTEROP_TTG_TTGENUMS_TD

include "mlir/IR/EnumAttr.td"

def TTG_AddrSpace : I32BitEnumAttr<"AddrSpace",
    "memory that a barrier orders", [
  I32BitEnumAttrCaseNone<"None", "none">,
  I32BitEnumAttrCaseBit<"Local", 0, "local">,
  I32BitEnumAttrCaseBit<"GlobalRead", 1, "global_read">,
  I32BitEnumAttrCaseBit<"GlobalWrite", 2, "global_write">,
  I32BitEnumAttrCaseBit<"TensorRead", 3, "tensor_read">,
  I32BitEnumAttrCaseBit<"TensorWrite", 4, "tensor_write">,
  I32BitEnumAttrCaseGroup<"All", [
    I32BitEnumAttrCaseBit<"Local", 0, "local">,
    I32BitEnumAttrCaseBit<"GlobalRead", 1, "global_read">,
    I32BitEnumAttrCaseBit<"GlobalWrite", 2, "global_write">,
    I32BitEnumAttrCaseBit<"TensorRead", 3, "tensor_read">,
    I32BitEnumAttrCaseBit<"TensorWrite", 4, "tensor_write">
  ], "all">
]> {
  let separator = "|";
  let printBitEnumPrimaryGroups = 1;
  let cppNamespace = "::mlir::ttg";
}

#endif // TRITON_INTEROP_TTG_TTGENUMS_TD
