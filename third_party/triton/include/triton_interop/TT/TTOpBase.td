//===- TTOpBase.td - Constraints and traits of tt ops ---- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TT_TTOPBASE_TD
#define TRITON_INTEROP_TT_TTOPBASE_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "triton_interop/TT/TTAttrs.td"
include "triton_interop/TT/TTTypes.td"

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class TT_ScalarOrTensorOf<list<Type> scalars, string description>
    : AnyTypeOf<!listconcat(scalars, [RankedTensorOf<scalars>]), description>;

def TT_FloatTensor : RankedTensorOf<[AnyFloat]>;
def TT_IntTensor : RankedTensorOf<[AnySignlessInteger]>;
def TT_BoolTensor : RankedTensorOf<[I1]>;
def TT_PtrTensor : RankedTensorOf<[TT_PtrType]>;
def TT_Tensor : RankedTensorOf<[AnyFloat, AnySignlessInteger, TT_PtrType]>;

def TT_FloatLike : TT_ScalarOrTensorOf<[AnyFloat], "float or tensor of floats">;
def TT_F32Like : TT_ScalarOrTensorOf<[F32], "f32 or tensor of f32">;
def TT_IntLike
    : TT_ScalarOrTensorOf<[AnySignlessInteger],
        "integer or tensor of integers">;
def TT_I64Like : TT_ScalarOrTensorOf<[I64], "i64 or tensor of i64">;
def TT_BoolLike : TT_ScalarOrTensorOf<[I1], "i1 or tensor of i1">;
def TT_PtrLike
    : TT_ScalarOrTensorOf<[TT_PtrType], "pointer or tensor of pointers">;
def TT_ScalarOrTensor
    : TT_ScalarOrTensorOf<[AnyFloat, AnySignlessInteger, TT_PtrType],
                          "number, pointer or tensor of them">;
def TT_Type
    : AnyTypeOf<[AnyFloat, AnySignlessInteger, TT_PtrType, TT_Tensor,
                 TT_TensorDescType],
                "number, pointer, tensor of them or descriptor">;

//===----------------------------------------------------------------------===//
// Traits
//===----------------------------------------------------------------------===//

/// All tensors among operands and results have one layout. A tensor without a
/// layout fits any.
def TT_SameEncoding : NativeOpTrait<"SameEncoding"> {
  let cppNamespace = "::mlir::tt";
}

/// As above, for operands only.
def TT_SameOperandsEncoding : NativeOpTrait<"SameOperandsEncoding"> {
  let cppNamespace = "::mlir::tt";
}

/// Operand `value` has the type that operand `ptr` points to.
class TT_PointeeTypeIs<string ptr, string value>
    : TypesMatchWith<"type of '" # value # "' is what '" # ptr # "' points to",
                     ptr, value, "::mlir::tt::getPointeeType($_self)">;
class TT_OptionalPointeeTypeIs<string ptr, string value>
    : OptionalTypesMatchWith<
          "type of '" # value # "' is what '" # ptr # "' points to", ptr, value,
          "::mlir::tt::getPointeeType($_self)">;
/// Optional operand `mask` has an i1 for each element of operand `value`.
class TT_MaskTypeOf<string value, string mask>
    : OptionalTypesMatchWith<
          "'" # mask # "' is an i1 of the shape of '" # value # "'",
          value, mask,
          "::mlir::tt::getI1SameShape($_self)">;

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

def TT_GlobalMemory : Resource<"::mlir::tt::GlobalMemory">;

#endif // TRITON_INTEROP_TT_TTOPBASE_TD
