//===- TLXUtilityOps.cpp - Registers and layouts --------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Dialect/TLX/IR/TLX.h"

using namespace mlir;
using namespace mlir::tlx;

/// Checks that only the layout differs.
static LogicalResult verifySameTensor(Operation *op, RankedTensorType source,
                                      RankedTensorType result) {
  if (source.getShape() == result.getShape() &&
      source.getElementType() == result.getElementType())
    return success();
  return op->emitOpError()
         << "expects the result to have the shape and element type of "
         << source << ", but got " << result;
}

LogicalResult VoteBallotOp::verify() {
  Type pred = getPred().getType(), result = getType();
  if (!getElementTypeOrSelf(pred).isInteger(1)) // vote_ballot_sync_c1
    return emitOpError("expects 'pred' to hold i1, but got ") << pred;
  Type i32 = IntegerType::get(getContext(), 32);
  auto tensor = dyn_cast<RankedTensorType>(pred);
  Type expected = tensor ? RankedTensorType::get(tensor.getShape(), i32) : i32;
  auto actual = dyn_cast<RankedTensorType>(result);
  // The layout comes later.
  if ((actual ? actual.cloneWithEncoding({}) : result) != expected) // c2
    return emitOpError("expects the result to be ")
           << expected << ", but got " << result;
  return success();
}

LogicalResult RequireLayoutOp::inferReturnTypes(MLIRContext *,
                                                std::optional<Location>,
                                                Adaptor adaptor,
                                                SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getSource().getType());
  return success();
}

/// The verifier compares shape and element type; the layout may differ.
bool RequireLayoutOp::isCompatibleReturnTypes(TypeRange, TypeRange) {
  return true;
}

LogicalResult RequireLayoutOp::verify() {
  return verifySameTensor(*this, getSource().getType(), getType()); // c1
}

LogicalResult ReleaseLayoutOp::inferReturnTypes(MLIRContext *,
                                                std::optional<Location>,
                                                Adaptor adaptor,
                                                SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getSource().getType());
  return success();
}

bool ReleaseLayoutOp::isCompatibleReturnTypes(TypeRange, TypeRange) {
  return true;
}

LogicalResult ReleaseLayoutOp::verify() {
  return verifySameTensor(*this, getSource().getType(), getType()); // c1
}
