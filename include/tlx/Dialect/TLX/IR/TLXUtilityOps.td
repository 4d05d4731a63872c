//===- TLXUtilityOps.td - Registers and layouts ------------*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_IR_TLXUTILITYOPS_TD
#define TLX_DIALECT_TLX_IR_TLXUTILITYOPS_TD

include "tlx/Dialect/TLX/IR/TLXAttrs.td"
include "tlx/Dialect/TLX/IR/TLXCopyOps.td"

def TLX_ThreadIdOp : TLX_Op<"thread_id", [Pure]> {
  let summary = "Index of the thread in the CTA";
  let description = [{
    Absolute: also inside a task it counts from the first thread of the CTA.

    Source: PTX ISA, special registers, `%tid`.

    Example:

    ```mlir
    %i = tlx.thread_id x : i32
    ```
  }];
  let arguments = (ins TLX_Axis:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` qualified(type($result))";
}

def TLX_Clock64Op : TLX_OrderedOp<"clock64"> {
  let summary = "Read the cycle counter of the multiprocessor";
  let description = [{
    Has memory effects so that it is neither moved nor merged.

    Source: PTX ISA, special registers, `%clock64`.

    Example:

    ```mlir
    %t = tlx.clock64 : i64
    ```
  }];
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def TLX_RequireLayoutOp : TLX_Op<"require_layout", [
    Pure, InferTypeOpAdaptorWithIsCompatible]> {
  let summary = "Ask for a layout of a tensor";
  let description = [{
    The result has `layout`. With `soft` the layout passes may choose another
    one if that saves a conversion.

    Constraints:

    - (C1) Shapes and element types of source and result are equal.

    Example:

    ```mlir
    %t = "test.tensor"() : () -> tensor<64x64xf16>
    %x = tlx.require_layout %t {layout = "L"} : tensor<64x64xf16>
        -> tensor<64x64xf16>
    ```
  }];
  let arguments = (ins TLX_Tensor:$source, AnyAttr:$layout, UnitAttr:$soft);
  let results = (outs TLX_Tensor:$result);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TLX_ReleaseLayoutOp : TLX_Op<"release_layout", [
    Pure, InferTypeOpAdaptorWithIsCompatible]> {
  let summary = "Let the layout passes choose the layout of a tensor again";
  let description = [{
    Constraints:

    - (C1) Shapes and element types of source and result are equal.

    Example:

    ```mlir
    %t = "test.tensor"() : () -> tensor<64x64xf16>
    %x = tlx.release_layout %t : tensor<64x64xf16> -> tensor<64x64xf16>
    ```
  }];
  let arguments = (ins TLX_Tensor:$source);
  let results = (outs TLX_Tensor:$result);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

#endif // TLX_DIALECT_TLX_IR_TLXUTILITYOPS_TD
