//===- CheckNamedBarriers.cpp - Uses of the hardware barriers -------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Dialect/TLX/Transforms/Passes.h"
#include "tlx/Dialect/TLX/Transforms/TaskPlan.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::tlx {
#define GEN_PASS_DEF_TLXCHECKNAMEDBARRIERS
#include "tlx/Dialect/TLX/Transforms/Passes.h.inc"
} // namespace mlir::tlx

using namespace mlir;
using namespace mlir::tlx;

/// Triton synchronises the default warps with barrier 0, hands out work with
/// barrier 1, and synchronises partition `i` with barrier `2 + i`.
static constexpr int64_t kFirstPartitionBarrier = 2;

namespace {
/// One use of a barrier, where both numbers are constants.
struct NamedBarrierUse {
  Operation *op;
  int64_t numThreads;
};

struct CheckNamedBarriers
    : tlx::impl::TLXCheckNamedBarriersBase<CheckNamedBarriers> {
  void runOnOperation() override;
};
} // namespace

/// The barriers that Triton uses in `function`.
static FailureOr<llvm::SmallDenseSet<int64_t>>
getReservedBarriers(Operation *function) {
  llvm::SmallDenseSet<int64_t> reserved{0};
  WalkResult result = function->walk([&](AsyncTasksOp op) {
    FailureOr<TaskPlan> plan = planTasks(op);
    if (failed(plan))
      return WalkResult::interrupt();
    if (plan->workers.empty())
      return WalkResult::advance();
    reserved.insert(1);
    // A single warp needs no barrier.
    for (auto [i, worker] : llvm::enumerate(plan->workers))
      if (worker.numWarps > 1)
        reserved.insert(kFirstPartitionBarrier + i);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return reserved;
}

static LogicalResult checkReserved(Operation *op, int64_t id,
                                   const llvm::SmallDenseSet<int64_t> &used) {
  if (!used.contains(id))
    return success();
  int64_t lowest = id;
  while (used.contains(lowest))
    ++lowest;
  return op->emitOpError("expects 'barrier_id' to be one that Triton does not "
                         "use in this kernel, such as ")
         << lowest << ", but got " << id;
}

/// Checks all uses of one barrier.
static LogicalResult checkThreads(int64_t id, ArrayRef<NamedBarrierUse> uses) {
  const NamedBarrierUse &first = uses.front();
  llvm::SmallPtrSet<Operation *, 4> tasks;
  int64_t available = 0;
  for (const NamedBarrierUse &use : uses) {
    if (use.numThreads != first.numThreads) {
      InFlightDiagnostic diag = use.op->emitOpError("expects all uses of "
                                                    "barrier ")
                                << id << " to name the same number of threads, "
                                << "but got " << use.numThreads << " and "
                                << first.numThreads;
      diag.attachNote(first.op->getLoc()) << "see the other use";
      return diag;
    }
    // The default task and the code around the tasks run on the same warps.
    auto task = use.op->getParentOfType<AsyncTaskOp>();
    Operation *group = task && !task.getIsDefault() ? task : nullptr;
    if (tasks.insert(group).second)
      available +=
          maybeLookupNumWarps(use.op).value_or(kMaxWarps) * kThreadsPerWarp;
  }
  if (first.numThreads <= available)
    return success();
  return first.op->emitOpError("expects 'num_threads' to be at most ")
         << available << ", the threads of all tasks that use barrier " << id
         << ", but got " << first.numThreads;
}

static LogicalResult checkFunction(Operation *function) {
  llvm::MapVector<int64_t, SmallVector<NamedBarrierUse>> uses;
  function->walk([&](Operation *op) {
    if (!isa<NamedBarrierWaitOp, NamedBarrierArriveOp>(op))
      return;
    APInt id, numThreads;
    if (matchPattern(op->getOperand(0), m_ConstantInt(&id)) &&
        matchPattern(op->getOperand(1), m_ConstantInt(&numThreads)))
      uses[id.getSExtValue()].push_back({op, numThreads.getSExtValue()});
  });
  if (uses.empty())
    return success();
  FailureOr<llvm::SmallDenseSet<int64_t>> reserved =
      getReservedBarriers(function);
  if (failed(reserved))
    return failure();
  for (const auto &[id, ops] : uses)
    if (failed(checkReserved(ops.front().op, id, *reserved)) ||
        failed(checkThreads(id, ops)))
      return failure();
  return success();
}

void CheckNamedBarriers::runOnOperation() {
  getOperation()->walk([&](FunctionOpInterface function) {
    if (failed(checkFunction(function)))
      signalPassFailure();
  });
}
