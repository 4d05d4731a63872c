//===- TTNGTypes.td - Types of the ttng dialect ---------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTNG_TTNGTYPES_TD
#define TRITON_INTEROP_TTNG_TTNGTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "triton_interop/TTNG/TTNGBase.td"

#endif // TRITON_INTEROP_TTNG_TTNGTYPES_TD
