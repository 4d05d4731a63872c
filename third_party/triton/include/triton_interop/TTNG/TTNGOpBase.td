//===- TTNGOpBase.td - Constraints of ttng ops ----------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTNG_TTNGOPBASE_TD
#define TRITON_INTEROP_TTNG_TTNGOPBASE_TD

include "triton_interop/TTG/TTGOpBase.td"
include "triton_interop/TTNG/TTNGAttrs.td"
include "triton_interop/TTNG/TTNGTypes.td"

// Ops on asynchronous state declare no effects: passes then treat them as
// reading and writing everything, which keeps their order.

def TTNG_TensorMemory : Resource<"::mlir::ttng::TensorMemory">;

def TTNG_AnyTensorDesc
    : AnyTypeOf<[TT_TensorDescType, TTNG_TensorDescIm2ColType],
                "tensor descriptor">;

#endif // TRITON_INTEROP_TTNG_TTNGOPBASE_TD
