//===- TTInference.cpp - Result types of tt ops ---------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TT/TT.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::tt;

/// The layouts' owner computes `infer`; null if there is no layout.
static Attribute
inferLayout(RankedTensorType type,
            function_ref<Attribute(const InferLayoutInterface &)> infer) {
  Attribute layout = type.getEncoding();
  if (!layout)
    return {};
  auto *interface = dyn_cast<InferLayoutInterface>(&layout.getDialect());
  return interface ? infer(*interface) : Attribute();
}

/// Equal shapes and elements, and equal layouts if both are known.
static bool areCompatible(TypeRange lhs, TypeRange rhs) {
  return llvm::all_of_zip(lhs, rhs, [](Type a, Type b) {
    auto x = dyn_cast<RankedTensorType>(a), y = dyn_cast<RankedTensorType>(b);
    if (!x || !y)
      return a == b;
    return x.getShape() == y.getShape() &&
           x.getElementType() == y.getElementType() &&
           (!x.getEncoding() || !y.getEncoding() ||
            x.getEncoding() == y.getEncoding());
  });
}

/// As above, but any two layouts are compatible: several describe the result.
static bool areCompatibleUpToLayout(TypeRange lhs, TypeRange rhs) {
  return llvm::all_of_zip(lhs, rhs, [](Type a, Type b) {
    auto x = dyn_cast<RankedTensorType>(a), y = dyn_cast<RankedTensorType>(b);
    return x && y && x.getShape() == y.getShape() &&
           x.getElementType() == y.getElementType();
  });
}

static LogicalResult verifyAxis(std::optional<Location> loc, int64_t axis,
                                int64_t limit) {
  if (axis >= 0 && axis < limit)
    return success();
  return emitOptionalError(loc, "expects 'axis' to be from 0 to ", limit - 1,
                           ", but got ", axis);
}

//===----------------------------------------------------------------------===//
// Shape ops
//===----------------------------------------------------------------------===//

LogicalResult UnsplatOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location>,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  types.push_back(getElementTypeOrSelf(adaptor.getSrc()));
  return success();
}
bool UnsplatOp::isCompatibleReturnTypes(TypeRange lhs, TypeRange rhs) {
  return lhs == rhs;
}

LogicalResult ExpandDimsOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> loc,
                                             Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  auto source = cast<RankedTensorType>(adaptor.getSrc().getType());
  int64_t axis = static_cast<int32_t>(adaptor.getAxis());
  if (failed(verifyAxis(loc, axis, source.getRank() + 1)))
    return failure();
  SmallVector<int64_t> shape(source.getShape());
  shape.insert(shape.begin() + axis, 1);
  Attribute layout =
      inferLayout(source, [&](const InferLayoutInterface &owner) {
        return owner.inferExpandDims(source.getEncoding(), axis);
      });
  types.push_back(
      RankedTensorType::get(shape, source.getElementType(), layout));
  return success();
}
bool ExpandDimsOp::isCompatibleReturnTypes(TypeRange lhs, TypeRange rhs) {
  return areCompatible(lhs, rhs);
}

LogicalResult TransOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  auto source = cast<RankedTensorType>(adaptor.getSrc().getType());
  ArrayRef<int32_t> order = adaptor.getOrder();
  SmallVector<int64_t> order64(order.begin(), order.end());
  if (static_cast<int64_t>(order.size()) != source.getRank() ||
      !isPermutationVector(order64))
    return emitOptionalError(loc, "expects 'order' to be a permutation of the ",
                             source.getRank(), " dimensions, but got ",
                             adaptor.getOrderAttr());
  SmallVector<int64_t> shape;
  for (int32_t dim : order)
    shape.push_back(source.getDimSize(dim));
  Attribute layout =
      inferLayout(source, [&](const InferLayoutInterface &owner) {
        return owner.inferTrans(source.getEncoding(), order);
      });
  types.push_back(
      RankedTensorType::get(shape, source.getElementType(), layout));
  return success();
}
bool TransOp::isCompatibleReturnTypes(TypeRange lhs, TypeRange rhs) {
  return areCompatibleUpToLayout(lhs, rhs);
}

LogicalResult JoinOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  auto source = cast<RankedTensorType>(adaptor.getLhs().getType());
  SmallVector<int64_t> shape(source.getShape());
  shape.push_back(2);
  types.push_back(RankedTensorType::get(shape, source.getElementType()));
  return success();
}
bool JoinOp::isCompatibleReturnTypes(TypeRange lhs, TypeRange rhs) {
  return areCompatibleUpToLayout(lhs, rhs);
}

LogicalResult SplitOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  auto source = cast<RankedTensorType>(adaptor.getSrc().getType());
  if (source.getRank() == 0 || source.getShape().back() != 2)
    return emitOptionalError(loc, "expects last dimension to be 2, but got ",
                             source);
  types.assign(2, RankedTensorType::get(source.getShape().drop_back(),
                                        source.getElementType()));
  return success();
}
bool SplitOp::isCompatibleReturnTypes(TypeRange lhs, TypeRange rhs) {
  return areCompatibleUpToLayout(lhs, rhs);
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto indices = cast<RankedTensorType>(adaptor.getIndices().getType());
  types.push_back(indices.clone(getElementTypeOrSelf(adaptor.getSrc())));
  return success();
}
bool GatherOp::isCompatibleReturnTypes(TypeRange lhs, TypeRange rhs) {
  return areCompatible(lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  int64_t axis = static_cast<int32_t>(adaptor.getAxis());
  for (Value value : adaptor.getSrcs()) {
    auto source = cast<RankedTensorType>(value.getType());
    if (failed(verifyAxis(loc, axis, source.getRank())))
      return failure();
    if (source.getRank() == 1) {
      types.push_back(source.getElementType());
      continue;
    }
    SmallVector<int64_t> shape(source.getShape());
    shape.erase(shape.begin() + axis);
    Attribute layout =
        inferLayout(source, [&](const InferLayoutInterface &owner) {
          return owner.inferReduce(source.getEncoding(), axis);
        });
    types.push_back(
        RankedTensorType::get(shape, source.getElementType(), layout));
  }
  return success();
}
bool ReduceOp::isCompatibleReturnTypes(TypeRange lhs, TypeRange rhs) {
  return areCompatible(lhs, rhs);
}

LogicalResult ScanOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> loc,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  for (Value value : adaptor.getSrcs()) {
    auto source = cast<RankedTensorType>(value.getType());
    if (failed(verifyAxis(loc, static_cast<int32_t>(adaptor.getAxis()),
                          source.getRank())))
      return failure();
    types.push_back(source);
  }
  return success();
}
bool ScanOp::isCompatibleReturnTypes(TypeRange lhs, TypeRange rhs) {
  return areCompatible(lhs, rhs);
}
