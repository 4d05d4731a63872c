//===- TTNGBase.td - The ttng dialect -------------------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTNG_TTNGBASE_TD
#define TRITON_INTEROP_TTNG_TTNGBASE_TD

include "mlir/IR/OpBase.td"
include "triton_interop/TTG/TTGBase.td"

def TTNG_Dialect : Dialect {
  let name = "ttng";
  let cppNamespace = "::mlir::ttng";
  let summary = "TritonNvidiaGPU ops";
  let description = [{
    TMA, mbarriers, wgmma and tcgen05 of Triton's NVIDIA level. Written from
    published facts about the released `triton` wheels: the names, operands,
    attributes and syntax are those that the wheel's parser accepts.
  }];
  let dependentDialects = ["::mlir::ttg::TTGDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerOps();
  }];
}

class TTNG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTNG_Dialect, mnemonic, traits>;

#endif // TRITON_INTEROP_TTNG_TTNGBASE_TD
