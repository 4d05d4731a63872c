//===- TTNGEnums.td - Enums of the ttng dialect ---------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTNG_TTNGENUMS_TD
#define TRITON_INTEROP_TTNG_TTNGENUMS_TD

include "mlir/IR/EnumAttr.td"

def TTNG_CacheEvictionPriority : I32EnumAttr<"CacheEvictionPriority",
    "eviction priority of a cache level", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"EvictNormal", 1, "evict_normal">,
  I32EnumAttrCase<"EvictUnchanged", 2, "evict_unchanged">,
  I32EnumAttrCase<"EvictFirst", 3, "evict_first">,
  I32EnumAttrCase<"EvictLast", 4, "evict_last">,
  I32EnumAttrCase<"NoAllocate", 5, "no_allocate">
]> {
  let cppNamespace = "::mlir::ttng";
}

def TTNG_PackedArithOpKind : I32EnumAttr<"PackedArithOpKind",
    "operation on two packed values", [
  I32EnumAttrCase<"Add", 0, "add">,
  I32EnumAttrCase<"Sub", 1, "sub">,
  I32EnumAttrCase<"Mul", 2, "mul">,
  I32EnumAttrCase<"Fma", 3, "fma">,
  I32EnumAttrCase<"Min", 4, "min">,
  I32EnumAttrCase<"Max", 5, "max">
]> {
  let cppNamespace = "::mlir::ttng";
}

def TTNG_TMEMWaitKind : I32EnumAttr<"TMEMWaitKind",
    "tensor memory accesses to wait for", [
  I32EnumAttrCase<"Load", 0, "load">,
  I32EnumAttrCase<"Store", 1, "store">
]> {
  let cppNamespace = "::mlir::ttng";
}

def TTNG_TMEMLoadReduceModifier : I32EnumAttr<"TMEMLoadReduceModifier",
    "reduction along the rows of a tensor memory load", [
  I32EnumAttrCase<"Min", 1, "min">,
  I32EnumAttrCase<"Max", 2, "max">
]> {
  let cppNamespace = "::mlir::ttng";
  let genSpecializedAttr = 0;
}

def TTNG_TensorMemoryScalesBlockRepOrder
    : I32EnumAttr<"TensorMemoryScalesBlockRepOrder",
    "order of repeated scale blocks", [
  I32EnumAttrCase<"MNThenK", 0, "mnThenK">,
  I32EnumAttrCase<"KThenMN", 1, "kThenMn">
]> {
  let cppNamespace = "::mlir::ttng";
}

#endif // TRITON_INTEROP_TTNG_TTNGENUMS_TD
