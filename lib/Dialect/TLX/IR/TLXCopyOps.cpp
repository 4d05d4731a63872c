//===- TLXCopyOps.cpp - Copies without descriptor -------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Verifiers.h"

#include "tlx/Target/Limits.h"

using namespace mlir;
using namespace mlir::tlx;

LogicalResult AsyncLoadOp::verify() {
  BufferType result = getResult().getType();
  RankedTensorType src = getSrc().getType();
  if (failed(verifyOneSmemBuffer(*this, "result", result))) // async_load_c1
    return failure();
  // async_load_c2
  if (src.getShape() != result.getShape())
    return emitOpError("expects 'src' to have the shape of the buffer ")
           << result << ", but got " << src;
  if (failed(verifyPointsTo(*this, "src", src, result.getElementType())))
    return failure();
  if (TypedValue<RankedTensorType> mask = getMask()) // async_load_c3
    if (mask.getType().getShape() != src.getShape() ||
        !mask.getType().getElementType().isInteger(1))
      return emitOpError("expects 'mask' to be an i1 tensor of the shape of "
                         "'src', but got ")
             << mask.getType();
  if (Value other = getOther()) { // async_load_c4
    if (!getMask())
      return emitOpError("expects 'other' to come with a 'mask'");
    if (getElementTypeOrSelf(other) != result.getElementType())
      return emitOpError("expects 'other' to be of element type ")
             << result.getElementType() << ", but got " << other.getType();
  }
  return success();
}

/// Checks the byte count of a bulk copy.
static LogicalResult verifyBulkSize(Operation *op, Value size,
                                    BufferType buffer) {
  std::optional<int64_t> constant = getConstant(size);
  if (!constant ||
      (*constant >= kBulkCopyAlignment && *constant % kBulkCopyAlignment == 0 &&
       *constant <= buffer.getSlotBytes()))
    return success();
  return op->emitOpError() << "expects 'size' to be a multiple of "
                           << kBulkCopyAlignment << " in ["
                           << kBulkCopyAlignment << ", "
                           << buffer.getSlotBytes() << "] bytes, but got "
                           << *constant;
}

LogicalResult AsyncBulkLoadOp::verify() {
  BufferType result = getResult().getType();
  if (failed(verifyOneSmemBuffer(*this, "result", result)))
    return failure();
  if (result.getRank() != 1) // async_bulk_load_c1
    return emitOpError("expects 'result' to have one dimension, but got ")
           << result;
  if (failed(verifyPointsTo(*this, "src", getSrc().getType(),
                            result.getElementType())) ||       // c2
      failed(verifyOneBarrier(*this, getBarrier().getType()))) // c3
    return failure();
  return verifyBulkSize(*this, getSize(), result); // async_bulk_load_c4
}

LogicalResult AsyncBulkLoadOp::canonicalize(AsyncBulkLoadOp op,
                                            PatternRewriter &rewriter) {
  return simplifyPredicate(op, rewriter);
}

LogicalResult AsyncBulkStoreOp::verify() {
  BufferType source = getSource().getType();
  if (failed(verifyOneSmemBuffer(*this, "source", source)) || // c1
      failed(verifyPointsTo(*this, "dest", getDest().getType(),
                            source.getElementType()))) // c2
    return failure();
  return verifyBulkSize(*this, getSize(), source); // async_bulk_store_c3
}
