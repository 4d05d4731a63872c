//===- TMAOps.cpp - Tensor memory accelerator -----------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

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

static ttg::NVMMASharedEncodingAttr getLayout(tt::TensorDescType desc) {
  return dyn_cast_or_null<ttg::NVMMASharedEncodingAttr>(desc.getSharedLayout());
}

/// The part of the block that one TMA message covers: up to 256 elements in
/// each dimension, and in a row as many as the swizzle is wide.
static SmallVector<int64_t> getBox(tt::TensorDescType desc) {
  SmallVector<int64_t> box(desc.getShape());
  for (int64_t &extent : box)
    extent = std::min<int64_t>(extent, 256);
  ttg::NVMMASharedEncodingAttr layout = getLayout(desc);
  if (layout && layout.getSwizzlingByteWidth() != 0)
    box.back() =
        std::min<int64_t>(box.back(), 8 * layout.getSwizzlingByteWidth() /
                                          layout.getElementBitWidth());
  return box;
}

/// Emits one prefetch for each message that a load of the block takes.
static LogicalResult convertPrefetch(AsyncDescriptorPrefetchOp op,
                                     RewriterBase &rewriter) {
  Location loc = op.getLoc();
  auto desc = cast<tt::TensorDescType>(op.getDesc().getType());
  int64_t rank = desc.getRank();
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
  SmallVector<int64_t> box = getBox(desc);
  for (const SmallVector<int64_t> &offsets :
       StaticTileOffsetRange(desc.getShape(), box)) {
    SmallVector<Value> operands{address};
    for (int64_t dim = rank - 1; dim >= 0; --dim) {
      Value coord = op.getCoord()[dim];
      if (int64_t offset = offsets[dim])
        coord = arith::AddIOp::create(
            rewriter, loc, coord,
            arith::ConstantIntOp::create(rewriter, loc, offset, 32));
      operands.push_back(coord);
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
