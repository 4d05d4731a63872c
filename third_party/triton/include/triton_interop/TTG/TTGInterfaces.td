//===- TTGInterfaces.td - Kinds of layouts --------------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TTG_TTGINTERFACES_TD
#define TRITON_INTEROP_TTG_TTGINTERFACES_TD

include "mlir/IR/OpBase.td"

def TTG_DistributedEncoding : AttrInterface<"DistributedEncoding"> {
  let cppNamespace = "::mlir::ttg";
  let description = [{
    A layout that spreads a tensor over the registers of threads.
  }];
  let methods = [
    InterfaceMethod<"Rank of the tensors that it describes.",
                    "unsigned", "getRank">,
    InterfaceMethod<"Warps that hold the tensor in one CTA.",
                    "unsigned", "getNumWarps">
  ];
}

def TTG_SharedEncoding : AttrInterface<"SharedEncoding"> {
  let cppNamespace = "::mlir::ttg";
  let description = [{
    A layout of a tile in shared memory.
  }];
  let methods = [
    InterfaceMethod<"Rank of the tiles that it describes.",
                    "unsigned", "getRank">
  ];
}

#endif // TRITON_INTEROP_TTG_TTGINTERFACES_TD
