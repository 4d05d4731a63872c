//===- TMAOps.cpp - Tensor memory accelerator -----------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tlx;

static LogicalResult convertLoad(AsyncDescriptorLoadOp op,
                                 RewriterBase &rewriter) {
  Value pred = getPredicate(rewriter, op.getLoc(), op.getPred());
  auto load = ttng::AsyncTMACopyGlobalToLocalOp::create(
      rewriter, op.getLoc(), op.getDesc(), op.getCoord(),
      op.getBarrierMutable().get(), op.getResultMutable().get(), pred);
  if (Attribute policy = getCachePolicy(op.getContext(), op.getCacheModifier(),
                                        op.getEvictionPolicy()))
    load.setCachePolicyAttr(policy);
  rewriter.eraseOp(op);
  return success();
}

static LogicalResult convertStore(AsyncDescriptorStoreOp op,
                                  RewriterBase &rewriter) {
  if (std::optional<tt::DescriptorReduceKind> kind = op.getReduce())
    rewriter.replaceOpWithNewOp<ttng::AsyncTMAReduceOp>(
        op, *kind, op.getDesc(), op.getCoord(), op.getSourceMutable().get());
  else
    rewriter.replaceOpWithNewOp<ttng::AsyncTMACopyLocalToGlobalOp>(
        op, op.getDesc(), op.getCoord(), op.getSourceMutable().get(),
        getCachePolicy(op.getContext(), tt::CacheModifier::None,
                       op.getEvictionPolicy()));
  return success();
}

/// The columns that one TMA message covers: a row of a swizzled block is as
/// wide as the swizzle.
static int64_t getColumnsPerMessage(tt::TensorDescType desc) {
  int64_t columns = desc.getShape().back();
  auto layout =
      dyn_cast_or_null<ttg::NVMMASharedEncodingAttr>(desc.getSharedLayout());
  if (!layout || layout.getSwizzlingByteWidth() == 0)
    return columns;
  return std::min<int64_t>(columns, 8 * layout.getSwizzlingByteWidth() /
                                        layout.getElementBitWidth());
}

/// Emits one prefetch for each message that a load of the block takes.
static LogicalResult convertPrefetch(AsyncDescriptorPrefetchOp op,
                                     RewriterBase &rewriter) {
  Location loc = op.getLoc();
  auto desc = cast<tt::TensorDescType>(op.getDesc().getType());
  int64_t rank = desc.getRank(), columns = getColumnsPerMessage(desc);
  std::string ptx = "@$" + std::to_string(rank + 1) +
                    " cp.async.bulk.prefetch.tensor." + std::to_string(rank) +
                    "d.L2.global [$0, {";
  std::string constraints = "l";
  // PTX counts dimensions from the innermost one.
  for (int64_t i = 0; i < rank; ++i) {
    ptx += (i ? ", $" : "$") + std::to_string(i + 1);
    constraints += ",r";
  }
  ptx += "}];";
  constraints += ",b";
  Value address = getDescriptorAddress(rewriter, loc, op.getDesc());
  Value pred = isFirstThread(rewriter, loc, op.getPred());
  for (int64_t column = 0; column < desc.getShape().back(); column += columns) {
    SmallVector<Value> operands{address};
    llvm::append_range(operands, llvm::reverse(op.getCoord()));
    if (column != 0) {
      Value offset = arith::ConstantIntOp::create(rewriter, loc, column, 32);
      operands[1] = arith::AddIOp::create(rewriter, loc, operands[1], offset);
    }
    operands.push_back(pred);
    emitPTX(rewriter, loc, ptx, constraints, operands);
  }
  rewriter.eraseOp(op);
  return success();
}

std::optional<LogicalResult> tlx::convertTMAOp(Operation *op,
                                               RewriterBase &rewriter) {
  return TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](AsyncDescriptorLoadOp op) { return convertLoad(op, rewriter); })
      .Case(
          [&](AsyncDescriptorStoreOp op) { return convertStore(op, rewriter); })
      .Case([&](AsyncDescriptorStoreWaitOp op) {
        // The buffer may be written again once the copies have read it.
        rewriter.replaceOpWithNewOp<ttng::AsyncTMAStoreWaitOp>(
            op, op.getPendings(), /*read_only=*/true);
        return success();
      })
      .Case([&](AsyncDescriptorPrefetchOp op) {
        return convertPrefetch(op, rewriter);
      })
      .Default([](Operation *) { return std::nullopt; });
}
