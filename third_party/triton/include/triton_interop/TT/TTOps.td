//===- TTOps.td - Ops of the tt dialect ------------------ -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TT_TTOPS_TD
#define TRITON_INTEROP_TT_TTOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "triton_interop/TT/TTAttrs.td"
include "triton_interop/TT/TTTypes.td"

#endif // TRITON_INTEROP_TT_TTOPS_TD
