//===- TTNGOps.td - Ops of the ttng dialect -------------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTNG_TTNGOPS_TD
#define TRITON_INTEROP_TTNG_TTNGOPS_TD

include "triton_interop/TTNG/TTNGBarrierOps.td"
include "triton_interop/TTNG/TTNGClusterOps.td"
include "triton_interop/TTNG/TTNGDotOps.td"
include "triton_interop/TTNG/TTNGTCGen5Ops.td"
include "triton_interop/TTNG/TTNGTMAOps.td"
include "triton_interop/TTNG/TTNGTensorMemoryOps.td"

#endif // TRITON_INTEROP_TTNG_TTNGOPS_TD
