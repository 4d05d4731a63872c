//===- Verifiers.h - Checks shared by TLX ops -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_LIB_DIALECT_TLX_IR_VERIFIERS_H
#define TLX_LIB_DIALECT_TLX_IR_VERIFIERS_H

#include "tlx/Dialect/TLX/IR/TLX.h"

#include <optional>

namespace mlir::tlx {
/// The value of an integer constant.
std::optional<int64_t> getConstant(Value value);

/// Expects one buffer rather than a ring.
LogicalResult verifyOneBuffer(Operation *op, StringRef name, BufferType type);
/// Expects one buffer in shared memory of this CTA.
LogicalResult verifyOneSmemBuffer(Operation *op, StringRef name,
                                  BufferType type);
/// Expects one barrier rather than an array.
LogicalResult verifyOneBarrier(Operation *op, BarrierType type);
/// Expects a constant index to be in [0, num).
LogicalResult verifyIndex(Operation *op, Value index, int64_t num);
/// Expects `type` to be a pointer, or a tensor of pointers, to `pointee`.
LogicalResult verifyPointsTo(Operation *op, StringRef name, Type type,
                             Type pointee);

/// Erases `op` if its predicate is false; drops the predicate if it is true.
template <typename OpTy>
LogicalResult simplifyPredicate(OpTy op, PatternRewriter &rewriter) {
  if (!op.getPred())
    return failure();
  std::optional<int64_t> pred = getConstant(op.getPred());
  if (!pred)
    return failure();
  if (*pred == 0)
    rewriter.eraseOp(op);
  else
    rewriter.modifyOpInPlace(op, [&] { op.getPredMutable().clear(); });
  return success();
}
} // namespace mlir::tlx

#endif // TLX_LIB_DIALECT_TLX_IR_VERIFIERS_H
