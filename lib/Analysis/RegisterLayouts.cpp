//===- RegisterLayouts.cpp - Layouts of tensors in registers --------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Analysis/RegisterLayouts.h"

#include "tlx/Analysis/LinearBases.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tlx;

/// Warps that issue one `wgmma` together.
static constexpr unsigned kWarpsPerGroup = 4;
/// Rows of a `wgmma` that one warp holds.
static constexpr unsigned kRowsPerWarp = 16;
/// Bits of one row of operand a that a `wgmma` reads: its k times the width of
/// an element.
static constexpr unsigned kWgmmaRowBits = 256;
/// Columns of the largest `wgmma`; all are multiples of the smallest.
static constexpr int64_t kMaxColumns = 256;
static constexpr int64_t kMinColumns = 8;
/// Columns of the largest integer `wgmma` that Triton's backend knows, of those
/// that are a power of two.
static constexpr int64_t kMaxIntegerColumns = 128;

static SmallVector<unsigned> getRowMajorOrder(size_t rank) {
  SmallVector<unsigned> order(rank);
  std::iota(order.rbegin(), order.rend(), 0);
  return order;
}

ttg::BlockedEncodingAttr
tlx::distributeBlocked(MLIRContext *context, ArrayRef<int64_t> shape,
                       ArrayRef<unsigned> sizePerThread,
                       ArrayRef<unsigned> order, ThreadCounts threads) {
  SmallVector<unsigned> threadsPerWarp(shape.size(), 1);
  SmallVector<unsigned> warpsPerCTA(shape.size(), 1);
  unsigned lanes = threads.threadsPerWarp;
  unsigned warps = threads.numWarps;
  for (unsigned dim : order.drop_back()) {
    unsigned tiles = std::max<int64_t>(1, shape[dim] / sizePerThread[dim]);
    unsigned here = std::min(tiles, lanes * warps);
    threadsPerWarp[dim] = std::min(here, lanes);
    warpsPerCTA[dim] = std::min(here / threadsPerWarp[dim], warps);
    lanes /= threadsPerWarp[dim];
    warps /= warpsPerCTA[dim];
  }
  threadsPerWarp[order.back()] = lanes;
  warpsPerCTA[order.back()] = warps;
  return ttg::BlockedEncodingAttr::get(context, sizePerThread, threadsPerWarp,
                                       warpsPerCTA, order);
}

ttg::BlockedEncodingAttr tlx::getDefaultBlocked(MLIRContext *context,
                                                ArrayRef<int64_t> shape,
                                                ThreadCounts threads,
                                                unsigned vectorSize) {
  int64_t elementsPerThread =
      ShapedType::getNumElements(shape) /
      (static_cast<int64_t>(threads.numWarps) * threads.threadsPerWarp);
  SmallVector<unsigned> sizePerThread(shape.size(), 1);
  sizePerThread.back() =
      std::max<int64_t>(1, std::min({static_cast<int64_t>(vectorSize),
                                     elementsPerThread, shape.back()}));
  return distributeBlocked(context, shape, sizePerThread,
                           getRowMajorOrder(shape.size()), threads);
}

ttg::BlockedEncodingAttr tlx::getDotBlocked(MLIRContext *context,
                                            ArrayRef<int64_t> shape,
                                            ThreadCounts threads) {
  int64_t elementsPerThread =
      ShapedType::getNumElements(shape) /
      (static_cast<int64_t>(threads.numWarps) * threads.threadsPerWarp);
  unsigned edge = elementsPerThread >= 16 ? 4 : elementsPerThread >= 4 ? 2 : 1;
  SmallVector<unsigned> sizePerThread(shape.size(), 1);
  for (unsigned &size : MutableArrayRef(sizePerThread).take_back(2))
    size = edge;
  return distributeBlocked(context, shape, sizePerThread,
                           getRowMajorOrder(shape.size()), threads);
}

FailureOr<ttg::NvidiaMmaEncodingAttr>
tlx::getWgmmaLayout(llvm::function_ref<InFlightDiagnostic()> emitError,
                    int64_t m, int64_t n, Type elementType, unsigned numWarps) {
  constexpr int64_t rowsPerGroup = kWarpsPerGroup * kRowsPerWarp;
  if (numWarps % kWarpsPerGroup != 0)
    return emitError() << "expects its task to have a multiple of "
                       << kWarpsPerGroup
                       << " warps, as a warpgroup issues it, but got "
                       << numWarps;
  if (m % rowsPerGroup != 0)
    return emitError() << "expects M to be a multiple of " << rowsPerGroup
                       << ", but got " << m;
  if (n % kMinColumns != 0)
    return emitError() << "expects N to be a multiple of " << kMinColumns
                       << ", but got " << n;

  unsigned rowGroups =
      std::min<int64_t>(numWarps / kWarpsPerGroup, m / rowsPerGroup);
  unsigned rowWarps = rowGroups * kWarpsPerGroup;
  unsigned columnWarps = numWarps / rowWarps;
  int64_t columns = n / columnWarps;
  if (columns < kMinColumns)
    return emitError() << "expects a product of " << m << "x" << n
                       << " to have at most " << rowWarps * n / kMinColumns
                       << " warps, but its task has " << numWarps;
  int64_t instrColumns = std::min(
      columns, elementType.isInteger() ? kMaxIntegerColumns : kMaxColumns);
  while (columns % instrColumns != 0)
    instrColumns -= kMinColumns;
  return ttg::NvidiaMmaEncodingAttr::get(
      elementType.getContext(), /*versionMajor=*/3, /*versionMinor=*/0,
      {rowWarps, columnWarps},
      {kRowsPerWarp, static_cast<unsigned>(instrColumns),
       kWgmmaRowBits / elementType.getIntOrFloatBitWidth()});
}

ttg::DotOperandEncodingAttr
tlx::getWgmmaOperandLayout(ttg::NvidiaMmaEncodingAttr mma,
                           unsigned elementBits) {
  constexpr unsigned registerBits = 32;
  return ttg::DotOperandEncodingAttr::get(mma.getContext(), /*opIdx=*/0, mma,
                                          registerBits / elementBits);
}

ttg::SliceEncodingAttr tlx::getGatherIndexLayout(MLIRContext *context,
                                                 ThreadCounts threads) {
  auto parent = ttg::BlockedEncodingAttr::get(context, {1, 4},
                                              {threads.threadsPerWarp, 1},
                                              {1, threads.numWarps}, {1, 0});
  return ttg::SliceEncodingAttr::get(context, /*dim=*/0, parent);
}

//===----------------------------------------------------------------------===//
// Layouts through ops
//===----------------------------------------------------------------------===//

ttg::BlockedEncodingAttr tlx::permuteBlocked(ttg::BlockedEncodingAttr source,
                                             ArrayRef<int32_t> order) {
  auto permute = [&](ArrayRef<unsigned> sizes) {
    return llvm::map_to_vector(order, [&](int32_t dim) { return sizes[dim]; });
  };
  SmallVector<unsigned> resultDim(order.size());
  for (auto [dim, sourceDim] : llvm::enumerate(order))
    resultDim[sourceDim] = dim;
  return ttg::BlockedEncodingAttr::get(
      source.getContext(), permute(source.getSizePerThread()),
      permute(source.getThreadsPerWarp()), permute(source.getWarpsPerCTA()),
      llvm::map_to_vector(source.getOrder(),
                          [&](unsigned dim) { return resultDim[dim]; }));
}

Attribute tlx::reshapeBlocked(ttg::BlockedEncodingAttr source,
                              ArrayRef<int64_t> sourceShape,
                              ArrayRef<int64_t> resultShape) {
  LinearBases bases = getBases(source, sourceShape);
  return getEncoding(source.getContext(),
                     reshapeBases(bases, sourceShape, resultShape),
                     resultShape);
}

ttg::BlockedEncodingAttr tlx::joinBlocked(ttg::BlockedEncodingAttr source) {
  auto append = [](ArrayRef<unsigned> sizes, unsigned last) {
    SmallVector<unsigned> result(sizes);
    result.push_back(last);
    return result;
  };
  SmallVector<unsigned> order{static_cast<unsigned>(source.getOrder().size())};
  llvm::append_range(order, source.getOrder());
  return ttg::BlockedEncodingAttr::get(
      source.getContext(), append(source.getSizePerThread(), 2),
      append(source.getThreadsPerWarp(), 1), append(source.getWarpsPerCTA(), 1),
      order);
}

ttg::BlockedEncodingAttr tlx::splitBlocked(ttg::BlockedEncodingAttr source) {
  unsigned last = source.getOrder().size() - 1;
  if (last == 0 || source.getOrder().front() != last ||
      source.getSizePerThread()[last] != 2 ||
      source.getThreadsPerWarp()[last] != 1 ||
      source.getWarpsPerCTA()[last] != 1)
    return {};
  return ttg::BlockedEncodingAttr::get(
      source.getContext(), source.getSizePerThread().drop_back(),
      source.getThreadsPerWarp().drop_back(),
      source.getWarpsPerCTA().drop_back(), source.getOrder().drop_front());
}

/// Elements that a thread holds of a tensor of shape `shape`, copies included.
static int64_t getElementsPerThread(ttg::BlockedEncodingAttr layout,
                                    ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    int64_t block = layout.getSizePerThread()[dim];
    int64_t tile =
        block * layout.getThreadsPerWarp()[dim] * layout.getWarpsPerCTA()[dim];
    elements *= block * llvm::divideCeil(size, tile);
  }
  return elements;
}

ttg::BlockedEncodingAttr tlx::catBlocked(ttg::BlockedEncodingAttr source,
                                         ArrayRef<int64_t> sourceShape,
                                         ArrayRef<int64_t> resultShape,
                                         ThreadCounts threads) {
  ttg::BlockedEncodingAttr result =
      getDefaultBlocked(source.getContext(), resultShape, threads);
  int64_t wanted = 2 * getElementsPerThread(source, sourceShape);
  int64_t got = getElementsPerThread(result, resultShape);
  if (got >= wanted)
    return result;
  SmallVector<unsigned> sizePerThread(result.getSizePerThread());
  sizePerThread[result.getOrder().front()] *= wanted / got;
  return ttg::BlockedEncodingAttr::get(
      source.getContext(), sizePerThread, result.getThreadsPerWarp(),
      result.getWarpsPerCTA(), result.getOrder());
}
