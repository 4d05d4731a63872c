//===- TLXTMAOps.cpp - Tensor memory accelerator --------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Verifiers.h"

using namespace mlir;
using namespace mlir::tlx;

static constexpr int64_t kMaxRank = 5;
static constexpr int64_t kMinRowBytes = 16;

/// Checks the descriptor and its indices.
static LogicalResult verifyCoordinates(Operation *op, tt::TensorDescType desc,
                                       ValueRange coord) {
  int64_t rank = desc.getRank();
  if (rank < 1 || rank > kMaxRank)
    return op->emitOpError() << "expects a descriptor of rank 1 to " << kMaxRank
                             << ", but got " << rank;
  if (static_cast<int64_t>(coord.size()) != rank)
    return op->emitOpError() << "expects one index for each of the " << rank
                             << " dimensions, but got " << coord.size();
  return success();
}

/// Descriptors say how integers are signed, buffers do not.
static Type dropSign(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return IntegerType::get(type.getContext(), integer.getWidth());
  return type;
}

/// Checks that a row of a block is not too short.
static LogicalResult verifyRow(Operation *op, RankedTensorType block) {
  int64_t rowBytes = block.getShape().back() *
                     block.getElementType().getIntOrFloatBitWidth() / 8;
  if (rowBytes < kMinRowBytes)
    return op->emitOpError() << "expects a row of the block to have at least "
                             << kMinRowBytes << " bytes, but got " << rowBytes;
  return success();
}

/// Checks that a buffer holds one block of the descriptor.
static LogicalResult verifyBlock(Operation *op, StringRef name,
                                 tt::TensorDescType desc, BufferType buffer) {
  if (failed(verifyOneSmemBuffer(op, name, buffer)))
    return failure();
  RankedTensorType block = desc.getBlockType();
  if (block.getShape() != buffer.getShape() ||
      dropSign(block.getElementType()) != dropSign(buffer.getElementType()))
    return op->emitOpError()
           << "expects '" << name
           << "' to have the shape and element type of the block, but got "
           << buffer << " and " << desc;
  return verifyRow(op, block);
}

LogicalResult AsyncDescriptorLoadOp::verify() {
  if (failed(verifyCoordinates(*this, getDesc().getType(), getCoord())) || // c1
      failed(verifyBlock(*this, "result", getDesc().getType(),
                         getResult().getType()))) // c2, c4
    return failure();
  return verifyOneBarrier(*this, getBarrier().getType()); // c3
}

LogicalResult AsyncDescriptorLoadOp::canonicalize(AsyncDescriptorLoadOp op,
                                                  PatternRewriter &rewriter) {
  return simplifyPredicate(op, rewriter);
}

LogicalResult AsyncDescriptorStoreOp::verify() {
  if (failed(verifyCoordinates(*this, getDesc().getType(), getCoord()))) // c1
    return failure();
  return verifyBlock(*this, "source", getDesc().getType(),
                     getSource().getType()); // c2, c3
}

LogicalResult AsyncDescriptorPrefetchOp::verify() {
  return verifyCoordinates(*this, getDesc().getType(), getCoord()); // c1
}

LogicalResult
AsyncDescriptorPrefetchOp::canonicalize(AsyncDescriptorPrefetchOp op,
                                        PatternRewriter &rewriter) {
  return simplifyPredicate(op, rewriter);
}

LogicalResult MakeTensorDescriptorOp::verify() {
  RankedTensorType block = getResult().getType().getBlockType();
  if (failed(verifyPointsTo(*this, "desc_ptr", getDescPtr().getType(),
                            IntegerType::get(getContext(), 8))) ||
      failed(verifyPointsTo(*this, "base", getBase().getType(),
                            dropSign(block.getElementType())))) // c1
    return failure();
  int64_t rank = block.getRank();
  if (rank < 1 || rank > kMaxRank) // c2
    return emitOpError("expects a block of rank 1 to ")
           << kMaxRank << ", but got " << rank;
  if (static_cast<int64_t>(getShape().size()) != rank ||
      static_cast<int64_t>(getStrides().size()) != rank - 1)
    return emitOpError("expects ")
           << rank << " extents and " << rank - 1 << " strides, but got "
           << getShape().size() << " and " << getStrides().size();
  return verifyRow(*this, block); // c3
}

LogicalResult ReinterpretTensorDescriptorOp::verify() {
  return verifyPointsTo(*this, "desc_ptr", getDescPtr().getType(),
                        IntegerType::get(getContext(), 8)); // c1
}
