//===- TTDescriptorOps.cpp - Rules of descriptor ops ----------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TT/TT.h"

using namespace mlir;
using namespace mlir::tt;

static LogicalResult verifyRank(Operation *op, TensorDescType desc,
                                OperandRange indices) {
  if (static_cast<int64_t>(indices.size()) != desc.getRank())
    return op->emitOpError("expects one index for each of ")
           << desc.getRank() << " dimensions, but got " << indices.size();
  return success();
}

/// A block may drop leading dimensions of extent 1; signs do not matter.
static LogicalResult verifyBlock(Operation *op, TensorDescType desc,
                                 RankedTensorType tensor) {
  if (desc.getElementType().getIntOrFloatBitWidth() !=
          tensor.getElementType().getIntOrFloatBitWidth() ||
      desc.getBlockType().getNumElements() != tensor.getNumElements())
    return op->emitOpError("expects tensor to be a block of ")
           << desc << ", but got " << tensor;
  return success();
}

LogicalResult MakeTensorDescriptorOp::verify() {
  TensorDescType desc = getType();
  if (static_cast<int64_t>(getShape().size()) != desc.getRank())
    return emitOpError("expects one extent for each of ")
           << desc.getRank() << " dimensions, but got " << getShape().size();
  return success();
}

LogicalResult DescriptorLoadOp::verify() {
  if (failed(verifyRank(*this, getDesc().getType(), getIndices())))
    return failure();
  return verifyBlock(*this, getDesc().getType(), getType());
}

LogicalResult DescriptorStoreOp::verify() {
  if (failed(verifyRank(*this, getDesc().getType(), getIndices())))
    return failure();
  return verifyBlock(*this, getDesc().getType(), getSrc().getType());
}

LogicalResult DescriptorReduceOp::verify() {
  if (failed(verifyRank(*this, getDesc().getType(), getIndices())))
    return failure();
  return verifyBlock(*this, getDesc().getType(), getSrc().getType());
}

/// Rows of a descriptor with one row for each offset.
static LogicalResult verifyRows(Operation *op, TensorDescType desc,
                                RankedTensorType offsets,
                                RankedTensorType rows) {
  if (desc.getRank() != 2 || desc.getShape()[0] != 1)
    return op->emitOpError("expects a block of one row, but got ") << desc;
  if (offsets.getRank() != 1 || rows.getRank() != 2 ||
      rows.getDimSize(0) != offsets.getDimSize(0) ||
      rows.getDimSize(1) != desc.getShape()[1])
    return op->emitOpError("expects a row of ")
           << desc.getShape()[1] << " elements for each of the offsets "
           << offsets << ", but got " << rows;
  return success();
}

LogicalResult DescriptorGatherOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(),
                    getType());
}

LogicalResult DescriptorScatterOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(),
                    getSrc().getType());
}
