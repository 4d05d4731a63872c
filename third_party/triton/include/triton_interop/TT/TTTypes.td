//===- TTTypes.td - Types of the tt dialect -------------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TT_TTTYPES_TD
#define TRITON_INTEROP_TT_TTTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "triton_interop/TT/TTBase.td"

class TT_TypeDef<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<TT_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def TT_PtrType : TT_TypeDef<"Ptr", "ptr"> {
  let summary = "Pointer to a scalar";
  let description = [{
    A pointer to global memory unless it names another address space. Triton
    3.9 names the space by a string, older versions by a number; both are kept
    as written, and version legalisation turns one into the other.

    Example: `!tt.ptr<f32>`, `!tt.ptr<f32, "constant">`, `!tt.ptr<f32, 4>`.
  }];
  let parameters = (ins
    "::mlir::Type":$pointee,
    OptionalParameter<"::mlir::Attribute",
        "an i32 or a string; null is global memory">:$addressSpace
  );
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointee), [{
      return $_get(pointee.getContext(), pointee, ::mlir::Attribute());
    }]>,
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointee,
                                        "::mlir::Attribute":$addressSpace), [{
      return $_get(pointee.getContext(), pointee, addressSpace);
    }]>,
    /// From the number; 1 is global memory.
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointee,
                                        "int":$addressSpace)>
  ];
  let extraClassDeclaration = [{
    /// Number of global memory.
    static constexpr int kGlobal = 1;
    bool isGlobal() const { return !getAddressSpace(); }
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
}

def TT_TensorDescType : TT_TypeDef<"TensorDesc", "tensordesc"> {
  let summary = "TMA descriptor of a tensor in global memory";
  let description = [{
    `blockType` gives shape and element type of one block and, as its encoding,
    the shared memory layout if known. Triton 3.7 and older spell it
    `!tt.tensordesc<tensor<...>>`, which is accepted.

    Example: `!tt.tensordesc<64x64xf16>`.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$blockType);
  let builders = [
    TypeBuilderWithInferredContext<(ins
        "::mlir::RankedTensorType":$blockType), [{
      return $_get(blockType.getContext(), blockType);
    }]>
  ];
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<int64_t> getShape() const {
      return getBlockType().getShape();
    }
    int64_t getRank() const { return getBlockType().getRank(); }
    ::mlir::Type getElementType() const {
      return getBlockType().getElementType();
    }
    /// The shared memory layout, or null.
    ::mlir::Attribute getSharedLayout() const {
      return getBlockType().getEncoding();
    }
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
}

#endif // TRITON_INTEROP_TT_TTTYPES_TD
