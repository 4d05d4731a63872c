//===- AssignLayouts.cpp - Give tensors and buffers their layouts ---------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "AssignLayouts.h"
#include "tlx/Dialect/TLX/Transforms/Passes.h"

namespace mlir::tlx {
#define GEN_PASS_DEF_TLXASSIGNLAYOUTS
#include "tlx/Dialect/TLX/Transforms/Passes.h.inc"
} // namespace mlir::tlx

using namespace mlir;
using namespace mlir::tlx;

namespace {
struct AssignLayouts : tlx::impl::TLXAssignLayoutsBase<AssignLayouts> {
  using TLXAssignLayoutsBase::TLXAssignLayoutsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(layouts::specializeFunctions(module)) ||
        failed(layouts::assignBufferLayouts(module)) ||
        failed(layouts::assignDescriptorLayouts(module)))
      return signalPassFailure();
    layouts::TensorLayouts tensors(module);
    if (failed(tensors.solve()) ||
        failed(layouts::materialize(module, tensors)))
      return signalPassFailure();
  }
};
} // namespace
