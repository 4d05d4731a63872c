//===- TLXBarrierOps.cpp - Barriers and fences ----------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Verifiers.h"

using namespace mlir;
using namespace mlir::tlx;

static constexpr int64_t kNumNamedBarriers = 16;
static constexpr int64_t kMaxThreads = 1024;
static constexpr int64_t kWarpSize = 32;

LogicalResult AllocBarriersOp::verify() {
  if (getType().isArray()) // alloc_barriers_c1
    return success();
  return emitOpError("expects the result to be an array, but got ")
         << getType();
}

LogicalResult BarrierViewOp::inferReturnTypes(MLIRContext *,
                                              std::optional<Location>,
                                              Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  auto source = dyn_cast<BarrierType>(adaptor.getSource().getType());
  if (!source)
    return failure();
  types.push_back(source.getSlotType());
  return success();
}

/// The verifier gives the reason.
bool BarrierViewOp::isCompatibleReturnTypes(TypeRange, TypeRange) {
  return true;
}

LogicalResult BarrierViewOp::verify() {
  if (!getSource().getType().isArray()) // barrier_view_c1
    return emitOpError("expects 'source' to be an array, but got ")
           << getSource().getType();
  // barrier_view_c2
  if (failed(verifyIndex(*this, getIndex(), getSource().getType().getNum())))
    return failure();
  BarrierType expected = getSource().getType().getSlotType();
  if (getType() == expected) // barrier_view_c3
    return success();
  return emitOpError("expects the result to be ")
         << expected << ", but got " << getType();
}

LogicalResult BarrierExpectBytesOp::verify() {
  if (failed(verifyOneBarrier(*this, getBarrier().getType()))) // c1
    return failure();
  int32_t size = getSize();
  if (size >= 0 && size <= BarrierType::kMaxCount) // barrier_expect_bytes_c2
    return success();
  return emitOpError("expects 'size' to be in [0, ")
         << BarrierType::kMaxCount << "] bytes, but got " << size;
}

LogicalResult BarrierExpectBytesOp::canonicalize(BarrierExpectBytesOp op,
                                                 PatternRewriter &rewriter) {
  return simplifyPredicate(op, rewriter);
}

LogicalResult BarrierWaitOp::verify() {
  if (failed(verifyOneBarrier(*this, getBarrier().getType()))) // c1
    return failure();
  std::optional<int64_t> phase = getConstant(getPhase());
  if (!phase || *phase == 0 || *phase == 1) // barrier_wait_c2
    return success();
  return emitOpError("expects 'phase' to be 0 or 1, but got ") << *phase;
}

LogicalResult BarrierWaitOp::canonicalize(BarrierWaitOp op,
                                          PatternRewriter &rewriter) {
  return simplifyPredicate(op, rewriter);
}

LogicalResult BarrierArriveOp::verify() {
  BarrierType type = getBarrier().getType();
  if (failed(verifyOneBarrier(*this, type))) // barrier_arrive_c1
    return failure();
  int32_t count = getCount();
  if (type.getIsWarpBarrier()) { // barrier_arrive_c3
    if (count == 1)
      return success();
    return emitOpError("expects 'count' to be 1 on a warp barrier, where every "
                       "thread arrives, but got ")
           << count;
  }
  if (count >= 1 && count <= type.getArriveCount()) // barrier_arrive_c2
    return success();
  return emitOpError("expects 'count' to be in [1, ")
         << type.getArriveCount()
         << "], the arrivals of a phase of this barrier, but got " << count;
}

LogicalResult BarrierArriveOp::canonicalize(BarrierArriveOp op,
                                            PatternRewriter &rewriter) {
  return simplifyPredicate(op, rewriter);
}

template <typename OpTy>
static LogicalResult verifyNamedBarrier(OpTy op) {
  std::optional<int64_t> id = getConstant(op.getBarrierId());
  if (id && (*id < 0 || *id >= kNumNamedBarriers)) // named_barrier_c1
    return op.emitOpError("expects 'barrier_id' to be in [0, ")
           << kNumNamedBarriers - 1 << "], but got " << *id;
  std::optional<int64_t> threads = getConstant(op.getNumThreads());
  if (threads && (*threads < kWarpSize || *threads > kMaxThreads ||
                  *threads % kWarpSize != 0)) // named_barrier_c2
    return op.emitOpError("expects 'num_threads' to be a multiple of 32 in "
                          "[32, 1024], but got ")
           << *threads;
  return success();
}

LogicalResult NamedBarrierWaitOp::verify() { return verifyNamedBarrier(*this); }

LogicalResult NamedBarrierArriveOp::verify() {
  return verifyNamedBarrier(*this);
}
