//===- TLXDialect.cpp - TLX dialect registration --------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Dialect/TLX/IR/TLX.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tlx;

#include "tlx/Dialect/TLX/IR/TLXDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tlx/Dialect/TLX/IR/TLXTypes.cpp.inc"

void TLXDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tlx/Dialect/TLX/IR/TLXTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tlx/Dialect/TLX/IR/TLXOps.cpp.inc"
      >();
}
