//===- TLXMMAOps.td - Matrix products ----------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: MIT
//
//===----------------------------------------------------------------------===//

#ifndef TLX_DIALECT_TLX_IR_TLXMMAOPS_TD
#define TLX_DIALECT_TLX_IR_TLXMMAOPS_TD

include "tlx/Dialect/TLX/IR/TLXCopyOps.td"

def TLX_AsyncDotOp : TLX_OrderedOp<"async_dot", [
    AllTypesMatch<["c", "d"]>]> {
  let summary = "Start a matrix product of a warp group";
  let description = [{
    Starts `d = a * b + c` on the tensor core, or `d = a * b` if `use_acc` is
    false. `d` may be read only after a `tlx.async_dot_wait`; the buffers may be
    written only after it.

    | `a` and `b`                        | `c`        | K is a multiple of |
    |------------------------------------|------------|--------------------|
    | f16 and f16                        | f32 or f16 | 16                 |
    | bf16 and bf16                      | f32        | 16                 |
    | f32 and f32 (tf32)                 | f32        | 8                  |
    | f8E4M3FN or f8E5M2, any pair       | f32 or f16 | 32                 |
    | i8 and i8                          | i32        | 32                 |

    Constraints:

    - (C1) Buffers are one 2-D buffer in shared memory, not a ring.
    - (C2) `a` is M x K, `b` is K x N, `c` and `d` are M x N.
    - (C3) The element types are a row of the table.
    - (C4) M is a multiple of 64, N a multiple of 8 in [8, 256], K as in the
      table.
    - (C5) The task has a multiple of 4 warps.

    Lowers to `ttng.warp_group_dot`.

    Source of (C3) and (C4): PTX ISA, `wgmma.mma_async`.

    Example:

    ```mlir
    %a, %b, %c = "test.values"() : ()
        -> (!tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x128xf16, smem>,
        tensor<64x128xf32>)
    %d = tlx.async_dot %a, %b, %c
        : !tlx.buffer<64x64xf16, smem>, !tlx.buffer<64x128xf16, smem>
        -> tensor<64x128xf32>
    ```
  }];
  let arguments = (ins
    TLX_TensorOrBuffer:$a,
    TLX_Buffer:$b,
    TLX_Tensor:$c,
    Optional<I1>:$use_acc,
    DefaultValuedAttr<TT_InputPrecision,
      "::mlir::tt::InputPrecision::TF32">:$input_precision,
    DefaultValuedAttr<I32Attr, "0">:$max_num_imprecise_acc
  );
  let results = (outs TLX_Tensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`use_acc` $use_acc^)? attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) `->` qualified(type($d))
  }];
  let hasVerifier = 1;
}

def TLX_AsyncDotWaitOp : TLX_OrderedOp<"async_dot_wait", [
    InferTypeOpAdaptor]> {
  let summary = "Wait until few matrix products are outstanding";
  let description = [{
    Waits until at most `pendings` products started by the task are outstanding.
    The results are the inputs, readable now if their product has completed.

    Constraints:

    - (C1) `pendings` is not negative.

    Lowers to `ttng.warp_group_dot_wait`.

    Example:

    ```mlir
    %d = "test.tensor"() : () -> tensor<64x128xf32>
    %r = tlx.async_dot_wait 0, %d : tensor<64x128xf32>
    ```
  }];
  let arguments = (ins
    ConfinedAttr<I32Attr, [IntNonNegative]>:$pendings,
    Variadic<TLX_Tensor>:$inputs
  );
  let results = (outs Variadic<TLX_Tensor>:$results);
  let assemblyFormat = [{
    $pendings (`,` $inputs^ `:` qualified(type($inputs)))? attr-dict
  }];
}

#endif // TLX_DIALECT_TLX_IR_TLXMMAOPS_TD
