//===- ErrorKind.h - What an error is about ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//
//
// Python raises another exception for each kind, so a pass says the kind in the
// metadata of the diagnostic.
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_TRANSFORMS_ERRORKIND_H
#define TLX_DIALECT_TLX_TRANSFORMS_ERRORKIND_H

#include "mlir/IR/Diagnostics.h"

namespace mlir::tlx {
/// The kernel asks for more of a resource than a thread block has.
inline constexpr llvm::StringLiteral kResourceError = "resource";
/// The target does not have a feature.
inline constexpr llvm::StringLiteral kTargetError = "target";

/// Marks `diag` as an error of a kind.
inline InFlightDiagnostic &&ofKind(llvm::StringLiteral kind,
                                   InFlightDiagnostic &&diag) {
  if (Diagnostic *diagnostic = diag.getUnderlyingDiagnostic())
    diagnostic->getMetadata().push_back(
        DiagnosticArgument(llvm::StringRef(kind)));
  return std::move(diag);
}
} // namespace mlir::tlx

#endif // TLX_DIALECT_TLX_TRANSFORMS_ERRORKIND_H
