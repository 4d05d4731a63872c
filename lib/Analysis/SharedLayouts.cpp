//===- SharedLayouts.cpp - Layouts of buffers in shared memory ------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Analysis/SharedLayouts.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tlx;

bool tlx::hasNVMMALayout(Type elementType) {
  if (!elementType.isIntOrFloat())
    return false;
  unsigned bits = elementType.getIntOrFloatBitWidth();
  return bits == 8 || bits == 16 || bits == 32;
}

unsigned tlx::getWidestSwizzle(ArrayRef<int64_t> shape, unsigned elementBits,
                               bool transposed) {
  constexpr int64_t rowsPerPattern = 8;
  if (shape.size() < 2)
    return 0;
  int64_t extent = shape[shape.size() - (transposed ? 2 : 1)];
  int64_t rows = ShapedType::getNumElements(shape) / extent;
  int64_t rowBytes = extent * elementBits / 8;
  if (rows < rowsPerPattern)
    return 0;
  for (unsigned swizzle : {128, 64, 32})
    if (rowBytes >= swizzle)
      return swizzle;
  return 0;
}

ttg::NVMMASharedEncodingAttr tlx::getNVMMAShared(MLIRContext *context,
                                                 ArrayRef<int64_t> shape,
                                                 Type elementType,
                                                 bool transposed) {
  unsigned bits = elementType.getIntOrFloatBitWidth();
  return ttg::NVMMASharedEncodingAttr::get(
      context, getWidestSwizzle(shape, bits, transposed), transposed, bits,
      /*fp4Padded=*/false, shape.size());
}

ttg::SwizzledSharedEncodingAttr tlx::getPlainShared(MLIRContext *context,
                                                    unsigned rank) {
  SmallVector<unsigned> order(rank);
  std::iota(order.rbegin(), order.rend(), 0);
  return ttg::SwizzledSharedEncodingAttr::get(context, /*vec=*/1,
                                              /*perPhase=*/1, /*maxPhase=*/1,
                                              order);
}

Attribute tlx::getDefaultShared(MLIRContext *context, ArrayRef<int64_t> shape,
                                Type elementType) {
  if (shape.size() < 2 || !hasNVMMALayout(elementType))
    return getPlainShared(context, shape.size());
  return getNVMMAShared(context, shape, elementType);
}

SmallVector<int32_t> tlx::invertOrder(ArrayRef<int32_t> order) {
  SmallVector<int32_t> inverse(order.size());
  for (auto [dim, sourceDim] : llvm::enumerate(order))
    inverse[sourceDim] = dim;
  return inverse;
}

Attribute tlx::permuteShared(Attribute source, ArrayRef<int32_t> order) {
  int32_t rank = order.size();
  if (auto nvmma = dyn_cast<ttg::NVMMASharedEncodingAttr>(source)) {
    // Only a matrix can be transposed.
    bool swapped = !llvm::is_sorted(order);
    if (swapped && rank != 2)
      return {};
    return ttg::NVMMASharedEncodingAttr::get(
        nvmma.getContext(), nvmma.getSwizzlingByteWidth(),
        nvmma.getTransposed() != swapped, nvmma.getElementBitWidth(),
        nvmma.getFp4Padded(), nvmma.getTileRank());
  }
  if (auto swizzled = dyn_cast<ttg::SwizzledSharedEncodingAttr>(source)) {
    SmallVector<int32_t> resultDim = invertOrder(order);
    return ttg::SwizzledSharedEncodingAttr::get(
        swizzled.getContext(), swizzled.getVec(), swizzled.getPerPhase(),
        swizzled.getMaxPhase(),
        llvm::map_to_vector(swizzled.getOrder(), [&](unsigned dim) {
          return static_cast<unsigned>(resultDim[dim]);
        }));
  }
  return {};
}
