//===- RegisterLayouts.h - Layouts of tensors in registers ----*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//
//
// Which distributed layouts the layout assignment picks, and how ops that move
// dimensions about change them.
//
//===----------------------------------------------------------------------===//

#ifndef TLX_ANALYSIS_REGISTERLAYOUTS_H
#define TLX_ANALYSIS_REGISTERLAYOUTS_H

#include "mlir/IR/Diagnostics.h"
#include "triton_interop/TTG/TTG.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::tlx {

/// Threads that share one copy of a tensor.
struct ThreadCounts {
  unsigned numWarps;
  unsigned threadsPerWarp;
};

/// Deals tiles of `sizePerThread` elements to the threads, dimension `order[0]`
/// first; the last dimension of `order` takes the threads that are left.
ttg::BlockedEncodingAttr distributeBlocked(MLIRContext *context,
                                           ArrayRef<int64_t> shape,
                                           ArrayRef<unsigned> sizePerThread,
                                           ArrayRef<unsigned> order,
                                           ThreadCounts threads);

/// The row-major layout of tensors that nothing else constrains. Each thread
/// holds up to `vectorSize` consecutive elements, as long as all threads have
/// some.
ttg::BlockedEncodingAttr getDefaultBlocked(MLIRContext *context,
                                           ArrayRef<int64_t> shape,
                                           ThreadCounts threads,
                                           unsigned vectorSize = 1);

/// The result layout of a `tt.dot` that no instruction has been chosen for:
/// square tiles in each thread, so that operands are reused.
ttg::BlockedEncodingAttr getDotBlocked(MLIRContext *context,
                                       ArrayRef<int64_t> shape,
                                       ThreadCounts threads);

/// The result layout of a `wgmma` product of shape `m` x `n` of operands with
/// elements of `elementType`. Warps split rows as far as there are 64 for each
/// warpgroup, then columns. Fails with a message if no instruction fits.
FailureOr<ttg::NvidiaMmaEncodingAttr>
getWgmmaLayout(llvm::function_ref<InFlightDiagnostic()> emitError, int64_t m,
               int64_t n, Type elementType, unsigned numWarps);

/// The layout of operand a of a `wgmma` product in registers.
ttg::DotOperandEncodingAttr
getWgmmaOperandLayout(ttg::NvidiaMmaEncodingAttr mma, unsigned elementBits);

/// The layout of the row indices of a descriptor gather or scatter: each thread
/// of a warp holds four consecutive indices.
ttg::SliceEncodingAttr getGatherIndexLayout(MLIRContext *context,
                                            ThreadCounts threads);

//===----------------------------------------------------------------------===//
// Layouts through ops
//===----------------------------------------------------------------------===//

/// The layout after dimension `i` of the result became dimension `order[i]` of
/// the source.
ttg::BlockedEncodingAttr permuteBlocked(ttg::BlockedEncodingAttr source,
                                        ArrayRef<int32_t> order);

/// The layout of a row-major reshape.
Attribute reshapeBlocked(ttg::BlockedEncodingAttr source,
                         ArrayRef<int64_t> sourceShape,
                         ArrayRef<int64_t> resultShape);

/// The layout after `tt.join`: both values of a pair in one thread.
ttg::BlockedEncodingAttr joinBlocked(ttg::BlockedEncodingAttr source);

/// The layout of the halves of `tt.split`, or null if the pairs of `source` are
/// not each in one thread.
ttg::BlockedEncodingAttr splitBlocked(ttg::BlockedEncodingAttr source);

/// The layout of a `tt.cat` of two tensors with layout `source`: each thread
/// holds the elements that it had of both.
ttg::BlockedEncodingAttr catBlocked(ttg::BlockedEncodingAttr source,
                                    ArrayRef<int64_t> sourceShape,
                                    ArrayRef<int64_t> resultShape,
                                    ThreadCounts threads);

} // namespace mlir::tlx

#endif // TLX_ANALYSIS_REGISTERLAYOUTS_H
