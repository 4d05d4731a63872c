//===- TTDialect.cpp - Registration of the tt dialect ---------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TT/TT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;

#include "triton_interop/TT/TTDialect.cpp.inc"
#include "triton_interop/TT/TTEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "triton_interop/TT/TTAttrs.cpp.inc"

void TTDialect::initialize() {
  registerTypes();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "triton_interop/TT/TTAttrs.cpp.inc"
      >();
  registerOps();
  registerInterfaces();
}
