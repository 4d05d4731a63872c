//===- SharedLayouts.h - Layouts of buffers in shared memory --*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_ANALYSIS_SHAREDLAYOUTS_H
#define TLX_ANALYSIS_SHAREDLAYOUTS_H

#include "triton_interop/TTG/TTG.h"

namespace mlir::tlx {

/// Whether TMA and `wgmma` know elements of this width.
bool hasNVMMALayout(Type elementType);

/// The widest swizzle that a tile of this shape can have: its contiguous rows
/// (columns if `transposed`) hold a whole number of swizzle spans, and there
/// are eight of them, the period of the pattern. 0 if there is none.
unsigned getWidestSwizzle(ArrayRef<int64_t> shape, unsigned elementBits,
                          bool transposed);

/// The tile as TMA writes it and `wgmma` reads it. Swizzled as wide as it can
/// be, so that neither rows nor columns have bank conflicts. The element type
/// must have an NVMMA layout.
ttg::NVMMASharedEncodingAttr getNVMMAShared(MLIRContext *context,
                                            ArrayRef<int64_t> shape,
                                            Type elementType,
                                            bool transposed = false);

/// The row-major tile without swizzle. `order[0]` is the contiguous dimension.
ttg::SwizzledSharedEncodingAttr getPlainShared(MLIRContext *context,
                                               unsigned rank);

/// The layout of a buffer that only ordinary loads and stores touch.
Attribute getDefaultShared(MLIRContext *context, ArrayRef<int64_t> shape,
                           Type elementType);

/// The layout after dimension `i` of the result became dimension `order[i]` of
/// the source, or null if the kind of layout has none.
Attribute permuteShared(Attribute source, ArrayRef<int32_t> order);

/// The order that undoes `order`.
SmallVector<int32_t> invertOrder(ArrayRef<int32_t> order);

} // namespace mlir::tlx

#endif // TLX_ANALYSIS_SHAREDLAYOUTS_H
