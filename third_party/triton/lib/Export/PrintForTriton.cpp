//===- PrintForTriton.cpp - Text for the parser of Triton -----------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/Export/Passes.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

std::string tt::printForTriton(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().printGenericOpForm().enableDebugInfo());
  return text;
}
