//===- CheckDivergence.cpp - Work of a whole task that only some do -------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Analysis/ThreadDivergence.h"
#include "tlx/Dialect/TLX/Transforms/Passes.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::tlx {
#define GEN_PASS_DEF_TLXCHECKDIVERGENCE
#include "tlx/Dialect/TLX/Transforms/Passes.h.inc"
} // namespace mlir::tlx

using namespace mlir;
using namespace mlir::tlx;

static bool hasTensor(Operation *op) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

/// Whether each thread does `op` on its own elements only.
static bool isElementwise(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<tt::SplatOp, tt::UnsplatOp, tt::MakeRangeOp, tt::BroadcastOp,
             tt::ExpandDimsOp, tt::ElementwiseInlineAsmOp,
             tt::ExternElementwiseOp, tt::MapElementwiseOp, tt::PrintOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>();
}

namespace {
struct CheckDivergence : tlx::impl::TLXCheckDivergenceBase<CheckDivergence> {
  void runOnOperation() override {
    ThreadDivergence divergence(getOperation());
    if (divergence.isUniform())
      return;
    findTaskWideFunctions();
    // One error is enough: the rest of the branch has the same fault.
    WalkResult result = getOperation().walk(
        [&](Operation *op) -> WalkResult { return check(op, divergence); });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  void findTaskWideFunctions();
  bool isTaskWide(Operation *op) const;
  LogicalResult check(Operation *op, const ThreadDivergence &divergence);

  /// Names of the functions that do something for the whole task.
  llvm::StringSet<> taskWideFunctions;
};
} // namespace

/// Whether all threads of the task have to do `op` together.
bool CheckDivergence::isTaskWide(Operation *op) const {
  // Region ops are what is in them; barriers of whole warps and votes have
  // their own rules.
  if (isa<RegionBranchOpInterface, RegionBranchTerminatorOpInterface,
          NamedBarrierWaitOp, NamedBarrierArriveOp, VoteBallotOp, Clock64Op,
          FenceOp>(op))
    return false;
  if (isa<AsyncTasksOp, ttg::BarrierOp, tt::ReduceOp, tt::ScanOp>(op))
    return true;
  if (auto call = dyn_cast<tt::CallOp>(op))
    return taskWideFunctions.contains(call.getCallee());
  // Each thread arrives for itself on a barrier that counts threads.
  if (auto arrive = dyn_cast<BarrierArriveOp>(op))
    return !arrive.getBarrier().getType().getIsWarpBarrier();
  if (isa<TLXDialect>(op->getDialect()))
    return !isMemoryEffectFree(op);
  // The first thread does an atomic of a scalar, and hands the others the
  // result.
  if (isa<tt::AtomicRmwOp, tt::AtomicCasOp>(op))
    return hasTensor(op) || !op->use_empty();
  // Which thread holds which element is not the user's to know.
  if (hasTensor(op))
    return !isElementwise(op) && !op->hasTrait<OpTrait::IsTerminator>();
  return isa<tt::MakeTensorDescriptorOp>(op);
}

void CheckDivergence::findTaskWideFunctions() {
  // A call is task-wide if its callee is, so look until nothing changes.
  for (size_t known = 0;; known = taskWideFunctions.size()) {
    getOperation().walk([&](tt::FuncOp function) {
      function.walk([&](Operation *op) {
        if (isTaskWide(op))
          taskWideFunctions.insert(function.getSymName());
      });
    });
    if (taskWideFunctions.size() == known)
      return;
  }
}

LogicalResult CheckDivergence::check(Operation *op,
                                     const ThreadDivergence &divergence) {
  if (!isTaskWide(op))
    return success();
  Operation *branch = divergence.getDivergentBranch(op);
  if (!branch)
    return success();
  InFlightDiagnostic diag =
      op->emitOpError("expects all threads of its task to reach it, but it is "
                      "under a condition that differs by thread");
  diag.attachNote(branch->getLoc()) << "the condition is tested here";
  if (Operation *origin = divergence.getOrigin(branch))
    diag.attachNote(origin->getLoc())
        << "it differs by thread as it follows from this";
  return diag;
}
