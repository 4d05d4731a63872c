//===- TTNGTypes.td - Types of the ttng dialect ---------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTNG_TTNGTYPES_TD
#define TRITON_INTEROP_TTNG_TTNGTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "triton_interop/TTNG/TTNGBase.td"

def TTNG_TensorDescIm2ColType
    : TypeDef<TTNG_Dialect, "TensorDescIm2Col"> {
  let mnemonic = "tensordesc_im2col";
  let summary = "TMA descriptor in im2col mode";
  let description = [{
    Example: `!ttng.tensordesc_im2col<64x64xf16>`.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$blockType);
  let hasCustomAssemblyFormat = 1;
}

#endif // TRITON_INTEROP_TTNG_TTNGTYPES_TD
