//===- TLXAttrs.td - TLX enums -----------------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_IR_TLXATTRS_TD
#define TLX_DIALECT_TLX_IR_TLXATTRS_TD

include "mlir/IR/EnumAttr.td"
include "tlx/Dialect/TLX/IR/TLXBase.td"

class TLX_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::tlx";
}

def TLX_Storage : TLX_Enum<"Storage", "where a buffer lives", [
    I32EnumAttrCase<"smem", 0>, I32EnumAttrCase<"tmem", 1>,
    I32EnumAttrCase<"smemCluster", 2>]>;

def TLX_FenceScope : TLX_Enum<"FenceScope", "what a fence orders", [
    I32EnumAttrCase<"async_shared", 0>, I32EnumAttrCase<"gpu", 1>,
    I32EnumAttrCase<"sys", 2>]>;

def TLX_Axis : TLX_Enum<"Axis", "axis of the thread index", [
    I32EnumAttrCase<"x", 0>, I32EnumAttrCase<"y", 1>,
    I32EnumAttrCase<"z", 2>]>;

#endif // TLX_DIALECT_TLX_IR_TLXATTRS_TD
