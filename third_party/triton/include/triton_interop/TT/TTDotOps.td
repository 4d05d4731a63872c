//===- TTDotOps.td - Matrix products --------------------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TT_TTDOTOPS_TD
#define TRITON_INTEROP_TT_TTDOTOPS_TD

include "triton_interop/TT/TTOpBase.td"

def TT_NumberTensor : RankedTensorOf<[AnyFloat, AnySignlessInteger]>;
def TT_FloatOrI8Tensor : RankedTensorOf<[AnyFloat, I8]>;

//===----------------------------------------------------------------------===//
// DotOp
//===----------------------------------------------------------------------===//

def TT_DotOp : TT_Op<"dot", [Pure, AllTypesMatch<["c", "d"]>]> {
  let summary = "d = a * b + c";
  let description = [{
    ```mlir
    tt.func @f(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>,
               %c: tensor<16x16xf32>) {
      %d = tt.dot %a, %b, %c
      : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_NumberTensor:$a,
    TT_NumberTensor:$b,
    TT_NumberTensor:$c,
    DefaultValuedAttr<TT_InputPrecision,
        "::mlir::tt::InputPrecision::IEEE">:$inputPrecision,
    DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc
  );
  let results = (outs TT_NumberTensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict `:`
    type($a) `*` type($b) `->` type($d)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// DotScaledOp
//===----------------------------------------------------------------------===//

def TT_DotScaledOp : TT_Op<"dot_scaled", [
    Pure,
    AttrSizedOperandSegments,
    AllTypesMatch<["c", "d"]>
  ]> {
  let summary = "Product of block-scaled matrices";
  let description = [{
    Every 32 (16 for fp4 with fp8 scales) elements along the reduction share a
    scale. `lhs_k_pack` and `rhs_k_pack` tell whether fp4 pairs are packed along
    the reduction.

    ```mlir
    tt.func @f(%a: tensor<128x32xi8>, %b: tensor<32x128xi8>,
               %c: tensor<128x128xf32>, %s: tensor<128x1xi8>) {
      %d = tt.dot_scaled %a scale %s, %b scale %s, %c lhs = e4m3 rhs = e5m2
      {fastMath = false}
      : tensor<128x32xi8>, tensor<128x1xi8>
      * tensor<32x128xi8>, tensor<128x1xi8> -> tensor<128x128xf32>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_FloatOrI8Tensor:$a,
    TT_FloatOrI8Tensor:$b,
    TT_FloatTensor:$c,
    Optional<TT_FloatOrI8Tensor>:$a_scale,
    Optional<TT_FloatOrI8Tensor>:$b_scale,
    TT_ScaleDotElemType:$a_elem_type,
    TT_ScaleDotElemType:$b_elem_type,
    BoolAttr:$fastMath,
    DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack,
    DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack
  );
  let results = (outs TT_FloatTensor:$d);
  let assemblyFormat = [{
    $a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c `lhs` `=`
    $a_elem_type `rhs` `=` $b_elem_type attr-dict `:` type($a)
    (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->` type($d)
  }];
  let hasVerifier = 1;
}

#endif // TRITON_INTEROP_TT_TTDOTOPS_TD
