//===- TTNGOps.cpp - Rules of barrier and TMA ops -------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TTNG/TTNG.h"

#include "mlir/IR/Builders.h"
#include "triton_interop/TTNG/TTNGSyntax.h"

using namespace mlir;
using namespace mlir::ttng;
using ttg::MemDescType;

#define GET_OP_CLASSES
#include "triton_interop/TTNG/TTNGOps.cpp.inc"

void TTNGDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "triton_interop/TTNG/TTNGOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

LogicalResult ttng::verifyBarrier(Operation *op, MemDescType type) {
  if (type.getElementType().isInteger(64) && type.getRank() == 1 &&
      isa<ttg::SharedMemorySpaceAttr>(type.getMemorySpace()) &&
      type.getMutableMemory())
    return success();
  return op->emitOpError("expects barrier to be mutable i64 in shared memory, "
                         "one for each CTA, but got ")
         << type;
}

static LogicalResult verifyCount(Operation *op, int64_t count) {
  if (count > 0)
    return success();
  return op->emitOpError("expects 'count' to be positive, but got ") << count;
}

LogicalResult InitBarrierOp::verify() {
  if (failed(verifyBarrier(*this, getAlloc().getType())))
    return failure();
  return verifyCount(*this, static_cast<int32_t>(getCount()));
}

LogicalResult InvalBarrierOp::verify() {
  return verifyBarrier(*this, getAlloc().getType());
}

LogicalResult BarrierExpectOp::verify() {
  int64_t size = static_cast<int32_t>(getSize());
  if (size < 0)
    return emitOpError("expects 'size' not to be negative, but got ") << size;
  return verifyBarrier(*this, getAlloc().getType());
}

LogicalResult WaitBarrierOp::verify() {
  return verifyBarrier(*this, getAlloc().getType());
}

LogicalResult ArriveBarrierOp::verify() {
  if (failed(verifyBarrier(*this, getAlloc().getType())))
    return failure();
  return verifyCount(*this, static_cast<int32_t>(getCount()));
}

LogicalResult AsyncCopyMbarrierArriveOp::verify() {
  return verifyBarrier(*this, getBarrier().getType());
}

//===----------------------------------------------------------------------===//
// TMA
//===----------------------------------------------------------------------===//

/// One coordinate for each dimension of the block, and a tile with its
/// elements.
static LogicalResult verifyBlock(Operation *op, Type descType,
                                 OperandRange coord, MemDescType tile) {
  auto desc = dyn_cast<tt::TensorDescType>(descType);
  // The block of an im2col descriptor has another rank than its tensor.
  if (!desc)
    return success();
  if (static_cast<int64_t>(coord.size()) != desc.getRank())
    return op->emitOpError("expects one coordinate for each of ")
           << desc.getRank() << " dimensions, but got " << coord.size();
  if (desc.getBlockType().getNumElements() != tile.getNumElements() ||
      desc.getElementType().getIntOrFloatBitWidth() !=
          tile.getElementType().getIntOrFloatBitWidth())
    return op->emitOpError("expects tile to be a block of ")
           << desc << ", but got " << tile;
  return success();
}

LogicalResult AsyncTMACopyGlobalToLocalOp::verify() {
  if (failed(verifyBarrier(*this, getBarrier().getType())) ||
      failed(ttg::verifyMutable(*this, getResult().getType())))
    return failure();
  return verifyBlock(*this, getDesc().getType(), getCoord(),
                     getResult().getType());
}

LogicalResult AsyncTMACopyLocalToGlobalOp::verify() {
  return verifyBlock(*this, getDesc().getType(), getCoord(),
                     getSrc().getType());
}

LogicalResult AsyncTMAReduceOp::verify() {
  return verifyBlock(*this, getDesc().getType(), getCoord(),
                     getSrc().getType());
}

LogicalResult TensormapCreateOp::verify() {
  size_t rank = getBoxDim().size();
  if (getGlobalDim().size() != rank || getElementStride().size() != rank ||
      getGlobalStride().size() + 1 != rank)
    return emitOpError("expects box, extents and element strides of one rank "
                       "and one stride fewer, but got ")
           << rank << ", " << getGlobalDim().size() << ", "
           << getElementStride().size() << " and " << getGlobalStride().size();
  return success();
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

LogicalResult AsyncSharedStoreOp::verify() {
  if (failed(verifyBarrier(*this, getMbarrier().getType())) ||
      failed(ttg::verifyMutable(*this, getDst().getType())))
    return failure();
  return ttg::verifySameTile(*this, getDst().getType(),
                             cast<RankedTensorType>(getSrc().getType()));
}

LogicalResult CLCTryCancelOp::verify() {
  return verifyBarrier(*this, getMbarrier().getType());
}
