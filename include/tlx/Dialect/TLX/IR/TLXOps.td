//===- TLXOps.td - TLX operation definitions ---------------*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_IR_TLXOPS_TD
#define TLX_DIALECT_TLX_IR_TLXOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tlx/Dialect/TLX/IR/TLXBase.td"
include "tlx/Dialect/TLX/IR/TLXTypes.td"

def TLX_Clock64Op : TLX_Op<"clock64", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Read the cycle counter of the multiprocessor";
  let description = [{
    Reads `%clock64`. Has memory effects so that it is neither moved nor merged.

    Source: PTX ISA, special registers, `%clock64`.

    Example:

    ```mlir
    %t = tlx.clock64 : i64
    ```
  }];
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

#endif // TLX_DIALECT_TLX_IR_TLXOPS_TD
