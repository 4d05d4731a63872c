//===- Conversion.h - From TLX to Triton's GPU dialects ---------*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//
//
// The pass visits operations in dominance order and replaces them one by one,
// so that an operand already has its final type. The type of a view depends on
// what it is a view of (a slice remembers its allocation), which a mapping from
// type to type could not say. As operands have their final types, they are read
// through the mutable accessors, which make no promise about the type.
//
//===----------------------------------------------------------------------===//

#ifndef TLX_LIB_CONVERSION_TLXTOTRITONGPU_CONVERSION_H
#define TLX_LIB_CONVERSION_TLXTOTRITONGPU_CONVERSION_H

#include "tlx/Dialect/TLX/IR/TLX.h"

namespace mlir::tlx {
//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The type that replaces `type`, which is `type` itself if it is not of TLX.
/// Null for a buffer without layout or in tensor memory.
Type convertType(Type type);

/// The memdesc of `num` mbarriers, or of one if `num` is 0.
ttg::MemDescType getBarrierMemDesc(MLIRContext *context, int64_t num);

//===----------------------------------------------------------------------===//
// Operations: each function replaces `op` if it is of its group, and returns
// nothing otherwise
//===----------------------------------------------------------------------===//

std::optional<LogicalResult> convertMemoryOp(Operation *op,
                                             RewriterBase &rewriter);
std::optional<LogicalResult> convertBarrierOp(Operation *op,
                                              RewriterBase &rewriter);
std::optional<LogicalResult> convertCopyOp(Operation *op,
                                           RewriterBase &rewriter);
std::optional<LogicalResult> convertTMAOp(Operation *op,
                                          RewriterBase &rewriter);
/// Matrix products, layouts and special registers.
std::optional<LogicalResult> convertRegisterOp(Operation *op,
                                               RewriterBase &rewriter);

/// Whether the barrier of an arrival is one on which each thread arrives. Read
/// before the types change.
inline constexpr StringLiteral kPerThreadAttrName = "tlx.per_thread";

//===----------------------------------------------------------------------===//
// Pieces of operations
//===----------------------------------------------------------------------===//

/// `pred`, or true if there is none.
Value getPredicate(RewriterBase &rewriter, Location loc, Value pred);

/// A cache policy attribute, or null if both are the default.
Attribute getCachePolicy(MLIRContext *context, tt::CacheModifier modifier,
                         tt::EvictionPolicy eviction);

/// The first element of a tensor, computed as a scalar; null if some op on the
/// way is not elementwise.
Value getFirstElement(RewriterBase &rewriter, Value tensor);

/// One memdesc of a ring.
Value indexMemDesc(RewriterBase &rewriter, Location loc, Value ring,
                   Value index);

//===----------------------------------------------------------------------===//
// Inline PTX
//===----------------------------------------------------------------------===//

/// Emits PTX that may read and write all memory. `result` is the type of its
/// result, or null. Operand `i` is `$i`, counted after the result.
Value emitPTX(RewriterBase &rewriter, Location loc, StringRef ptx,
              StringRef constraints, ValueRange operands, Type result = {});

/// The address of a memdesc in shared memory, as i32.
Value getSharedAddress(RewriterBase &rewriter, Location loc, Value memdesc);

/// The address that a pointer holds, as i64.
Value getGlobalAddress(RewriterBase &rewriter, Location loc, Value pointer);

/// The address of a tensor descriptor, as i64.
Value getDescriptorAddress(RewriterBase &rewriter, Location loc, Value desc);

/// True in the first thread of the task if `pred` is.
Value isFirstThread(RewriterBase &rewriter, Location loc, Value pred);
} // namespace mlir::tlx

#endif // TLX_LIB_CONVERSION_TLXTOTRITONGPU_CONVERSION_H
