//===- TTAttrs.td - Attributes of the tt dialect --------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TT_TTATTRS_TD
#define TRITON_INTEROP_TT_TTATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "triton_interop/TT/TTBase.td"

#endif // TRITON_INTEROP_TT_TTATTRS_TD
