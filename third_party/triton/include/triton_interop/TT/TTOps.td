//===- TTOps.td - Ops of the tt dialect ------------------ -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TT_TTOPS_TD
#define TRITON_INTEROP_TT_TTOPS_TD

include "triton_interop/TT/TTDescriptorOps.td"
include "triton_interop/TT/TTDotOps.td"
include "triton_interop/TT/TTElementwiseOps.td"
include "triton_interop/TT/TTFunctionOps.td"
include "triton_interop/TT/TTMemoryOps.td"
include "triton_interop/TT/TTReduceOps.td"
include "triton_interop/TT/TTShapeOps.td"

#endif // TRITON_INTEROP_TT_TTOPS_TD
