//===- TTEnums.td - Enums of the tt dialect -------------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TT_TTENUMS_TD
#define TRITON_INTEROP_TT_TTENUMS_TD

include "mlir/IR/EnumAttr.td"

// Triton stores these as i32 integers: the generic form of an op shows the
// number, so the values below are part of the interchange format.

def TT_CacheModifier
    : I32EnumAttr<"CacheModifier", "cache modifier of a load or store", [
  I32EnumAttrCase<"None", 1, "none">,
  I32EnumAttrCase<"CA", 2, "ca">,
  I32EnumAttrCase<"CG", 3, "cg">,
  I32EnumAttrCase<"WB", 4, "wb">,
  I32EnumAttrCase<"CS", 5, "cs">,
  I32EnumAttrCase<"WT", 6, "wt">,
  I32EnumAttrCase<"CV", 7, "cv">
]> {
  let cppNamespace = "::mlir::tt";
}

def TT_EvictionPolicy
    : I32EnumAttr<"EvictionPolicy", "L2 eviction priority of a load or store", [
  I32EnumAttrCase<"Normal", 1, "evict_normal">,
  I32EnumAttrCase<"EvictFirst", 2, "evict_first">,
  I32EnumAttrCase<"EvictLast", 3, "evict_last">
]> {
  let cppNamespace = "::mlir::tt";
}

def TT_MemSemantic : I32EnumAttr<"MemSemantic", "memory order of an atomic", [
  I32EnumAttrCase<"Relaxed", 1, "relaxed">,
  I32EnumAttrCase<"Acquire", 2, "acquire">,
  I32EnumAttrCase<"Release", 3, "release">,
  I32EnumAttrCase<"AcquireRelease", 4, "acq_rel">
]> {
  let cppNamespace = "::mlir::tt";
}

def TT_MemSyncScope
    : I32EnumAttr<"MemSyncScope", "threads that an atomic synchronises with", [
  I32EnumAttrCase<"GPU", 1, "gpu">,
  I32EnumAttrCase<"CTA", 2, "cta">,
  I32EnumAttrCase<"System", 3, "sys">
]> {
  let cppNamespace = "::mlir::tt";
}

def TT_RMWOp
    : I32EnumAttr<"RMWOp", "operation of an atomic read-modify-write", [
  I32EnumAttrCase<"And", 1, "and">,
  I32EnumAttrCase<"Or", 2, "or">,
  I32EnumAttrCase<"Xor", 3, "xor">,
  I32EnumAttrCase<"Add", 4, "add">,
  I32EnumAttrCase<"FAdd", 5, "fadd">,
  I32EnumAttrCase<"Max", 6, "max">,
  I32EnumAttrCase<"Min", 7, "min">,
  I32EnumAttrCase<"UMax", 8, "umax">,
  I32EnumAttrCase<"UMin", 9, "umin">,
  I32EnumAttrCase<"Xchg", 10, "exch">
]> {
  let cppNamespace = "::mlir::tt";
}

def TT_DescriptorReduceKind
    : I32EnumAttr<"DescriptorReduceKind", "operation of a TMA reduction", [
  I32EnumAttrCase<"Add", 1, "add">,
  I32EnumAttrCase<"Min", 2, "min">,
  I32EnumAttrCase<"Max", 3, "max">,
  I32EnumAttrCase<"Inc", 4, "inc">,
  I32EnumAttrCase<"Dec", 5, "dec">,
  I32EnumAttrCase<"And", 6, "and">,
  I32EnumAttrCase<"Or", 7, "or">,
  I32EnumAttrCase<"Xor", 8, "xor">
]> {
  let cppNamespace = "::mlir::tt";
}

def TT_PaddingOption
    : I32EnumAttr<"PaddingOption", "value read outside of a tensor's bounds", [
  I32EnumAttrCase<"Zero", 1, "zero">,
  I32EnumAttrCase<"NaN", 2, "nan">
]> {
  let cppNamespace = "::mlir::tt";
}

def TT_ProgramIDDim
    : I32EnumAttr<"ProgramIDDim", "dimension of the launch grid", [
  I32EnumAttrCase<"X", 0, "x">,
  I32EnumAttrCase<"Y", 1, "y">,
  I32EnumAttrCase<"Z", 2, "z">
]> {
  let cppNamespace = "::mlir::tt";
}

def TT_PropagateNan : I32EnumAttr<"PropagateNan", "treatment of NaN operands", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"All", 65535, "all">
]> {
  let cppNamespace = "::mlir::tt";
}

def TT_RoundingMode
    : I32EnumAttr<"RoundingMode", "rounding of a float conversion", [
  I32EnumAttrCase<"RTZ", 0, "rtz">,
  I32EnumAttrCase<"RTNE", 1, "rtne">
]> {
  let cppNamespace = "::mlir::tt";
}

def TT_InputPrecision
    : I32EnumAttr<"InputPrecision", "precision of f32 operands in a dot", [
  I32EnumAttrCase<"TF32", 0, "tf32">,
  I32EnumAttrCase<"TF32x3", 1, "tf32x3">,
  I32EnumAttrCase<"IEEE", 2, "ieee">,
  I32EnumAttrCase<"BF16x3", 3, "bf16x3">,
  I32EnumAttrCase<"BF16x6", 4, "bf16x6">
]> {
  let cppNamespace = "::mlir::tt";
}

def TT_ScaleDotElemType
    : I32EnumAttr<"ScaleDotElemType",
                  "element type of a block-scaled operand", [
  I32EnumAttrCase<"E4M3", 0, "e4m3">,
  I32EnumAttrCase<"E5M2", 1, "e5m2">,
  I32EnumAttrCase<"E2M3", 2, "e2m3">,
  I32EnumAttrCase<"E3M2", 3, "e3m2">,
  I32EnumAttrCase<"E2M1", 4, "e2m1">,
  I32EnumAttrCase<"BF16", 5, "bf16">,
  I32EnumAttrCase<"FP16", 6, "fp16">
]> {
  let cppNamespace = "::mlir::tt";
}

#endif // TRITON_INTEROP_TT_TTENUMS_TD
