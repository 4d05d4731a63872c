//===- TLXOps.td - TLX operation definitions ---------------*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_IR_TLXOPS_TD
#define TLX_DIALECT_TLX_IR_TLXOPS_TD

include "tlx/Dialect/TLX/IR/TLXBarrierOps.td"
include "tlx/Dialect/TLX/IR/TLXCopyOps.td"
include "tlx/Dialect/TLX/IR/TLXMMAOps.td"
include "tlx/Dialect/TLX/IR/TLXMemoryOps.td"
include "tlx/Dialect/TLX/IR/TLXTMAOps.td"
include "tlx/Dialect/TLX/IR/TLXTaskOps.td"
include "tlx/Dialect/TLX/IR/TLXUtilityOps.td"

#endif // TLX_DIALECT_TLX_IR_TLXOPS_TD
