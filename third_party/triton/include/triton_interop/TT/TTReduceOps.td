//===- TTReduceOps.td - Reductions and scans ------------- -*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEROP_TT_TTREDUCEOPS_TD
#define TRITON_INTEROP_TT_TTREDUCEOPS_TD

include "triton_interop/TT/TTShapeOps.td"
include "triton_interop/TT/TTOpBase.td"

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

def TT_ReduceOp : TT_Op<"reduce", [
    Pure,
    SingleBlock,
    InferTypeOpAdaptorWithIsCompatible,
    SameOperandsShape,
    TT_SameOperandsEncoding
  ]> {
  let summary = "Reduction along `axis`";
  let description = [{
    The region combines two elements: its arguments are one scalar of each
    source, then another of each. A source of rank 1 gives a scalar.

    ```mlir
    tt.func @f(%x: tensor<64x32xf32>) {
      %y = "tt.reduce"(%x) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
      }) : (tensor<64x32xf32>) -> tensor<64xf32>
      tt.return
    }
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<TT_ScalarOrTensor>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let hasRegionVerifier = 1;
}

//===----------------------------------------------------------------------===//
// ReduceReturnOp
//===----------------------------------------------------------------------===//

def TT_ReduceReturnOp : TT_Op<"reduce.return", [
    HasParent<"ReduceOp">,
    Pure,
    ReturnLike,
    Terminator
  ]> {
  let summary = "End of the region of `tt.reduce`";
  let description = [{
    ```mlir
    tt.func @f(%x: tensor<64x32xf32>) {
      %y = "tt.reduce"(%x) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
      }) : (tensor<64x32xf32>) -> tensor<64xf32>
      tt.return
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// ScanOp
//===----------------------------------------------------------------------===//

def TT_ScanOp : TT_Op<"scan", [
    Pure,
    SingleBlock,
    InferTypeOpAdaptorWithIsCompatible,
    SameOperandsAndResultShape,
    TT_SameEncoding
  ]> {
  let summary = "Inclusive prefix combination along `axis`";
  let description = [{
    The region is that of `tt.reduce`. Runs from the end if `reverse`.

    ```mlir
    tt.func @f(%x: tensor<64xf32>) {
      %y = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
      ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.scan.return %s : f32
      }) : (tensor<64xf32>) -> tensor<64xf32>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    Variadic<TT_Tensor>:$srcs,
    I32Attr:$axis,
    BoolAttr:$reverse
  );
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let hasRegionVerifier = 1;
}

//===----------------------------------------------------------------------===//
// ScanReturnOp
//===----------------------------------------------------------------------===//

def TT_ScanReturnOp : TT_Op<"scan.return", [
    HasParent<"ScanOp">,
    Pure,
    ReturnLike,
    Terminator
  ]> {
  let summary = "End of the region of `tt.scan`";
  let description = [{
    ```mlir
    tt.func @f(%x: tensor<64xf32>) {
      %y = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
      ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.scan.return %s : f32
      }) : (tensor<64xf32>) -> tensor<64xf32>
      tt.return
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

#endif // TRITON_INTEROP_TT_TTREDUCEOPS_TD
