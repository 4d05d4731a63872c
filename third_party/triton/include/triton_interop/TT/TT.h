//===- TT.h - The tt dialect ---------------------------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TT_TT_H
#define TRITON_INTEROP_TT_TT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "triton_interop/TT/TTTraits.h"

#include "triton_interop/TT/TTDialect.h.inc"
#include "triton_interop/TT/TTEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "triton_interop/TT/TTAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "triton_interop/TT/TTTypes.h.inc"
#define GET_OP_CLASSES
#include "triton_interop/TT/TTOps.h.inc"

#endif // TRITON_INTEROP_TT_TT_H
