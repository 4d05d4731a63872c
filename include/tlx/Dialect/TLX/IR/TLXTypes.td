//===- TLXTypes.td - TLX type definitions ------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_IR_TLXTYPES_TD
#define TLX_DIALECT_TLX_IR_TLXTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "tlx/Dialect/TLX/IR/TLXBase.td"

class TLX_Type<string name, string typeMnemonic>
    : TypeDef<TLX_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def TLX_TokenType : TLX_Type<"Token", "token"> {
  let summary = "Orders an asynchronous copy before its wait";
}

#endif // TLX_DIALECT_TLX_IR_TLXTYPES_TD
