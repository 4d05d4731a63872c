//===- TLXTaskOps.cpp - Tasks on disjoint warps ---------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Dialect/TLX/IR/TLX.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tlx;

static constexpr int kMaxTaskWarps = 16;

//===----------------------------------------------------------------------===//
// AsyncTasksOp
//===----------------------------------------------------------------------===//

AsyncTaskOp AsyncTasksOp::getDefaultTask() {
  for (auto task : getBody().getOps<AsyncTaskOp>())
    if (task.getIsDefault())
      return task;
  return nullptr;
}

SmallVector<AsyncTaskOp> AsyncTasksOp::getWorkerTasks() {
  SmallVector<AsyncTaskOp> tasks;
  for (auto task : getBody().getOps<AsyncTaskOp>())
    if (!task.getIsDefault())
      tasks.push_back(task);
  return tasks;
}

/// Checks that all of `tasks` have an attribute, or none.
static LogicalResult verifyAllOrNone(ArrayRef<AsyncTaskOp> tasks,
                                     StringRef name) {
  auto has = [&](AsyncTaskOp task) { return task->hasAttr(name); };
  if (llvm::all_of(tasks, has) || llvm::none_of(tasks, has))
    return success();
  AsyncTaskOp without =
      *llvm::find_if(tasks, [&](AsyncTaskOp task) { return !has(task); });
  AsyncTaskOp with = *llvm::find_if(tasks, has);
  InFlightDiagnostic diag = without.emitOpError()
                            << "expects '" << name
                            << "' because another task has it; set it on all "
                               "tasks but the default, or on none";
  diag.attachNote(with.getLoc()) << "this task has it";
  return diag;
}

/// Checks that no two tasks share a warp.
static LogicalResult verifyDisjointWarps(AsyncTasksOp op,
                                         ArrayRef<AsyncTaskOp> tasks) {
  int defaultWarps = maybeLookupNumWarps(op).value_or(0);
  for (auto [i, taskRef] : llvm::enumerate(tasks)) {
    AsyncTaskOp task = taskRef;
    if (!task.getFirstWarp())
      continue;
    int first = *task.getFirstWarp(), last = first + *task.getNumWarps() - 1;
    if (first < defaultWarps)
      return task.emitOpError()
             << "expects 'first_warp' to be at least " << defaultWarps
             << ", the warps of the default task, but got " << first;
    for (AsyncTaskOp other : tasks.take_front(i)) {
      int otherFirst = *other.getFirstWarp();
      int otherLast = otherFirst + *other.getNumWarps() - 1;
      if (last < otherFirst || otherLast < first)
        continue;
      InFlightDiagnostic diag = task.emitOpError()
                                << "expects its warps " << first << " to "
                                << last << " to be its own";
      diag.attachNote(other.getLoc())
          << "this task has warps " << otherFirst << " to " << otherLast;
      return diag;
    }
  }
  return success();
}

LogicalResult AsyncTasksOp::verify() {
  // async_tasks_c3
  if (auto outer = (*this)->getParentOfType<AsyncTasksOp>()) {
    InFlightDiagnostic diag =
        emitOpError("expects not to be inside another 'tlx.async_tasks'");
    diag.attachNote(outer.getLoc()) << "see the outer op";
    return diag;
  }
  for (Operation &nested : getBody().getOps()) {
    if (isa<AsyncTaskOp>(nested))
      continue;
    InFlightDiagnostic diag = emitOpError("expects only 'tlx.async_task' ops "
                                          "in its body, but found '")
                              << nested.getName() << "'"; // async_tasks_c1
    diag.attachNote(nested.getLoc()) << "see this op";
    return diag;
  }
  return success();
}

LogicalResult AsyncTasksOp::verifyRegions() {
  AsyncTaskOp defaultTask;
  for (auto task : getBody().getOps<AsyncTaskOp>()) {
    if (!task.getIsDefault())
      continue;
    if (defaultTask) { // async_tasks_c2
      InFlightDiagnostic diag =
          task.emitOpError("expects to be the only default task");
      diag.attachNote(defaultTask.getLoc()) << "see the other default task";
      return diag;
    }
    defaultTask = task;
  }
  if (!defaultTask) // async_tasks_c2
    return emitOpError("expects one of its tasks to be the default task");

  SmallVector<AsyncTaskOp> tasks = getWorkerTasks();
  if (tasks.empty())
    return success();
  if (failed(verifyAllOrNone(tasks, "first_warp")) || // async_tasks_c4
      failed(verifyAllOrNone(tasks, "num_regs")))     // async_tasks_c6
    return failure();
  return verifyDisjointWarps(*this, tasks); // async_tasks_c5
}

//===----------------------------------------------------------------------===//
// AsyncTaskOp
//===----------------------------------------------------------------------===//

LogicalResult AsyncTaskOp::verify() {
  if (getIsDefault()) {
    if (getNumWarps()) // async_task_c1
      return emitOpError("expects no 'num_warps' on the default task, which "
                         "runs on the warps of the kernel");
    if (getFirstWarp()) // async_task_c4
      return emitOpError("expects no 'first_warp' on the default task, which "
                         "starts at warp 0");
  } else {
    std::optional<int32_t> numWarps = getNumWarps();
    if (!numWarps) // async_task_c1
      return emitOpError("expects 'num_warps' as it is not the default task");
    if (*numWarps < 1 || *numWarps > kMaxTaskWarps ||
        !llvm::isPowerOf2_32(*numWarps)) // async_task_c1
      return emitOpError("expects 'num_warps' to be 1, 2, 4, 8 or 16, but got ")
             << *numWarps;
  }
  if (std::optional<int32_t> numRegs = getNumRegs())
    if (*numRegs < 24 || *numRegs > 256 || *numRegs % 8 != 0) // async_task_c2
      return emitOpError("expects 'num_regs' to be a multiple of 8 in "
                         "[24, 256], but got ")
             << *numRegs;
  // async_task_c5
  for (Operation &nested : getBody().getOps())
    if (nested.hasTrait<OpTrait::ReturnLike>()) {
      InFlightDiagnostic diag =
          emitOpError("expects its body not to return from the function");
      diag.attachNote(nested.getLoc()) << "see this op";
      return diag;
    }
  return success();
}
