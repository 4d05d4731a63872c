//===- TLX.h - TLX dialect --------------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_IR_TLX_H
#define TLX_DIALECT_TLX_IR_TLX_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "triton_interop/TTNG/TTNG.h"

#include "tlx/Dialect/TLX/IR/TLXDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tlx/Dialect/TLX/IR/TLXTypes.h.inc"
#define GET_OP_CLASSES
#include "tlx/Dialect/TLX/IR/TLXOps.h.inc"

#endif // TLX_DIALECT_TLX_IR_TLX_H
