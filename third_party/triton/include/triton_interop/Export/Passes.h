//===- Passes.h - Handing IR to an installed Triton -------------*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_EXPORT_PASSES_H
#define TRITON_INTEROP_EXPORT_PASSES_H

#include "triton_interop/TT/TT.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <string>

namespace mlir::tt {
#define GEN_PASS_DECL
#include "triton_interop/Export/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "triton_interop/Export/Passes.h.inc"

/// Returns a module as text that Triton's parser accepts: in generic form,
/// which does not depend on the syntax of an operation, and with locations.
std::string printForTriton(ModuleOp module);
} // namespace mlir::tt

#endif // TRITON_INTEROP_EXPORT_PASSES_H
