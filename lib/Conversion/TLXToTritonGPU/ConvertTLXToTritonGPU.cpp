//===- ConvertTLXToTritonGPU.cpp - From TLX to Triton's GPU dialects ------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

#include "tlx/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::tlx {
#define GEN_PASS_DEF_CONVERTTLXTOTRITONGPU
#include "tlx/Conversion/Passes.h.inc"
} // namespace mlir::tlx

using namespace mlir;
using namespace mlir::tlx;

namespace {
struct ConvertTLXToTritonGPU
    : tlx::impl::ConvertTLXToTritonGPUBase<ConvertTLXToTritonGPU> {
  void runOnOperation() override;
};
} // namespace

/// Gives `value` the type that replaces its own.
static LogicalResult retype(Value value) {
  Type type = convertType(value.getType());
  if (!type)
    return mlir::emitError(value.getLoc())
           << "expects a buffer in shared memory with a layout, but got "
           << value.getType();
  value.setType(type);
  return success();
}

/// Gives the results and region arguments of an op of another dialect their new
/// types.
static LogicalResult retypeResultsAndArguments(Operation *op) {
  for (Value result : op->getResults())
    if (failed(retype(result)))
      return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Value argument : block.getArguments())
        if (failed(retype(argument)))
          return failure();
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return success();
  SmallVector<Type> results;
  for (Type type : function.getResultTypes())
    results.push_back(convertType(type));
  ArrayRef<Type> arguments = function.getArgumentTypes();
  SmallVector<Type> converted = llvm::map_to_vector(
      arguments, [](Type type) { return convertType(type); });
  if (llvm::is_contained(results, Type()) ||
      llvm::is_contained(converted, Type()))
    return op->emitOpError("expects its buffers to be in shared memory and to "
                           "have a layout");
  function.setType(function.cloneTypeWith(converted, results));
  return success();
}

/// Replaces an op of TLX.
static LogicalResult convert(Operation *op, RewriterBase &rewriter) {
  for (Type type : op->getResultTypes())
    if (!convertType(type))
      return op->emitOpError("expects a buffer in shared memory with a layout, "
                             "but got ")
             << type;
  rewriter.setInsertionPoint(op);
  if (isa<AsyncTasksOp, AsyncTaskOp>(op))
    return op->emitOpError("expects to be lowered before this pass");
  for (auto convertGroup : {convertMemoryOp, convertBarrierOp, convertCopyOp,
                            convertTMAOp, convertRegisterOp})
    if (std::optional<LogicalResult> result = convertGroup(op, rewriter))
      return *result;
  llvm_unreachable("op of no group");
}

/// Frees each allocation where its region ends, so that its bytes belong to
/// nobody else before.
static void freeAtEnd(ttg::LocalAllocOp alloc, DominanceInfo &dominance) {
  OpBuilder builder(alloc.getContext());
  for (Block &block : *alloc->getParentRegion()) {
    Operation *terminator = block.getTerminator();
    if (terminator->getNumSuccessors() != 0 ||
        !dominance.dominates(alloc.getResult(), terminator))
      continue;
    builder.setInsertionPoint(terminator);
    ttg::LocalDeallocOp::create(builder, alloc.getLoc(), alloc.getResult());
  }
}

void ConvertTLXToTritonGPU::runOnOperation() {
  ModuleOp module = getOperation();
  getOperation().walk([](BarrierArriveOp op) {
    if (op.getBarrier().getType().getIsWarpBarrier())
      op->setAttr(kPerThreadAttrName, UnitAttr::get(op.getContext()));
  });

  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  IRRewriter rewriter(&getContext());
  for (Operation *op : ops) {
    bool isTLX = isa_and_nonnull<TLXDialect>(op->getDialect());
    if (failed(isTLX ? convert(op, rewriter) : retypeResultsAndArguments(op)))
      return signalPassFailure();
  }

  DominanceInfo dominance(module);
  module.walk([&](ttg::LocalAllocOp alloc) { freeAtEnd(alloc, dominance); });
}
