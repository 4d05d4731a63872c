//===- TTTypes.td - Types of the tt dialect -------------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TT_TTTYPES_TD
#define TRITON_INTEROP_TT_TTTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "triton_interop/TT/TTBase.td"

def TT_PtrType : TypeDef<TT_Dialect, "Pointer"> {
  let mnemonic = "ptr";
  let summary = "Pointer to a scalar or a block in global memory";
  let description = [{
    `pointee` is a scalar type or a ranked tensor.

    Example: `!tt.ptr<f32>`, `!tt.ptr<i8, 3>`.
  }];
  let parameters = (ins "::mlir::Type":$pointee,
                        DefaultValuedParameter<"int", "1">:$addressSpace);
  let assemblyFormat = "`<` $pointee (`,` $addressSpace^)? `>`";
}

#endif // TRITON_INTEROP_TT_TTTYPES_TD
