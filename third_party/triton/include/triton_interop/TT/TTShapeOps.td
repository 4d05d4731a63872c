//===- TTShapeOps.td - Ops that move elements ------------ -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TT_TTSHAPEOPS_TD
#define TRITON_INTEROP_TT_TTSHAPEOPS_TD

include "triton_interop/TT/TTOpBase.td"

// The result types of these ops follow from the operands. Where the layout does
// not, the inferred type has none; compatibility looks at shape and element
// type, and at the layouts if both are known.

//===----------------------------------------------------------------------===//
// MakeRangeOp
//===----------------------------------------------------------------------===//

def TT_MakeRangeOp : TT_Op<"make_range", [Pure]> {
  let summary = "The integers from `start` to `end` - 1";
  let description = [{
    ```mlir
    tt.func @f() {
      %x = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      tt.return
    }
    ```
  }];
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// SplatOp
//===----------------------------------------------------------------------===//

def TT_SplatOp : TT_Op<"splat", [Pure, SameOperandsAndResultElementType]> {
  let summary = "One value in all elements";
  let description = [{
    ```mlir
    tt.func @f(%x: f32) {
      %y = tt.splat %x : f32 -> tensor<64x64xf32>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_ScalarOrTensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// UnsplatOp
//===----------------------------------------------------------------------===//

def TT_UnsplatOp : TT_Op<"unsplat", [
    Pure,
    InferTypeOpAdaptorWithIsCompatible
  ]> {
  let summary = "The element of a tensor of one element";
  let description = [{
    ```mlir
    tt.func @f(%x: tensor<1x1xf32>) {
      %y = tt.unsplat %x : tensor<1x1xf32>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_ScalarOrTensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// ExpandDimsOp
//===----------------------------------------------------------------------===//

def TT_ExpandDimsOp : TT_Op<"expand_dims", [
    Pure,
    InferTypeOpAdaptorWithIsCompatible
  ]> {
  let summary = "Insert a dimension of extent 1 before `axis`";
  let description = [{
    ```mlir
    tt.func @f(%x: tensor<64xf32>) {
      %y = tt.expand_dims %x {axis = 1 : i32} : tensor<64xf32>
          -> tensor<64x1xf32>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_Tensor:$src, I32Attr:$axis);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

def TT_BroadcastOp : TT_Op<"broadcast", [
    Pure,
    SameOperandsAndResultElementType
  ]> {
  let summary = "Repeat along dimensions of extent 1";
  let description = [{
    Layouts of source and result agree on the elements of the source. They may be
    written in different ways, since an extent of 1 leaves a part of a layout open.

    ```mlir
    tt.func @f(%x: tensor<64x1xf32>) {
      %y = tt.broadcast %x : tensor<64x1xf32> -> tensor<64x64xf32>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// ReshapeOp
//===----------------------------------------------------------------------===//

def TT_ReshapeOp : TT_Op<"reshape", [Pure, SameOperandsAndResultElementType]> {
  let summary = "Another shape of the same elements";
  let description = [{
    With `allow_reorder` the elements may be permuted; `efficient_layout` keeps
    layout passes from changing the result's layout.

    ```mlir
    tt.func @f(%x: tensor<128xf32>) {
      %y = tt.reshape %x : tensor<128xf32> -> tensor<16x8xf32>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_Tensor:$src,
    UnitAttr:$allow_reorder,
    UnitAttr:$efficient_layout
  );
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src (`allow_reorder` $allow_reorder^)?
    (`efficient_layout` $efficient_layout^)?
    attr-dict `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// TransOp
//===----------------------------------------------------------------------===//

def TT_TransOp : TT_Op<"trans", [
    Pure,
    InferTypeOpAdaptorWithIsCompatible,
    SameOperandsAndResultElementType
  ]> {
  let summary = "Permutation of dimensions";
  let description = [{
    Dimension `i` of the result is dimension `order[i]` of the source.

    ```mlir
    tt.func @f(%x: tensor<16x32xf16>) {
      %y = tt.trans %x {order = array<i32: 1, 0>}
      : tensor<16x32xf16> -> tensor<32x16xf16>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_Tensor:$src, DenseI32ArrayAttr:$order);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

//===----------------------------------------------------------------------===//
// JoinOp
//===----------------------------------------------------------------------===//

def TT_JoinOp : TT_Op<"join", [
    Pure,
    SameTypeOperands,
    InferTypeOpAdaptorWithIsCompatible
  ]> {
  let summary = "Two tensors along a new last dimension";
  let description = [{
    ```mlir
    tt.func @f(%x: tensor<64xf32>, %y: tensor<64xf32>) {
      %z = tt.join %x, %y : tensor<64xf32> -> tensor<64x2xf32>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)
  }];
}

//===----------------------------------------------------------------------===//
// SplitOp
//===----------------------------------------------------------------------===//

def TT_SplitOp : TT_Op<"split", [
    Pure,
    InferTypeOpAdaptorWithIsCompatible,
    AllTypesMatch<["outLHS", "outRHS"]>
  ]> {
  let summary = "The halves of a last dimension of extent 2";
  let description = [{
    ```mlir
    tt.func @f(%x: tensor<64x2xf32>) {
      %a, %b = tt.split %x : tensor<64x2xf32> -> tensor<64xf32>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$outLHS, TT_Tensor:$outRHS);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($outLHS)";
}

//===----------------------------------------------------------------------===//
// CatOp
//===----------------------------------------------------------------------===//

def TT_CatOp : TT_Op<"cat", [
    Pure,
    SameTypeOperands,
    SameOperandsAndResultElementType
  ]> {
  let summary = "Concatenation, elements in any order";
  let description = [{
    ```mlir
    tt.func @f(%x: tensor<64xf32>, %y: tensor<64xf32>) {
      %z = tt.cat %x, %y : tensor<64xf32> -> tensor<128xf32>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// GatherOp
//===----------------------------------------------------------------------===//

def TT_GatherOp : TT_Op<"gather", [Pure, InferTypeOpAdaptorWithIsCompatible]> {
  let summary = "Elements selected by indices along `axis`";
  let description = [{
    ```mlir
    tt.func @f(%x: tensor<64xf32>, %i: tensor<16xi32>) {
      %y = tt.gather %x[%i] {axis = 0 : i32}
      : (tensor<64xf32>, tensor<16xi32>) -> tensor<16xf32>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_Tensor:$src,
    TT_IntTensor:$indices,
    I32Attr:$axis,
    UnitAttr:$efficient_layout
  );
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src `[` $indices `]` attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// HistogramOp
//===----------------------------------------------------------------------===//

def TT_HistogramOp : TT_Op<"histogram", [Pure, TT_MaskTypeOf<"src", "mask">]> {
  let summary = "Count of each value below the result's extent";
  let description = [{
    ```mlir
    tt.func @f(%x: tensor<128xi32>) {
      %h = tt.histogram %x : tensor<128xi32> -> tensor<16xi32>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_IntTensor:$src, Optional<TT_BoolTensor>:$mask);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = [{
    $src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)
  }];
}

#endif // TRITON_INTEROP_TT_TTSHAPEOPS_TD
