//===- CopyOps.cpp - cp.async and bulk copies -----------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tlx;

Attribute tlx::getCachePolicy(MLIRContext *context, tt::CacheModifier modifier,
                              tt::EvictionPolicy eviction) {
  if (modifier == tt::CacheModifier::None &&
      eviction == tt::EvictionPolicy::Normal)
    return {};
  return tt::CachePolicyAttr::get(context, modifier, eviction);
}

static LogicalResult convertLoad(AsyncLoadOp op, RewriterBase &rewriter) {
  Value other = op.getOther();
  // Triton wants a tensor.
  if (other && !isa<RankedTensorType>(other.getType())) {
    RankedTensorType src = op.getSrc().getType();
    other = tt::SplatOp::create(rewriter, op.getLoc(),
                                RankedTensorType::get(src.getShape(),
                                                      other.getType(),
                                                      src.getEncoding()),
                                other);
  }
  rewriter.replaceOpWithNewOp<ttg::AsyncCopyGlobalToLocalOp>(
      op, ttg::AsyncTokenType::get(op.getContext()), op.getSrc(),
      op.getResultMutable().get(), op.getMask(), other,
      getCachePolicy(op.getContext(), op.getCacheModifier(),
                     op.getEvictionPolicy()),
      /*cache=*/tt::CacheModifierAttr(), /*evict=*/tt::EvictionPolicyAttr(),
      op.getIsVolatile(), /*contiguity=*/1);
  return success();
}

/// Lets all threads of the task finish their accesses to shared memory before
/// one of them starts a copy of it, which Triton does not see in inline PTX.
static void syncTask(RewriterBase &rewriter, Location loc) {
  ttg::BarrierOp::create(rewriter, loc, ttg::AddrSpace::Local);
}

static LogicalResult convertBulkLoad(AsyncBulkLoadOp op,
                                     RewriterBase &rewriter) {
  Location loc = op.getLoc();
  Value src = getFirstElement(rewriter, op.getSrc());
  if (!src)
    return op.emitOpError("expects the first pointer of 'src' to follow from "
                          "elementwise ops, but got ")
           << op.getSrc();
  syncTask(rewriter, loc);
  Value pred = isFirstThread(rewriter, loc, op.getPred());
  emitPTX(
      rewriter, loc,
      "@$4 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[$0], [$1], $2, [$3];",
      "r,l,r,r,b",
      {getSharedAddress(rewriter, loc, op.getResultMutable().get()),
       getGlobalAddress(rewriter, loc, src), op.getSize(),
       getSharedAddress(rewriter, loc, op.getBarrierMutable().get()), pred});
  rewriter.eraseOp(op);
  return success();
}

static LogicalResult convertBulkStore(AsyncBulkStoreOp op,
                                      RewriterBase &rewriter) {
  Location loc = op.getLoc();
  Value dest = getFirstElement(rewriter, op.getDest());
  if (!dest)
    return op.emitOpError("expects the first pointer of 'dest' to follow from "
                          "elementwise ops, but got ")
           << op.getDest();
  syncTask(rewriter, loc);
  Value pred = isFirstThread(rewriter, loc, /*pred=*/{});
  emitPTX(rewriter, loc,
          "@$3 cp.async.bulk.global.shared::cta.bulk_group [$1], [$0], $2;\n"
          "@$3 cp.async.bulk.commit_group;",
          "r,l,r,b",
          {getSharedAddress(rewriter, loc, op.getSourceMutable().get()),
           getGlobalAddress(rewriter, loc, dest), op.getSize(), pred});
  rewriter.eraseOp(op);
  return success();
}

std::optional<LogicalResult> tlx::convertCopyOp(Operation *op,
                                                RewriterBase &rewriter) {
  Type token = ttg::AsyncTokenType::get(op->getContext());
  return TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](AsyncLoadOp op) { return convertLoad(op, rewriter); })
      .Case([&](AsyncLoadCommitGroupOp op) {
        rewriter.replaceOpWithNewOp<ttg::AsyncCommitGroupOp>(op, token,
                                                             op.getTokens());
        return success();
      })
      .Case([&](AsyncLoadWaitGroupOp op) {
        rewriter.replaceOpWithNewOp<ttg::AsyncWaitOp>(op, token, op.getTokens(),
                                                      op.getPendings());
        return success();
      })
      .Case([&](AsyncBulkLoadOp op) { return convertBulkLoad(op, rewriter); })
      .Case([&](AsyncBulkStoreOp op) { return convertBulkStore(op, rewriter); })
      .Default([](Operation *) { return std::nullopt; });
}
