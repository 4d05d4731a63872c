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

def TLX_VoteBallotOp : TLX_OrderedOp<"vote_ballot_sync"> {
  let summary = "Which threads of the warp have a true predicate";
  let description = [{
    Bit `i` of the result is the predicate of thread `i` of the warp. Of a
    tensor, a thread's predicate is true if any of the elements that it holds
    is, and all elements of the result that it holds are its warp's ballot.

    All threads in `mask` have to execute the op together.

    Constraints:

    - (C1) `pred` is an `i1` or a tensor of them.
    - (C2) The result is an `i32`, or a tensor of them of the shape of `pred`.

    Lowers to an intrinsic for a scalar and to inline PTX for a tensor,
    `vote.sync.ballot.b32`.

    Source: PTX ISA, `vote.sync`.

    Example:

    ```mlir
    %mask, %p = "test.values"() : () -> (i32, i1)
    %b = tlx.vote_ballot_sync %mask, %p : i1 -> i32
    ```
  }];
  let arguments = (ins I32:$mask, AnyTypeOf<[I1, TLX_Tensor]>:$pred);
  let results = (outs AnyTypeOf<[I32, TLX_Tensor]>:$result);
  let assemblyFormat = [{
    $mask `,` $pred attr-dict `:` qualified(type($pred)) `->`
    qualified(type($result))
  }];
  let hasVerifier = 1;
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
