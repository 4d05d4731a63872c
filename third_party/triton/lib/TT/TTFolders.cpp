//===- TTFolders.cpp - Folding of tt ops ----------------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TT/TT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tt;

/// A constant tensor of `type` with one value everywhere, if `source` is the
/// same value or such a tensor.
static OpFoldResult foldToSplat(Attribute source, ShapedType type) {
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(source))
    return splat.resizeSplat(type);
  if (isa_and_nonnull<FloatAttr, IntegerAttr>(source))
    return SplatElementsAttr::get(type, source);
  return {};
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  return foldToSplat(adaptor.getSrc(), getType());
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) {
  return foldToSplat(adaptor.getSrc(), getType());
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  return foldToSplat(adaptor.getSrc(), getType());
}

Operation *TTDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                          Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
