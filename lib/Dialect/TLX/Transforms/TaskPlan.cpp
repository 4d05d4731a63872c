//===- TaskPlan.cpp - Warps and registers of tasks ------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Dialect/TLX/Transforms/TaskPlan.h"
#include "tlx/Dialect/TLX/Transforms/ErrorKind.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tlx;

static constexpr StringLiteral kMaxRegistersAttrName = "ttg.maxnreg";

/// Adds a note for each task of the plan, so that an error says who uses what.
static void noteUsers(InFlightDiagnostic &diag, const TaskPlan &plan,
                      function_ref<std::string(const PlannedTask &)> use) {
  for (PlannedTask worker : plan.workers)
    if (worker.task)
      diag.attachNote(worker.task.getLoc()) << use(worker);
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

/// Places the tasks where the user wants them; idle warps fill the gaps.
static LogicalResult placeByRequest(AsyncTasksOp op, TaskPlan &plan) {
  SmallVector<AsyncTaskOp> tasks = op.getWorkerTasks();
  llvm::stable_sort(tasks, [](AsyncTaskOp a, AsyncTaskOp b) {
    return *a.getFirstWarp() < *b.getFirstWarp();
  });
  int next = plan.defaultWarps;
  int previousSize = kMaxWarps;
  for (AsyncTaskOp task : tasks) {
    int first = *task.getFirstWarp(), size = *task.getNumWarps();
    if (size > previousSize || (first - next) % size != 0)
      return task.emitOpError("expects tasks with 'first_warp' to come from "
                              "the largest to the smallest, each a multiple of "
                              "its ")
             << size << " warps after the previous one, but got warp " << first
             << " after warp " << next - 1;
    for (; next < first; next += size)
      plan.workers.push_back({nullptr, size, next, 0});
    plan.workers.push_back({task, size, first, 0});
    next = first + size;
    previousSize = size;
  }
  return success();
}

/// Places the tasks from the largest to the smallest.
static void placeBySize(AsyncTasksOp op, TaskPlan &plan) {
  SmallVector<AsyncTaskOp> tasks = op.getWorkerTasks();
  llvm::stable_sort(tasks, [](AsyncTaskOp a, AsyncTaskOp b) {
    return *a.getNumWarps() > *b.getNumWarps();
  });
  int next = plan.defaultWarps;
  for (AsyncTaskOp task : tasks) {
    int size = *task.getNumWarps();
    plan.workers.push_back({task, size, next, 0});
    next += size;
  }
}

/// The default warps and those of the tasks of `op`, in whole groups of four.
static int getTotalWarps(AsyncTasksOp op, int defaultWarps) {
  int next = defaultWarps, end = defaultWarps;
  for (AsyncTaskOp task : op.getWorkerTasks()) {
    next = task.getFirstWarp().value_or(next) + *task.getNumWarps();
    end = std::max(end, next);
  }
  return defaultWarps + llvm::alignTo(end - defaultWarps, kWarpsPerGroup);
}

static LogicalResult placeTasks(AsyncTasksOp op, TaskPlan &plan) {
  bool byRequest = op.getWorkerTasks().front().getFirstWarp().has_value();
  if (!byRequest)
    placeBySize(op, plan);
  else if (failed(placeByRequest(op, plan)))
    return failure();
  plan.totalWarps = getTotalWarps(op, plan.defaultWarps);
  if (plan.totalWarps <= kMaxWarps)
    return success();
  InFlightDiagnostic diag =
      ofKind(kResourceError, op.emitOpError("expects at most "))
      << kMaxWarps * kThreadsPerWarp << " threads, but its tasks need "
      << plan.totalWarps * kThreadsPerWarp << " (" << plan.totalWarps
      << " warps, of which the default task has " << plan.defaultWarps << ")";
  noteUsers(diag, plan, [](const PlannedTask &worker) {
    return "this task has " + std::to_string(worker.numWarps) + " warps";
  });
  return diag;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Registers that a thread has before any are moved.
static int getInitialRegisters(AsyncTasksOp op, const TaskPlan &plan) {
  if (auto module = op->getParentOfType<ModuleOp>())
    if (auto attr = module->getAttrOfType<IntegerAttr>(kMaxRegistersAttrName))
      return attr.getInt();
  int share = kRegisterFile / (plan.launchedWarps * kThreadsPerWarp);
  return std::min<int>(llvm::alignDown(share, 8), kMaxRegisters);
}

/// The registers of all workers: each group of four warps takes what its
/// largest request says.
static int64_t getWorkerRegisters(const TaskPlan &plan) {
  SmallVector<int> groups((plan.totalWarps - plan.defaultWarps) /
                          kWarpsPerGroup);
  for (const PlannedTask &worker : plan.workers)
    for (int warp = 0; warp < worker.numWarps; ++warp) {
      int &group = groups[(worker.firstWarp - plan.defaultWarps + warp) /
                          kWarpsPerGroup];
      group = std::max(group, std::max(worker.numRegs, kMinRegisters));
    }
  int64_t registers = 0;
  for (int group : groups)
    registers += group * kWarpsPerGroup * kThreadsPerWarp;
  return registers;
}

static LogicalResult planRegisters(AsyncTasksOp op, TaskPlan &plan) {
  std::optional<int> defaultRegs = op.getDefaultTask().getNumRegs();
  bool workersAsk = op.getWorkerTasks().front().getNumRegs().has_value();
  if (!defaultRegs && !workersAsk)
    return success();
  if (plan.defaultWarps % kWarpsPerGroup != 0)
    return op.emitOpError("expects the kernel to have a multiple of 4 warps "
                          "when tasks ask for registers, but got ")
           << plan.defaultWarps;

  int defaultThreads = plan.defaultWarps * kThreadsPerWarp;
  int workerThreads = (plan.totalWarps - plan.defaultWarps) * kThreadsPerWarp;
  int idleThreads = (plan.launchedWarps - plan.totalWarps) * kThreadsPerWarp;
  int initial = getInitialRegisters(op, plan);
  int64_t pool = int64_t(initial) * plan.launchedWarps * kThreadsPerWarp;
  if (pool > kRegisterFile)
    return ofKind(kResourceError, op.emitOpError("expects at most "))
           << kRegisterFile << " registers at launch, but '"
           << kMaxRegistersAttrName << "' is " << initial << " for each of "
           << plan.launchedWarps * kThreadsPerWarp << " threads";
  int defaultMin = defaultRegs.value_or(kMinRegisters);
  // Workers that ask for nothing share what the default task leaves.
  int64_t reserved = int64_t(defaultMin) * defaultThreads +
                     int64_t(kMinRegisters) * idleThreads;
  int64_t left = pool - reserved;
  int share = std::clamp<int64_t>(
      llvm::alignDown(std::max<int64_t>(left, 0) / workerThreads, 8),
      kMinRegisters, kMaxRegisters);
  for (PlannedTask &worker : plan.workers)
    worker.numRegs = !workersAsk   ? share
                     : worker.task ? *worker.task.getNumRegs()
                                   : kMinRegisters;

  int64_t needed = getWorkerRegisters(plan) + reserved;
  if (needed <= pool)
    return success();
  InFlightDiagnostic diag =
      ofKind(kResourceError, op.emitOpError("expects at most "))
      << pool << " registers, but its tasks need " << needed << ", "
      << needed - pool << " too many";
  diag.attachNote(op.getDefaultTask().getLoc())
      << "the default task " << (defaultRegs ? "asks for " : "needs at least ")
      << defaultMin << " registers for each of its " << defaultThreads
      << " threads";
  if (idleThreads != 0)
    diag.attachNote(op.getLoc())
        << idleThreads << " threads that other tasks of the kernel need idle "
        << "here with " << kMinRegisters << " registers each";
  noteUsers(diag, plan, [](const PlannedTask &worker) {
    return "this task asks for " + std::to_string(worker.numRegs) +
           " registers for each of its " +
           std::to_string(worker.numWarps * kThreadsPerWarp) +
           " threads; tasks of the same four warps get the largest request";
  });
  return diag;
}

FailureOr<TaskPlan> tlx::planTasks(AsyncTasksOp op) {
  TaskPlan plan;
  std::optional<int> defaultWarps = maybeLookupNumWarps(op);
  if (!defaultWarps)
    return op.emitOpError("expects the module to have '")
           << kNumWarpsAttrName << "'";
  plan.defaultWarps = *defaultWarps;
  plan.totalWarps = plan.launchedWarps = plan.defaultWarps;
  if (op.getWorkerTasks().empty())
    return plan;
  if (failed(placeTasks(op, plan)))
    return failure();
  // The largest region of the module says how many warps are launched.
  plan.launchedWarps = plan.totalWarps;
  if (auto module = op->getParentOfType<ModuleOp>())
    module.walk([&](AsyncTasksOp other) {
      plan.launchedWarps =
          std::max(plan.launchedWarps, getTotalWarps(other, plan.defaultWarps));
    });
  if (failed(planRegisters(op, plan)))
    return failure();
  return plan;
}
