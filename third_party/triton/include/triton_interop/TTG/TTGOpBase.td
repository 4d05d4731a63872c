//===- TTGOpBase.td - Constraints and effects of ttg ops - -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTG_TTGOPBASE_TD
#define TRITON_INTEROP_TTG_TTGOPBASE_TD

include "triton_interop/TT/TTOpBase.td"
include "triton_interop/TTG/TTGAttrs.td"
include "triton_interop/TTG/TTGTypes.td"

// Ops that start, order or wait for asynchronous work declare no effects:
// passes then treat them as reading and writing everything, which keeps their
// order.

def TTG_SharedMemory : Resource<"::mlir::ttg::SharedMemory">;

def TTG_TensorOrMemDesc
    : AnyTypeOf<[TT_Tensor, TTG_MemDescType], "tensor or memdesc">;

#endif // TRITON_INTEROP_TTG_TTGOPBASE_TD
