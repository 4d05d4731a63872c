//===- TTNGDialect.cpp - Registration of the ttng dialect -----------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TTNG/TTNG.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ttng;

#include "triton_interop/TTNG/TTNGDialect.cpp.inc"
#include "triton_interop/TTNG/TTNGEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "triton_interop/TTNG/TTNGAttrs.cpp.inc"

void TTNGDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "triton_interop/TTNG/TTNGAttrs.cpp.inc"
      >();
}
