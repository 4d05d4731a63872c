//===- TTGAttrs.td - Attributes of the ttg dialect ------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTG_TTGATTRS_TD
#define TRITON_INTEROP_TTG_TTGATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "triton_interop/TTG/TTGBase.td"

def TTG_SharedMemorySpaceAttr : AttrDef<TTG_Dialect, "SharedMemorySpace"> {
  let mnemonic = "shared_memory";
  let summary = "Memory space of shared memory";
}

#endif // TRITON_INTEROP_TTG_TTGATTRS_TD
