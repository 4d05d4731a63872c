//===- TLXTypes.td - TLX type definitions ------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_IR_TLXTYPES_TD
#define TLX_DIALECT_TLX_IR_TLXTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "tlx/Dialect/TLX/IR/TLXAttrs.td"
include "triton_interop/TT/TTEnums.td"

class TLX_Type<string name, string typeMnemonic>
    : TypeDef<TLX_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def TLX_BufferType : TLX_Type<"Buffer", "buffer"> {
  let summary = "One on-chip buffer, or a ring of them";
  let description = [{
    `num` is the number of slots of a ring, or 0 for a single buffer. `layout`
    is null until `tlx-assign-layouts` has run, unless the user pinned one.

    Constraints:

    - (C1) `num` is not negative; a ring has at least one slot.
    - (C2) `shape` has at least one dimension and each is a power of two, as the
      layouts are linear over bits.
    - (C3) The element type is an integer or float of 1 to 64 bits.

    Example: `!tlx.buffer<64x64xf16, smem>`,
    `!tlx.buffer<[3] 64x64xf16, smem>`.
  }];
  let parameters = (ins "int64_t":$num, ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType,
                        "::mlir::tlx::Storage":$storage,
                        "::mlir::Attribute":$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isArray() const { return getNum() != 0; }
    int64_t getRank() const { return getShape().size(); }
    /// The type of one slot of a ring.
    BufferType getSlotType() const {
      return get(getContext(), 0, getShape(), getElementType(), getStorage(),
                 getLayout());
    }
    BufferType withLayout(Attribute layout) const {
      return get(getContext(), getNum(), getShape(), getElementType(),
                 getStorage(), layout);
    }
    BufferType withShape(ArrayRef<int64_t> shape) const {
      return get(getContext(), getNum(), shape, getElementType(), getStorage(),
                 getLayout());
    }
    int64_t getNumElements() const {
      return ShapedType::getNumElements(getShape());
    }
    /// Bytes of one slot; an i1 takes a byte.
    int64_t getSlotBytes() const;
    /// Bytes of all slots.
    int64_t getTotalBytes() const {
      return getSlotBytes() * std::max<int64_t>(getNum(), 1);
    }
  }];
}

def TLX_BarrierType : TLX_Type<"Barrier", "barrier"> {
  let summary = "One mbarrier, or an array of them";
  let description = [{
    `num` is the length of the array, or 0 for one slot. A phase completes when
    `arriveCount` arrivals and all expected bytes have come. Every thread
    arrives on a `warp` barrier; on others one thread of a task does.

    Constraints:

    - (C1) `num` is not negative; an array has at least one slot.
    - (C2) `arriveCount` is in [1, 1048575].

    Source of (C2): PTX ISA, mbarrier, contents of the mbarrier object.

    Example: `!tlx.barrier<[3], count = 2>`, `!tlx.barrier<count = 128, warp>`.
  }];
  let parameters = (ins "int64_t":$num, "int64_t":$arriveCount,
                        "bool":$isWarpBarrier);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static constexpr int64_t kMaxCount = (1 << 20) - 1;
    bool isArray() const { return getNum() != 0; }
    /// The type of one slot of an array.
    BarrierType getSlotType() const {
      return get(getContext(), 0, getArriveCount(), getIsWarpBarrier());
    }
  }];
}

def TLX_TokenType : TLX_Type<"Token", "token"> {
  let summary = "Orders an asynchronous copy before its wait";
}

//===----------------------------------------------------------------------===//
// Constraints of operands
//===----------------------------------------------------------------------===//

def TLX_Token : TLX_ConstraintOf<"::mlir::tlx::TokenType", "token">,
    BuildableType<"$_builder.getType<::mlir::tlx::TokenType>()">;
def TLX_Buffer : TLX_ConstraintOf<"::mlir::tlx::BufferType", "buffer">;
def TLX_Barrier : TLX_ConstraintOf<"::mlir::tlx::BarrierType", "barrier">;

def TLX_TensorDesc
    : TLX_ConstraintOf<"::mlir::tt::TensorDescType", "tensor descriptor">;
def TLX_Pointer : TLX_ConstraintOf<"::mlir::tt::PtrType", "pointer">;

/// A rank 1 or higher tensor with static shape.
def TLX_Tensor : TLX_ConstraintOf<"::mlir::RankedTensorType", "ranked tensor">;
def TLX_TensorOrBuffer : AnyTypeOf<[TLX_Tensor, TLX_Buffer]>;

#endif // TLX_DIALECT_TLX_IR_TLXTYPES_TD
