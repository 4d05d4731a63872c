//===- LowerTasks.cpp - Turn tasks into warp specialization ---------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Dialect/TLX/Transforms/Passes.h"
#include "tlx/Dialect/TLX/Transforms/TaskPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::tlx {
#define GEN_PASS_DEF_TLXLOWERTASKS
#include "tlx/Dialect/TLX/Transforms/Passes.h.inc"
} // namespace mlir::tlx

using namespace mlir;
using namespace mlir::tlx;

/// A capture costs a round trip through shared memory; at most this many ops
/// are computed twice to save one.
static constexpr unsigned kMaxRecomputedOps = 8;

namespace {
/// Recomputes cheap scalars in a task, so that they need not be captured.
class Rematerializer {
public:
  explicit Rematerializer(Region &region)
      : builder(OpBuilder::atBlockBegin(&region.front())) {}

  /// A copy of `value` at the start of the region, or null if it depends on
  /// more than constants and special registers.
  Value copy(Value value);

private:
  OpBuilder builder;
  IRMapping mapping;
};

struct LowerTasks : tlx::impl::TLXLowerTasksBase<LowerTasks> {
  void runOnOperation() override {
    SmallVector<AsyncTasksOp> ops;
    getOperation()->walk([&](AsyncTasksOp op) { ops.push_back(op); });
    // A plan looks at all tasks of the kernel, so make all plans first.
    SmallVector<TaskPlan> plans;
    for (AsyncTasksOp op : ops) {
      FailureOr<TaskPlan> plan = planTasks(op);
      if (failed(plan))
        return signalPassFailure();
      plans.push_back(std::move(*plan));
    }
    for (auto [op, plan] : llvm::zip(ops, plans))
      if (failed(lower(op, plan)))
        return signalPassFailure();
  }

  LogicalResult lower(AsyncTasksOp op, TaskPlan &plan);
};
} // namespace

/// Collects the ops that compute `value` from nothing but constants and
/// special registers, operands first. Fails if there are too many.
static LogicalResult collectSlice(Value value,
                                  llvm::SetVector<Operation *> &slice) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return failure();
  if (slice.contains(op))
    return success();
  if (isa<RankedTensorType>(value.getType()) || !isMemoryEffectFree(op) ||
      op->getNumRegions() != 0 || slice.size() == kMaxRecomputedOps)
    return failure();
  for (Value operand : op->getOperands())
    if (failed(collectSlice(operand, slice)))
      return failure();
  slice.insert(op);
  return success();
}

Value Rematerializer::copy(Value value) {
  if (Value done = mapping.lookupOrNull(value))
    return done;
  llvm::SetVector<Operation *> slice;
  if (failed(collectSlice(value, slice)))
    return {};
  for (Operation *op : slice)
    if (!mapping.contains(op->getResult(0)))
      builder.clone(*op, mapping);
  return mapping.lookup(value);
}

/// Checks that a task may take `capture` from outside.
static LogicalResult verifyCapture(Value capture, Region &body) {
  if (!isa<RankedTensorType>(capture.getType()))
    return success();
  for (OpOperand &use : capture.getUses()) {
    if (!body.isAncestor(use.getOwner()->getParentRegion()))
      continue;
    InFlightDiagnostic diag =
        mlir::emitError(use.getOwner()->getLoc())
        << "expects a task not to use an outer tensor, but got "
        << capture.getType();
    diag.attachNote(capture.getLoc()) << "computed here";
    return diag;
  }
  return success();
}

/// Moves the ops of a task to the end of `block`.
static void moveBody(AsyncTaskOp task, Block *block) {
  block->getOperations().splice(block->end(),
                                task.getBody().front().getOperations());
}

LogicalResult LowerTasks::lower(AsyncTasksOp op, TaskPlan &plan) {
  OpBuilder builder(op);
  AsyncTaskOp defaultTask = op.getDefaultTask();
  if (plan.workers.empty()) {
    op->getBlock()->getOperations().splice(
        op->getIterator(), defaultTask.getBody().front().getOperations());
    op.erase();
    return success();
  }

  // What the workers take from outside, in order of first use.
  llvm::SetVector<Value> captures;
  for (PlannedTask &worker : plan.workers) {
    if (!worker.task)
      continue;
    Region &body = worker.task->getRegion(0);
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(body, used);
    Rematerializer rematerializer(body);
    for (Value value : used) {
      if (failed(verifyCapture(value, body)))
        return failure();
      if (Value copy = rematerializer.copy(value))
        replaceAllUsesInRegionWith(value, copy, body);
      else
        captures.insert(value);
    }
  }

  SmallVector<int32_t> numWarps, firstWarps, registers;
  for (PlannedTask &worker : plan.workers) {
    numWarps.push_back(worker.numWarps);
    firstWarps.push_back(worker.firstWarp);
    registers.push_back(worker.numRegs);
  }
  Location loc = op.getLoc();
  auto specialize = ttg::WarpSpecializeOp::create(
      builder, loc, TypeRange(), builder.getDenseI32ArrayAttr(numWarps),
      builder.getDenseI32ArrayAttr(firstWarps),
      plan.movesRegisters() ? builder.getDenseI32ArrayAttr(registers)
                            : DenseI32ArrayAttr(),
      /*actualRegisters=*/DenseI32ArrayAttr());
  moveBody(defaultTask, builder.createBlock(&specialize.getDefaultRegion()));
  ttg::WarpYieldOp::create(builder, loc, ValueRange());

  builder.createBlock(&specialize.getPartitionOpHolder());
  auto partitions = ttg::WarpSpecializePartitionsOp::create(
      builder, loc, captures.getArrayRef(), plan.workers.size());
  SmallVector<Location> locations =
      llvm::map_to_vector(captures, [](Value value) { return value.getLoc(); });
  for (auto [worker, region] :
       llvm::zip(plan.workers, partitions.getPartitionRegions())) {
    Block *block = builder.createBlock(
        &region, region.end(), ValueRange(captures.getArrayRef()).getTypes(),
        locations);
    if (worker.task)
      moveBody(worker.task, block);
    ttg::WarpReturnOp::create(builder,
                              worker.task ? worker.task.getLoc() : loc);
    for (auto [capture, argument] : llvm::zip(captures, block->getArguments()))
      replaceAllUsesInRegionWith(capture, argument, region);
  }
  op.erase();
  return success();
}
