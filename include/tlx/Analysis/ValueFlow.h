//===- ValueFlow.h - Values across control flow ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_ANALYSIS_VALUEFLOW_H
#define TLX_ANALYSIS_VALUEFLOW_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::tlx {

/// Calls `visit(operand, target)` for each value that control flow hands on:
/// `target` (a block argument or result) may be `operand` at run time. Covers
/// the structured loops and conditionals, branches, calls and returns.
void forEachFlowEdge(ModuleOp module,
                     llvm::function_ref<void(OpOperand &, Value)> visit);

} // namespace mlir::tlx

#endif // TLX_ANALYSIS_VALUEFLOW_H
