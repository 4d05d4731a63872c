//===- TLXMMAOps.cpp - Matrix products ------------------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "Verifiers.h"

using namespace mlir;
using namespace mlir::tlx;

static bool isFp8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

/// Whether the tensor core multiplies `a` by `b` into `c`.
static bool areLegalElements(Type a, Type b, Type c) {
  if (isFp8(a) && isFp8(b))
    return c.isF32() || c.isF16();
  if (a != b)
    return false;
  if (a.isF16())
    return c.isF32() || c.isF16();
  if (a.isBF16() || a.isF32())
    return c.isF32();
  return a.isInteger(8) && c.isInteger(32);
}

static ArrayRef<int64_t> getTileShape(Type type) {
  if (auto buffer = dyn_cast<BufferType>(type))
    return buffer.getShape();
  return cast<RankedTensorType>(type).getShape();
}

static Type getTileElement(Type type) {
  if (auto buffer = dyn_cast<BufferType>(type))
    return buffer.getElementType();
  return cast<RankedTensorType>(type).getElementType();
}

LogicalResult AsyncDotOp::verify() {
  Type aType = getA().getType(), bType = getB().getType();
  for (auto [name, type] : {std::pair<StringRef, Type>{"a", aType},
                            std::pair<StringRef, Type>{"b", bType}})
    if (auto buffer = dyn_cast<BufferType>(type)) // async_dot_c1
      if (failed(verifyOneSmemBuffer(*this, name, buffer)))
        return failure();

  // async_dot_c2
  ArrayRef<int64_t> a = getTileShape(aType), b = getTileShape(bType),
                    d = getD().getType().getShape();
  if (a.size() != 2 || b.size() != 2 || d.size() != 2 || a[1] != b[0] ||
      a[0] != d[0] || b[1] != d[1])
    return emitOpError("expects shapes M x K, K x N and M x N, but got ")
           << aType << ", " << bType << " and " << getD().getType();

  // async_dot_c3
  Type element = getTileElement(aType);
  if (!areLegalElements(element, getTileElement(bType),
                        getD().getType().getElementType()))
    return emitOpError("expects element types that the tensor core multiplies "
                       "(f16, bf16, f32, f8E4M3FN, f8E5M2 or i8), but got ")
           << element << ", " << getTileElement(bType) << " and "
           << getD().getType().getElementType();

  // async_dot_c4
  if (d[0] % 64 != 0)
    return emitOpError("expects M to be a multiple of 64, but got ") << d[0];
  if (d[1] % 8 != 0 || d[1] > 256)
    return emitOpError("expects N to be a multiple of 8 in [8, 256], but got ")
           << d[1];
  int64_t kStep = 256 / element.getIntOrFloatBitWidth();
  if (a[1] % kStep != 0)
    return emitOpError("expects K to be a multiple of ")
           << kStep << " for " << element << ", but got " << a[1];

  // async_dot_c5
  std::optional<int> numWarps = maybeLookupNumWarps(*this);
  if (numWarps && *numWarps % 4 != 0)
    return emitOpError("expects the task to have a multiple of 4 warps, but "
                       "got ")
           << *numWarps;
  return success();
}

LogicalResult AsyncDotWaitOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location>,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  llvm::append_range(types, adaptor.getInputs().getTypes());
  return success();
}
