//===- TTGOps.td - Ops of the ttg dialect ---------------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTG_TTGOPS_TD
#define TRITON_INTEROP_TTG_TTGOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "triton_interop/TTG/TTGAttrs.td"
include "triton_interop/TTG/TTGTypes.td"

#endif // TRITON_INTEROP_TTG_TTGOPS_TD
