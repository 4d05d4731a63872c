//===- BarrierOps.cpp - mbarriers, named barriers and fences --------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tlx;

Value tlx::getPredicate(RewriterBase &rewriter, Location loc, Value pred) {
  return pred ? pred
              : arith::ConstantIntOp::create(rewriter, loc, 1, 1).getResult();
}

static LogicalResult convertAlloc(AllocBarriersOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  int64_t num = op.getType().getNum();
  Value barriers = ttg::LocalAllocOp::create(
      rewriter, loc, getBarrierMemDesc(op.getContext(), num), /*src=*/Value(),
      /*alignment=*/IntegerAttr());
  for (int64_t i = 0; i < num; ++i) {
    Value index = arith::ConstantIntOp::create(rewriter, loc, i, 32);
    ttng::InitBarrierOp::create(rewriter, loc,
                                indexMemDesc(rewriter, loc, barriers, index),
                                op.getType().getArriveCount());
  }
  rewriter.replaceOp(op, barriers);
  return success();
}

static LogicalResult convertArrive(BarrierArriveOp op, RewriterBase &rewriter) {
  if (!op->hasAttr(kPerThreadAttrName)) {
    rewriter.replaceOpWithNewOp<ttng::ArriveBarrierOp>(
        op, op.getBarrierMutable().get(), op.getCount(), op.getPred());
    return success();
  }
  Value address =
      getSharedAddress(rewriter, op.getLoc(), op.getBarrierMutable().get());
  if (op.getPred())
    emitPTX(rewriter, op.getLoc(),
            "@$1 mbarrier.arrive.shared::cta.b64 _, [$0];", "r,b",
            {address, op.getPred()});
  else
    emitPTX(rewriter, op.getLoc(), "mbarrier.arrive.shared::cta.b64 _, [$0];",
            "r", address);
  rewriter.eraseOp(op);
  return success();
}

/// Named barriers become intrinsics: those are convergent, and Triton does not
/// renumber them as it does with `nvvm.barrier`.
static LogicalResult convertNamedBarrier(Operation *op, StringRef intrinsic,
                                         RewriterBase &rewriter) {
  LLVM::CallIntrinsicOp::create(rewriter, op->getLoc(),
                                rewriter.getStringAttr(intrinsic),
                                op->getOperands());
  rewriter.eraseOp(op);
  return success();
}

static LogicalResult convertFence(FenceOp op, RewriterBase &rewriter) {
  switch (op.getScope()) {
  case FenceScope::async_shared:
    ttng::FenceAsyncSharedOp::create(rewriter, op.getLoc(), /*bCluster=*/false);
    break;
  case FenceScope::gpu:
    emitPTX(rewriter, op.getLoc(), "fence.acq_rel.gpu;", "", {});
    break;
  case FenceScope::sys:
    emitPTX(rewriter, op.getLoc(), "fence.acq_rel.sys;", "", {});
    break;
  }
  rewriter.eraseOp(op);
  return success();
}

std::optional<LogicalResult> tlx::convertBarrierOp(Operation *op,
                                                   RewriterBase &rewriter) {
  return TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](AllocBarriersOp op) { return convertAlloc(op, rewriter); })
      .Case([&](BarrierViewOp op) {
        rewriter.replaceOp(op, indexMemDesc(rewriter, op.getLoc(),
                                            op.getSourceMutable().get(),
                                            op.getIndex()));
        return success();
      })
      .Case([&](BarrierExpectBytesOp op) {
        Value pred = getPredicate(rewriter, op.getLoc(), op.getPred());
        rewriter.replaceOpWithNewOp<ttng::BarrierExpectOp>(
            op, op.getBarrierMutable().get(), op.getSize(), pred);
        return success();
      })
      .Case([&](BarrierWaitOp op) {
        rewriter.replaceOpWithNewOp<ttng::WaitBarrierOp>(
            op, op.getBarrierMutable().get(), op.getPhase(), op.getPred());
        return success();
      })
      .Case([&](BarrierArriveOp op) { return convertArrive(op, rewriter); })
      .Case([&](NamedBarrierWaitOp op) {
        return convertNamedBarrier(
            op, "llvm.nvvm.barrier.cta.sync.aligned.count", rewriter);
      })
      .Case([&](NamedBarrierArriveOp op) {
        return convertNamedBarrier(
            op, "llvm.nvvm.barrier.cta.arrive.aligned.count", rewriter);
      })
      .Case([&](FenceOp op) { return convertFence(op, rewriter); })
      .Default([](Operation *) { return std::nullopt; });
}
