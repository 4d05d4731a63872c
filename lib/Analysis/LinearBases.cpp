//===- LinearBases.cpp - Distributed layouts as bases ---------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Analysis/LinearBases.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tlx;

using Vectors = LinearBases::Vectors;

/// Appends the vectors of the bits that count to `size` along `dim`, above the
/// `extent` elements already covered. Those beyond `limit` are zero.
static void appendBits(Vectors &vectors, unsigned dim, int64_t size,
                       int64_t &extent, int64_t limit, size_t rank) {
  for (int64_t bit = 1; bit < size; bit *= 2) {
    std::vector<int32_t> vector(rank, 0);
    if (extent < limit) {
      vector[dim] = extent;
      extent *= 2;
    }
    vectors.push_back(std::move(vector));
  }
}

LinearBases tlx::getBases(ttg::BlockedEncodingAttr layout,
                          ArrayRef<int64_t> shape) {
  LinearBases bases;
  size_t rank = shape.size();
  SmallVector<int64_t> extent(rank, 1);
  auto deal = [&](Vectors &vectors, ArrayRef<unsigned> sizes) {
    for (unsigned dim : layout.getOrder())
      appendBits(vectors, dim, sizes[dim], extent[dim], shape[dim], rank);
  };
  deal(bases.registers, layout.getSizePerThread());
  deal(bases.lanes, layout.getThreadsPerWarp());
  deal(bases.warps, layout.getWarpsPerCTA());
  // A tensor larger than one tile of the CTA is covered by more registers.
  for (unsigned dim : layout.getOrder())
    appendBits(bases.registers, dim, shape[dim] / extent[dim], extent[dim],
               shape[dim], rank);
  return bases;
}

LinearBases tlx::reshapeBases(const LinearBases &source,
                              ArrayRef<int64_t> sourceShape,
                              ArrayRef<int64_t> resultShape) {
  auto reshape = [&](const Vectors &vectors) {
    Vectors result;
    for (const std::vector<int32_t> &vector : vectors) {
      int64_t index = 0;
      for (auto [coordinate, size] : llvm::zip_equal(vector, sourceShape))
        index = index * size + coordinate;
      std::vector<int32_t> moved(resultShape.size(), 0);
      for (size_t dim = resultShape.size(); dim-- > 0;) {
        moved[dim] = index % resultShape[dim];
        index /= resultShape[dim];
      }
      result.push_back(std::move(moved));
    }
    return result;
  };
  return {reshape(source.registers), reshape(source.lanes),
          reshape(source.warps)};
}

/// Elements along `dim` that `vectors` tell apart.
static unsigned extentOf(const Vectors &vectors, size_t dim) {
  return 1u << llvm::count_if(vectors,
                              [&](const auto &v) { return v[dim] != 0; });
}

/// The blocks of consecutive elements along `dim` that a thread may be said to
/// hold: below the first bit of a lane or warp, or else none or all of those
/// that the registers have.
static SmallVector<unsigned> getBlocks(const LinearBases &bases, size_t dim) {
  int32_t first = 0;
  for (const Vectors *vectors : {&bases.lanes, &bases.warps})
    for (const auto &vector : *vectors)
      if (vector[dim] != 0)
        first = first ? std::min(first, vector[dim]) : vector[dim];
  if (first)
    return {static_cast<unsigned>(first)};
  unsigned all = extentOf(bases.registers, dim);
  return all == 1 ? SmallVector<unsigned>{1} : SmallVector<unsigned>{1, all};
}

namespace {
/// Looks for a blocked layout with given bases. Sizes of threads and warps
/// follow from the bases; which dimension comes first, and what is a block and
/// what a repetition of blocks, do not always.
class BlockedSearch {
public:
  BlockedSearch(MLIRContext *context, const LinearBases &bases,
                ArrayRef<int64_t> shape)
      : context(context), bases(bases), shape(shape) {
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      threadsPerWarp.push_back(extentOf(bases.lanes, dim));
      warpsPerCTA.push_back(extentOf(bases.warps, dim));
    }
  }

  /// Tries all blocks for the dimensions after those in `sizePerThread`.
  ttg::BlockedEncodingAttr run(SmallVector<unsigned> sizePerThread = {});

private:
  ttg::BlockedEncodingAttr tryOrders(ArrayRef<unsigned> sizePerThread);

  MLIRContext *context;
  const LinearBases &bases;
  ArrayRef<int64_t> shape;
  SmallVector<unsigned> threadsPerWarp, warpsPerCTA;
};
} // namespace

ttg::BlockedEncodingAttr
BlockedSearch::run(SmallVector<unsigned> sizePerThread) {
  if (sizePerThread.size() == shape.size())
    return tryOrders(sizePerThread);
  for (unsigned block : getBlocks(bases, sizePerThread.size())) {
    SmallVector<unsigned> next(sizePerThread);
    next.push_back(block);
    if (ttg::BlockedEncodingAttr found = run(std::move(next)))
      return found;
  }
  return {};
}

ttg::BlockedEncodingAttr
BlockedSearch::tryOrders(ArrayRef<unsigned> sizePerThread) {
  // The usual row-major order is the first of all.
  SmallVector<unsigned> order(shape.size());
  std::iota(order.rbegin(), order.rend(), 0);
  do {
    auto blocked = ttg::BlockedEncodingAttr::get(
        context, sizePerThread, threadsPerWarp, warpsPerCTA, order);
    if (getBases(blocked, shape) == bases)
      return blocked;
  } while (std::prev_permutation(order.begin(), order.end()));
  return {};
}

Attribute tlx::getEncoding(MLIRContext *context, const LinearBases &bases,
                           ArrayRef<int64_t> shape) {
  constexpr size_t kMaxSearchRank = 5;
  if (shape.size() <= kMaxSearchRank)
    if (auto blocked = BlockedSearch(context, bases, shape).run())
      return blocked;
  return ttg::LinearEncodingAttr::get(context, bases.registers, bases.lanes,
                                      bases.warps, Vectors());
}
