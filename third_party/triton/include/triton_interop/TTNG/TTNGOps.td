//===- TTNGOps.td - Ops of the ttng dialect -------------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTNG_TTNGOPS_TD
#define TRITON_INTEROP_TTNG_TTNGOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "triton_interop/TTNG/TTNGAttrs.td"
include "triton_interop/TTNG/TTNGTypes.td"

#endif // TRITON_INTEROP_TTNG_TTNGOPS_TD
