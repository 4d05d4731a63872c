//===- TTTraits.cpp - Traits and type helpers of tt ops -------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TT/TT.h"

using namespace mlir;
using namespace mlir::tt;

Type tt::getPointeeType(Type pointerLike) {
  if (auto tensor = dyn_cast<RankedTensorType>(pointerLike)) {
    Type element = getPointeeType(tensor.getElementType());
    return element ? tensor.clone(element) : Type();
  }
  auto pointer = dyn_cast<PtrType>(pointerLike);
  return pointer ? pointer.getPointee() : Type();
}

Type tt::getI1SameShape(Type type) {
  Type i1 = IntegerType::get(type.getContext(), 1);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(i1);
  return i1;
}

LogicalResult tt::detail::verifySameEncoding(Operation *op, TypeRange operands,
                                             TypeRange results) {
  Attribute first;
  for (TypeRange types : {operands, results}) {
    for (Type type : types) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || !tensor.getEncoding())
        continue;
      if (!first)
        first = tensor.getEncoding();
      else if (tensor.getEncoding() != first)
        return op->emitOpError("expects all tensors to have layout ")
               << first << ", but got " << tensor.getEncoding();
    }
  }
  return success();
}
