//===- TTNG.h - The ttng dialect ------------------------------ -*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTNG_TTNG_H
#define TRITON_INTEROP_TTNG_TTNG_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "triton_interop/TTG/TTG.h"

namespace mlir::ttng {
/// Tensor memory, as a resource of side effects.
struct TensorMemory : SideEffects::Resource::Base<TensorMemory> {
  StringRef getName() final { return "<TensorMemory>"; }
};
} // namespace mlir::ttng

#include "triton_interop/TTNG/TTNGDialect.h.inc"
#include "triton_interop/TTNG/TTNGEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "triton_interop/TTNG/TTNGAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "triton_interop/TTNG/TTNGTypes.h.inc"
#define GET_OP_CLASSES
#include "triton_interop/TTNG/TTNGOps.h.inc"

namespace mlir::ttng {
/// Checks that `type` is that of an mbarrier.
LogicalResult verifyBarrier(Operation *op, ttg::MemDescType type);
} // namespace mlir::ttng

#endif // TRITON_INTEROP_TTNG_TTNG_H
