//===- TaskPlan.h - Warps and registers of tasks ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//
//
// Which warps run which task, and how many registers their threads get. Follows
// what Triton does with `ttg.warp_specialize`: partitions are placed from the
// largest to the smallest after the default warps, the last warpgroup is filled
// up, and the default warps get the registers that the others leave.
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_TRANSFORMS_TASKPLAN_H
#define TLX_DIALECT_TLX_TRANSFORMS_TASKPLAN_H

#include "tlx/Dialect/TLX/IR/TLX.h"
#include "tlx/Target/Limits.h"

namespace mlir::tlx {
/// One partition: a task, or warps that idle between two tasks.
struct PlannedTask {
  AsyncTaskOp task; ///< Null for idle warps.
  int numWarps;
  int firstWarp;
  int numRegs; ///< Registers of a thread; 0 if nobody asks for a number.
};

struct TaskPlan {
  /// In the order of their warps.
  SmallVector<PlannedTask> workers;
  int defaultWarps;
  /// Default warps and workers, in whole groups of four.
  int totalWarps;
  /// Warps of the kernel; more than `totalWarps` if another `tlx.async_tasks`
  /// of it has more.
  int launchedWarps;
  bool movesRegisters() const {
    return !workers.empty() && workers.front().numRegs != 0;
  }
};

/// Plans the tasks of `op`. Reports an error if warps or registers do not
/// suffice, with a note for each task.
FailureOr<TaskPlan> planTasks(AsyncTasksOp op);
} // namespace mlir::tlx

#endif // TLX_DIALECT_TLX_TRANSFORMS_TASKPLAN_H
