//===- TTGDialect.cpp - Registration of the ttg dialect -------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "triton_interop/TTG/TTG.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ttg;

#include "triton_interop/TTG/TTGDialect.cpp.inc"
#include "triton_interop/TTG/TTGEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "triton_interop/TTG/TTGAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "triton_interop/TTG/TTGTypes.cpp.inc"

void TTGDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "triton_interop/TTG/TTGAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "triton_interop/TTG/TTGTypes.cpp.inc"
      >();
}
