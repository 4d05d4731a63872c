//===- TTGOps.td - Ops of the ttg dialect ---------------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTG_TTGOPS_TD
#define TRITON_INTEROP_TTG_TTGOPS_TD

include "triton_interop/TTG/TTGAccessOps.td"
include "triton_interop/TTG/TTGMemDescOps.td"
include "triton_interop/TTG/TTGMiscOps.td"
include "triton_interop/TTG/TTGWarpSpecializeOps.td"

#endif // TRITON_INTEROP_TTG_TTGOPS_TD
