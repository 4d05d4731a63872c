//===- MatrixOps.cpp - Rules of wgmma and tcgen05 ops ---------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TTNG/TTNG.h"

using namespace mlir;
using namespace mlir::ttng;
using ttg::MemDescType;

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

/// Shapes m x k, k x n and m x n.
static LogicalResult verifyShapes(Operation *op, ShapedType a, ShapedType b,
                                  ShapedType c) {
  if (a.getRank() == 2 && b.getRank() == 2 && c.getRank() == 2 &&
      a.getDimSize(1) == b.getDimSize(0) &&
      a.getDimSize(0) == c.getDimSize(0) && b.getDimSize(1) == c.getDimSize(1))
    return success();
  return op->emitOpError("expects shapes m x k, k x n and m x n, but got ")
         << a << ", " << b << ", " << c;
}

LogicalResult WarpGroupDotOp::verify() {
  auto c = cast<RankedTensorType>(getC().getType());
  if (Attribute layout = c.getEncoding()) {
    auto mma = dyn_cast<ttg::NvidiaMmaEncodingAttr>(layout);
    if (!mma || mma.getVersionMajor() != 3)
      return emitOpError("expects accumulator to have a version 3 MMA layout, "
                         "but got ")
             << layout;
  }
  return verifyShapes(*this, cast<ShapedType>(getA().getType()),
                      getB().getType(), c);
}

LogicalResult
WarpGroupDotWaitOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                     Adaptor adaptor,
                                     SmallVectorImpl<Type> &types) {
  llvm::append_range(types, adaptor.getInputs().getTypes());
  return success();
}

LogicalResult PackedArithOp::verify() {
  size_t expected = getOpKind() == PackedArithOpKind::Fma ? 3 : 2;
  if (getOperands().size() != expected)
    return emitOpError("expects ")
           << expected << " operands for " << stringifyEnum(getOpKind())
           << ", but got " << getOperands().size();
  return success();
}

//===----------------------------------------------------------------------===//
// Tensor memory
//===----------------------------------------------------------------------===//

static LogicalResult verifyTensorMemory(Operation *op, MemDescType type) {
  if (isa<TensorMemorySpaceAttr>(type.getMemorySpace()))
    return success();
  return op->emitOpError("expects a tile in tensor memory, but got ") << type;
}

void TMEMAllocOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(),
                       getOperation()->getOpResult(0), TensorMemory::get());
  if (getSrc())
    effects.emplace_back(MemoryEffects::Write::get(),
                         getOperation()->getOpResult(0), TensorMemory::get());
}

LogicalResult TMEMAllocOp::verify() {
  auto type = cast<MemDescType>(getResult().getType());
  if (failed(verifyTensorMemory(*this, type)))
    return failure();
  if (getSrc())
    return ttg::verifySameTile(*this, type,
                               cast<RankedTensorType>(getSrc().getType()));
  return ttg::verifyMutable(*this, type);
}

LogicalResult TMEMLoadOp::verify() {
  if (failed(verifyTensorMemory(*this, getSrc().getType())))
    return failure();
  if (getRedOp().has_value() != static_cast<bool>(getRed()))
    return emitOpError("expects a result for the reduction exactly if 'redOp' "
                       "is set");
  return ttg::verifySameTile(*this, getSrc().getType(),
                             cast<RankedTensorType>(getResult().getType()));
}

LogicalResult TMEMStoreOp::verify() {
  if (failed(verifyTensorMemory(*this, getDst().getType())) ||
      failed(ttg::verifyMutable(*this, getDst().getType())))
    return failure();
  return ttg::verifySameTile(*this, getDst().getType(),
                             cast<RankedTensorType>(getSrc().getType()));
}

LogicalResult TMEMSubsliceOp::verify() {
  if (failed(verifyTensorMemory(*this, getSrc().getType())))
    return failure();
  if (getOffset().has_value() == getN().has_value())
    return emitOpError("expects one of 'offset' and 'N' to be set");
  return success();
}

//===----------------------------------------------------------------------===//
// tcgen05
//===----------------------------------------------------------------------===//

static LogicalResult verifyBarriers(Operation *op, OperandRange barriers,
                                    OperandRange preds) {
  if (barriers.size() != preds.size())
    return op->emitOpError("expects one predicate for each of ")
           << barriers.size() << " barriers, but got " << preds.size();
  for (Type type : barriers.getTypes())
    if (failed(verifyBarrier(op, cast<MemDescType>(type))))
      return failure();
  return success();
}

LogicalResult TCGen5MMAOp::verify() {
  if (failed(verifyTensorMemory(*this, getD().getType())) ||
      failed(verifyBarriers(*this, getBarriers(), getBarrierPreds())))
    return failure();
  return verifyShapes(*this, getA().getType(), getB().getType(),
                      getD().getType());
}

LogicalResult TCGen5MMAScaledOp::verify() {
  if (failed(verifyTensorMemory(*this, getD().getType())))
    return failure();
  return verifyBarriers(*this, getBarriers(), getBarrierPreds());
}

LogicalResult TCGen5CommitOp::verify() {
  return verifyBarrier(*this, getBarrier().getType());
}
