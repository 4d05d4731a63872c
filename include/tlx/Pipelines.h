//===- Pipelines.h - Pass pipelines of TLX ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_PIPELINES_H
#define TLX_PIPELINES_H

#include "mlir/Pass/PassManager.h"

namespace mlir::tlx {
/// Adds the passes from TLX IR, as the front end makes it, to the TTGIR that
/// Triton takes over. What depends on the version of Triton comes after.
void buildTLXToTTGIRPipeline(OpPassManager &pm);

/// Makes the pipeline known as `tlx-to-ttgir`.
void registerTLXPipelines();
} // namespace mlir::tlx

#endif // TLX_PIPELINES_H
