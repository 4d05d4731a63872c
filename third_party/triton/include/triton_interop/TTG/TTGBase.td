//===- TTGBase.td - The ttg dialect ---------------------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTG_TTGBASE_TD
#define TRITON_INTEROP_TTG_TTGBASE_TD

include "mlir/IR/OpBase.td"
include "triton_interop/TT/TTBase.td"

def TTG_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::mlir::ttg";
  let summary = "TritonGPU ops";
  let description = [{
    Layouts, shared memory and warp specialization of Triton's GPU level.
    Written from published facts about the released `triton` wheels: the names,
    operands, attributes and syntax are those that the wheel's parser accepts.
  }];
  let dependentDialects = ["::mlir::tt::TTDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerOps();
  }];
}

class TTG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTG_Dialect, mnemonic, traits>;

#endif // TRITON_INTEROP_TTG_TTGBASE_TD
