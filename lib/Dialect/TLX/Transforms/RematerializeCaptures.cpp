//===- RematerializeCaptures.cpp - Recompute outer tensors in tasks -------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Dialect/TLX/IR/TLX.h"
#include "tlx/Dialect/TLX/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::tlx {
#define GEN_PASS_DEF_TLXREMATERIALIZECAPTURES
#include "tlx/Dialect/TLX/Transforms/Passes.h.inc"
} // namespace mlir::tlx

using namespace mlir;
using namespace mlir::tlx;

/// Whether an op may run once more in a task: it has no effects and its work
/// stays in the thread.
static bool isRecomputable(Operation *op) {
  return isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         !isa<tt::DotOp, tt::DotScaledOp, AsyncDotOp, AsyncDotWaitOp>(op);
}

namespace {
/// Copies what one task needs to the start of its body.
class TaskBuilder {
public:
  explicit TaskBuilder(AsyncTaskOp task)
      : task(task), builder(OpBuilder::atBlockBegin(&task.getBody().front())) {}

  /// A copy of `value` in the task, or the value itself if it is no tensor.
  /// Returns null and fills `culprit` if an op cannot be copied.
  Value copy(Value value);

  /// The value that cannot be recomputed.
  Value culprit;

private:
  AsyncTaskOp task;
  OpBuilder builder;
  IRMapping mapping;
};

struct RematerializeCaptures
    : tlx::impl::TLXRematerializeCapturesBase<RematerializeCaptures> {
  void runOnOperation() override {
    getOperation()->walk([&](AsyncTaskOp task) {
      if (!task.getIsDefault() && failed(rematerialize(task)))
        signalPassFailure();
    });
  }

  LogicalResult rematerialize(AsyncTaskOp task);
};
} // namespace

Value TaskBuilder::copy(Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return value;
  if (Value done = mapping.lookupOrNull(value))
    return done;
  Operation *op = value.getDefiningOp();
  if (!op || !isRecomputable(op)) {
    culprit = value;
    return {};
  }
  for (Value operand : op->getOperands()) {
    Value copied = copy(operand);
    if (!copied)
      return {};
    mapping.map(operand, copied);
  }
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

LogicalResult RematerializeCaptures::rematerialize(AsyncTaskOp task) {
  llvm::SetVector<Value> captures;
  getUsedValuesDefinedAbove(task.getBody(), captures);
  TaskBuilder builder(task);
  for (Value capture : captures) {
    if (!isa<RankedTensorType>(capture.getType()))
      continue;
    auto isInTask = [&](OpOperand &use) {
      return task->isProperAncestor(use.getOwner());
    };
    if (Value copy = builder.copy(capture)) {
      capture.replaceUsesWithIf(copy, isInTask);
      continue;
    }
    OpOperand &use = *llvm::find_if(capture.getUses(), isInTask);
    InFlightDiagnostic diag =
        mlir::emitError(use.getOwner()->getLoc())
        << "expects a task not to use an outer tensor, which lives in the "
           "registers of other warps, but got "
        << capture.getType()
        << "; compute it in the task or hand it over in a buffer";
    diag.attachNote(builder.culprit.getLoc()) << "computed here";
    return diag;
  }
  return success();
}
