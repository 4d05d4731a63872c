//===- TLXBase.td - TLX dialect definition -----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_IR_TLXBASE_TD
#define TLX_DIALECT_TLX_IR_TLXBASE_TD

include "mlir/IR/OpBase.td"

def TLX_Dialect : Dialect {
  let name = "tlx";
  let cppNamespace = "::mlir::tlx";
  let summary = "Explicit warp specialization for tile kernels";
  let description = [{
    Ops that let a kernel author say *which warps* run a piece of a tile
    program, *which on-chip buffer* it uses, and *which barrier* orders it.
    Tensors and buffers carry no layout until `tlx-assign-layouts` has run.
    Limits that depend on the target are checked by passes, not by op verifiers.
  }];
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{ void registerTypes(); }];
}

class TLX_ConstraintOf<string cppType, string summary>
    : Type<CPred<"::llvm::isa<" # cppType # ">($_self)">, summary, cppType>;

class TLX_Op<string mnemonic, list<Trait> traits = []>
    : Op<TLX_Dialect, mnemonic, traits>;

#endif // TLX_DIALECT_TLX_IR_TLXBASE_TD
