//===- RegisterOps.cpp - Matrix products, layouts, special registers ------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tlx;

static LogicalResult convertDotWait(AsyncDotWaitOp op, RewriterBase &rewriter) {
  if (op.getInputs().empty()) {
    // Triton's op wants a value that depends on the wait.
    NVVM::WgmmaWaitGroupSyncOp::create(rewriter, op.getLoc(), op.getPendings());
    rewriter.eraseOp(op);
    return success();
  }
  rewriter.replaceOpWithNewOp<ttng::WarpGroupDotWaitOp>(
      op, op.getResultTypes(), op.getInputs(), op.getPendings(),
      /*warpGroupLocal=*/false);
  return success();
}

static LogicalResult convertThreadId(ThreadIdOp op, RewriterBase &rewriter) {
  Type i32 = rewriter.getI32Type();
  switch (op.getAxis()) {
  case Axis::x:
    rewriter.replaceOpWithNewOp<NVVM::ThreadIdXOp>(op, i32, nullptr);
    break;
  case Axis::y:
    rewriter.replaceOpWithNewOp<NVVM::ThreadIdYOp>(op, i32, nullptr);
    break;
  case Axis::z:
    rewriter.replaceOpWithNewOp<NVVM::ThreadIdZOp>(op, i32, nullptr);
    break;
  }
  return success();
}

/// Replaces a change of layout by a conversion, or by nothing.
static LogicalResult convertLayout(Operation *op, RewriterBase &rewriter) {
  Value source = op->getOperand(0);
  Type type = op->getResult(0).getType();
  if (source.getType() == type)
    rewriter.replaceOp(op, source);
  else
    rewriter.replaceOpWithNewOp<ttg::ConvertLayoutOp>(op, type, source);
  return success();
}

std::optional<LogicalResult> tlx::convertRegisterOp(Operation *op,
                                                    RewriterBase &rewriter) {
  return TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](AsyncDotOp op) {
        rewriter.replaceOpWithNewOp<ttng::WarpGroupDotOp>(
            op, op.getType(), op.getA(), op.getBMutable().get(), op.getC(),
            op.getUseAcc(), op.getInputPrecision(), op.getMaxNumImpreciseAcc(),
            /*isAsync=*/true);
        return success();
      })
      .Case([&](AsyncDotWaitOp op) { return convertDotWait(op, rewriter); })
      .Case([&](ThreadIdOp op) { return convertThreadId(op, rewriter); })
      .Case([&](Clock64Op op) {
        rewriter.replaceOp(op, emitPTX(rewriter, op.getLoc(),
                                       "mov.u64 $0, %clock64;", "=l", {},
                                       rewriter.getI64Type()));
        return success();
      })
      .Case<RequireLayoutOp, ReleaseLayoutOp>(
          [&](Operation *op) { return convertLayout(op, rewriter); })
      .Default([](Operation *) { return std::nullopt; });
}
