//===- FirstElement.cpp - The first element of a tensor as a scalar -------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tlx;

/// The first element of a constant tensor of numbers, or null.
static Value getFirstConstant(RewriterBase &rewriter, arith::ConstantOp op) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements)
    return {};
  return arith::ConstantOp::create(
      rewriter, op.getLoc(),
      cast<TypedAttr>(*elements.getValues<Attribute>().begin()));
}

Value tlx::getFirstElement(RewriterBase &rewriter, Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type)
    return tensor;
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return {};
  if (auto splat = dyn_cast<tt::SplatOp>(op))
    return splat.getSrc();
  if (auto range = dyn_cast<tt::MakeRangeOp>(op))
    return arith::ConstantIntOp::create(rewriter, op->getLoc(),
                                        range.getStart(), 32);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return getFirstConstant(rewriter, constant);
  if (isa<tt::BroadcastOp, tt::ExpandDimsOp, ttg::ConvertLayoutOp>(op))
    return getFirstElement(rewriter, op->getOperand(0));
  // An elementwise op does to the first elements what it does to the tensors.
  if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() != 1)
    return {};
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    Value first = getFirstElement(rewriter, operand);
    if (!first)
      return {};
    operands.push_back(first);
  }
  return rewriter
      .create(op->getLoc(), op->getName().getIdentifier(), operands,
              type.getElementType(), op->getAttrs())
      ->getResult(0);
}
