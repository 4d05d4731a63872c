//===- LinearBases.h - Distributed layouts as bases -----------*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//
//
// A distributed layout maps the bits of register, lane and warp number to
// coordinates of a tensor: each bit contributes one basis vector, and the
// coordinates are their sum (no two vectors share a bit).
//
//===----------------------------------------------------------------------===//

#ifndef TLX_ANALYSIS_LINEARBASES_H
#define TLX_ANALYSIS_LINEARBASES_H

#include "triton_interop/TTG/TTG.h"

#include <vector>

namespace mlir::tlx {

struct LinearBases {
  using Vectors = std::vector<std::vector<int32_t>>;
  Vectors registers, lanes, warps;

  bool operator==(const LinearBases &other) const {
    return registers == other.registers && lanes == other.lanes &&
           warps == other.warps;
  }
};

/// The bases of `layout` on a tensor of shape `shape`. Bits beyond the tensor
/// have zero vectors: their threads hold copies.
LinearBases getBases(ttg::BlockedEncodingAttr layout, ArrayRef<int64_t> shape);

/// The bases of a row-major reshape of a tensor with bases `source`.
LinearBases reshapeBases(const LinearBases &source,
                         ArrayRef<int64_t> sourceShape,
                         ArrayRef<int64_t> resultShape);

/// A `#ttg.blocked` with these bases on `shape` if there is one, or else a
/// `#ttg.linear`.
Attribute getEncoding(MLIRContext *context, const LinearBases &bases,
                      ArrayRef<int64_t> shape);

} // namespace mlir::tlx

#endif // TLX_ANALYSIS_LINEARBASES_H
