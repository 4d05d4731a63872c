//===- CheckResources.cpp - Does the kernel fit on the target? ------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Dialect/TLX/Transforms/ErrorKind.h"
#include "tlx/Dialect/TLX/Transforms/Passes.h"
#include "tlx/Dialect/TLX/Transforms/TaskPlan.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::tlx {
#define GEN_PASS_DEF_TLXCHECKRESOURCES
#include "tlx/Dialect/TLX/Transforms/Passes.h.inc"
} // namespace mlir::tlx

using namespace mlir;
using namespace mlir::tlx;

static constexpr StringLiteral kTargetAttrName = "ttg.target";
static constexpr int64_t kBarrierBytes = 8;

/// The compute capability in `ttg.target = "cuda:90"`, if any.
static std::optional<int> getCapability(ModuleOp module) {
  auto target = module->getAttrOfType<StringAttr>(kTargetAttrName);
  int capability;
  StringRef text = target ? target.getValue() : "";
  if (!text.consume_front("cuda:") || text.getAsInteger(10, capability))
    return std::nullopt;
  return capability;
}

namespace {
struct CheckResources : tlx::impl::TLXCheckResourcesBase<CheckResources> {
  void runOnOperation() override {
    std::optional<int> capability = getCapability(getOperation());
    getOperation().walk([&](Operation *op) {
      if (auto tasks = dyn_cast<AsyncTasksOp>(op))
        if (failed(planTasks(tasks)))
          signalPassFailure();
      if (capability && failed(checkFeature(op, *capability)))
        signalPassFailure();
    });
    if (failed(checkThreads()) || failed(checkExclusive()))
      signalPassFailure();
    if (!capability)
      return;
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (failed(checkSharedMemory(function, *capability)))
        signalPassFailure();
  }

  LogicalResult checkThreads();
  LogicalResult checkExclusive();
  LogicalResult checkFeature(Operation *op, int capability);
  LogicalResult checkSharedMemory(FunctionOpInterface function, int capability);
};
} // namespace

/// Checks the warps of the kernel itself; `planTasks` checks them with those of
/// the tasks.
LogicalResult CheckResources::checkThreads() {
  std::optional<int> numWarps = maybeLookupNumWarps(getOperation());
  if (!numWarps || *numWarps <= kMaxWarps)
    return success();
  auto functions = getOperation().getOps<FunctionOpInterface>();
  Location loc = functions.empty() ? getOperation().getLoc()
                                   : (*functions.begin())->getLoc();
  return ofKind(kResourceError, mlir::emitError(loc))
         << "expects at most " << kMaxWarps * kThreadsPerWarp
         << " threads, but the kernel has " << *numWarps * kThreadsPerWarp
         << " (" << *numWarps << " warps)";
}

/// Checks the promise of `exclusive`; functions are inlined before.
LogicalResult CheckResources::checkExclusive() {
  SmallVector<AsyncTasksOp> regions;
  getOperation().walk([&](AsyncTasksOp tasks) { regions.push_back(tasks); });
  if (regions.size() < 2 || llvm::none_of(regions, [](AsyncTasksOp tasks) {
        return tasks.getExclusive();
      }))
    return success();
  InFlightDiagnostic diag =
      regions[1].emitOpError("expects to be the only one of the kernel, as ")
      << (regions[1].getExclusive() ? "it is" : "another one is")
      << " exclusive, but got " << regions.size() << " of them";
  diag.attachNote(regions[0].getLoc()) << "the first one is here";
  return diag;
}

LogicalResult CheckResources::checkFeature(Operation *op, int capability) {
  if (isa<AsyncTasksOp, AllocBarriersOp, AsyncDescriptorLoadOp,
          AsyncDescriptorStoreOp, AsyncBulkLoadOp, AsyncBulkStoreOp,
          MakeTensorDescriptorOp, ReinterpretTensorDescriptorOp,
          PrefetchDescriptorOp>(op) &&
      capability < 90)
    return ofKind(kTargetError,
                  op->emitOpError("expects a target of at least sm_90, but got "
                                  "sm_"))
           << capability;
  if (isa<AsyncDotOp>(op) && capability != 90)
    return ofKind(kTargetError,
                  op->emitOpError("expects an accumulator in tensor memory "
                                  "except on sm_90, but the target is sm_"))
           << capability;
  auto alloc = dyn_cast<LocalAllocOp>(op);
  if (alloc && alloc.getType().getStorage() == Storage::tmem &&
      capability != 100 && capability != 103)
    return ofKind(kTargetError,
                  alloc.emitOpError("expects a target of sm_100 or sm_103 for "
                                    "tensor memory, but got sm_"))
           << capability;
  return success();
}

LogicalResult CheckResources::checkSharedMemory(FunctionOpInterface function,
                                                int capability) {
  SmallVector<std::pair<Operation *, int64_t>> users;
  int64_t total = 0;
  function.walk([&](Operation *op) {
    int64_t bytes = 0;
    if (auto alloc = dyn_cast<LocalAllocOp>(op)) {
      if (alloc.getType().getStorage() == Storage::smem)
        bytes = alloc.getType().getTotalBytes();
    } else if (auto barriers = dyn_cast<AllocBarriersOp>(op)) {
      bytes = barriers.getType().getNum() * kBarrierBytes;
    }
    if (bytes)
      users.push_back({op, bytes});
    total += bytes;
  });
  int64_t limit = getSharedMemoryLimit(capability);
  if (total <= limit)
    return success();

  llvm::stable_sort(
      users, [](const auto &a, const auto &b) { return a.second > b.second; });
  InFlightDiagnostic diag =
      ofKind(kResourceError, mlir::emitError(users.front().first->getLoc()))
      << "expects at most " << limit << " bytes of shared memory on sm_"
      << capability << ", but the kernel allocates " << total << ", "
      << total - limit << " too many";
  for (auto [op, bytes] : users)
    diag.attachNote(op->getLoc())
        << bytes << " bytes for " << op->getResult(0).getType();
  return diag;
}
