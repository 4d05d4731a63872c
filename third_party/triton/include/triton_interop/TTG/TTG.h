//===- TTG.h - The ttg dialect -------------------------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTG_TTG_H
#define TRITON_INTEROP_TTG_TTG_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "triton_interop/TT/TT.h"
#include "triton_interop/TTG/Bases.h"

namespace mlir::ttg {
/// Shared memory, as a resource of side effects.
struct SharedMemory : SideEffects::Resource::Base<SharedMemory> {
  StringRef getName() final { return "<SharedMemory>"; }
};
} // namespace mlir::ttg

#include "triton_interop/TTG/TTGDialect.h.inc"
#include "triton_interop/TTG/TTGEnums.h.inc"
#include "triton_interop/TTG/TTGInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "triton_interop/TTG/TTGAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "triton_interop/TTG/TTGTypes.h.inc"
#define GET_OP_CLASSES
#include "triton_interop/TTG/TTGOps.h.inc"

namespace mlir::ttg {
LogicalResult verifyOrder(function_ref<InFlightDiagnostic()> emitError,
                          ArrayRef<unsigned> order);
/// Checks the length of the vectors of a `CGALayout`.
LogicalResult verifyCGALayout(function_ref<InFlightDiagnostic()> emitError,
                              Bases layout, unsigned rank);
/// Checks that memory to be written is mutable.
LogicalResult verifyMutable(Operation *op, MemDescType type);
/// Checks that a tensor has shape and element type of a tile.
LogicalResult verifySameTile(Operation *op, MemDescType memory,
                             RankedTensorType tensor);
} // namespace mlir::ttg

#endif // TRITON_INTEROP_TTG_TTG_H
