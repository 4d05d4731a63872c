//===- TTBase.td - The tt dialect ------------------------ -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TT_TTBASE_TD
#define TRITON_INTEROP_TT_TTBASE_TD

include "mlir/IR/OpBase.td"

def TT_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::mlir::tt";
  let summary = "Triton tile ops";
  let description = [{
    Triton's tile-level ops, as TLX kernels meet them. Written from
    published facts about the released `triton` wheels: the names, operands,
    attributes and syntax are those that the wheel's parser accepts.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect"];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerOps();
    void registerInterfaces();
  }];
}

class TT_Op<string mnemonic, list<Trait> traits = []>
    : Op<TT_Dialect, mnemonic, traits>;

#endif // TRITON_INTEROP_TT_TTBASE_TD
