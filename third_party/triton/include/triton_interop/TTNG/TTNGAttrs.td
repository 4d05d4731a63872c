//===- TTNGAttrs.td - Attributes of the ttng dialect ----- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTNG_TTNGATTRS_TD
#define TRITON_INTEROP_TTNG_TTNGATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "triton_interop/TTNG/TTNGBase.td"

def TTNG_TensorMemorySpaceAttr : AttrDef<TTNG_Dialect, "TensorMemorySpace"> {
  let mnemonic = "tensor_memory";
  let summary = "Memory space of tensor memory (sm_100)";
}

#endif // TRITON_INTEROP_TTNG_TTNGATTRS_TD
