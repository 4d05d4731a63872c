//===- Passes.td - TLX pass definitions --------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_TRANSFORMS_PASSES_TD
#define TLX_DIALECT_TLX_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // TLX_DIALECT_TLX_TRANSFORMS_PASSES_TD
