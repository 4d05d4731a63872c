//===- TTGTypes.td - Types of the ttg dialect ------------ -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTG_TTGTYPES_TD
#define TRITON_INTEROP_TTG_TTGTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "triton_interop/TTG/TTGBase.td"

def TTG_AsyncTokenType : TypeDef<TTG_Dialect, "AsyncToken"> {
  let mnemonic = "async.token";
  let summary = "Orders an asynchronous copy before its wait";
}

#endif // TRITON_INTEROP_TTG_TTGTYPES_TD
