//===- TTTraits.h - Traits and type helpers of tt ops --------- -*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TT_TTTRAITS_H
#define TRITON_INTEROP_TT_TTTRAITS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::tt {

/// Global memory, as a resource of side effects.
struct GlobalMemory : SideEffects::Resource::Base<GlobalMemory> {
  StringRef getName() final { return "<GlobalMemory>"; }
};

/// What a pointer, or a tensor of pointers, points to. Null for other types.
Type getPointeeType(Type pointerLike);

/// i1, or a tensor of i1 of the shape and layout of `type`.
Type getI1SameShape(Type type);

/// Computes layouts of results; implemented by the dialect that owns them.
/// Each function returns null if the layout does not follow.
struct InferLayoutInterface : DialectInterface::Base<InferLayoutInterface> {
  explicit InferLayoutInterface(Dialect *dialect) : Base(dialect) {}

  /// Layout of a tensor with dimension `axis` removed.
  virtual Attribute inferReduce(Attribute source, unsigned axis) const = 0;
  /// Layout of a tensor with a dimension of extent 1 inserted.
  virtual Attribute inferExpandDims(Attribute source, unsigned axis) const = 0;
  virtual Attribute inferTrans(Attribute source,
                               ArrayRef<int32_t> order) const = 0;
};

namespace detail {
LogicalResult verifySameEncoding(Operation *op, TypeRange operands,
                                 TypeRange results);
} // namespace detail

template <typename ConcreteOp>
class SameEncoding : public OpTrait::TraitBase<ConcreteOp, SameEncoding> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    return detail::verifySameEncoding(op, op->getOperandTypes(),
                                      op->getResultTypes());
  }
};

template <typename ConcreteOp>
class SameOperandsEncoding
    : public OpTrait::TraitBase<ConcreteOp, SameOperandsEncoding> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    return detail::verifySameEncoding(op, op->getOperandTypes(), {});
  }
};

} // namespace mlir::tt

#endif // TRITON_INTEROP_TT_TTTRAITS_H
