//===- Passes.h - TLX conversion passes -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_CONVERSION_PASSES_H
#define TLX_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::tlx {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tlx/Conversion/Passes.h.inc"
} // namespace mlir::tlx

#endif // TLX_CONVERSION_PASSES_H
