//===- TLXOps.cpp - TLX operation implementations -------------------------===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#include "tlx/Dialect/TLX/IR/TLX.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::tlx;

#define GET_OP_CLASSES
#include "tlx/Dialect/TLX/IR/TLXOps.cpp.inc"
