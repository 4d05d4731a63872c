//===- TLX.h - TLX dialect --------------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_IR_TLX_H
#define TLX_DIALECT_TLX_IR_TLX_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "triton_interop/TTNG/TTNG.h"

#include "tlx/Dialect/TLX/IR/TLXDialect.h.inc"
#include "tlx/Dialect/TLX/IR/TLXEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tlx/Dialect/TLX/IR/TLXTypes.h.inc"
#define GET_OP_CLASSES
#include "tlx/Dialect/TLX/IR/TLXOps.h.inc"

namespace mlir::tlx {
inline constexpr llvm::StringLiteral kNumWarpsAttrName = "ttg.num-warps";

/// The number of warps that run `op`: those of the task or partition around it,
/// else the module's `ttg.num-warps`. Nothing if the module does not say.
std::optional<int> maybeLookupNumWarps(Operation *op);

/// Same, for modules that are known to have `ttg.num-warps`.
int lookupNumWarps(Operation *op);
} // namespace mlir::tlx

#endif // TLX_DIALECT_TLX_IR_TLX_H
