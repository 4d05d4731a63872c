//===- InitAllDialects.h - Dialects that TLX works with ---------*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_INITALLDIALECTS_H
#define TLX_INITALLDIALECTS_H

#include "tlx/Dialect/TLX/IR/TLX.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/InlinerInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

namespace mlir::tlx {
/// Registers every dialect that may occur between the front end and the text
/// handed to Triton.
inline void registerAllDialects(DialectRegistry &registry) {
  registry.insert<TLXDialect, tt::TTDialect, ttg::TTGDialect, ttng::TTNGDialect,
                  arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, LLVM::LLVMDialect, math::MathDialect,
                  NVVM::NVVMDialect, scf::SCFDialect, ub::UBDialect>();
  // These dialects promise to say what may be inlined; the inliner insists.
  func::registerInlinerExtension(registry);
  LLVM::registerInlinerInterface(registry);
  NVVM::registerInlinerInterface(registry);
}
} // namespace mlir::tlx

#endif // TLX_INITALLDIALECTS_H
