//===- InitAllPasses.h - Register all passes -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_INITALLPASSES_H
#define TLX_INITALLPASSES_H

#include "tlx/Conversion/Passes.h"
#include "tlx/Dialect/TLX/Transforms/Passes.h"
#include "tlx/Pipelines.h"

#include "mlir/Transforms/Passes.h"

namespace mlir::tlx {
/// Registers every pass that a pipeline of ours may name.
inline void registerAllPasses() {
  registerTransformsPasses();
  registerTLXPasses();
  registerTLXConversionPasses();
  registerTLXPipelines();
}
} // namespace mlir::tlx

#endif // TLX_INITALLPASSES_H
